"""Languages, themes and the other settings; accounts."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.web.browser import ROOT, PageUser
from tests.web.conftest import Guests

MIN_WIDTH = 360
LOCALES = {"en": "en-GB", "nl": "nl-NL", "pt": "pt-PT", "es": "es-ES"}
PLAY_NOW = {
    language: json.loads((ROOT / f"web/src/i18n/{language}.json").read_text())["home.play-now"]
    for language in ("en", "nl", "pt", "es")
}


@pytest.mark.parametrize("language", PLAY_NOW)
def test_the_browsers_language(guest: Guests, language: str) -> None:
    user = guest(locale=language, viewport={"width": MIN_WIDTH, "height": 740})
    user.open("/")
    expect(user.button(PLAY_NOW[language])).to_be_visible()
    assert user.page.locator("html").get_attribute("lang") == LOCALES[language]
    for path in ("/", "/settings", "/account", "/learn/tailits", "/review", "/one-screen?game=tailits"):
        user.open(path)
        expect(user.page.locator("footer")).to_be_visible()
        assert user.page.evaluate("document.documentElement.scrollWidth") <= MIN_WIDTH, path


def test_another_language(user: PageUser) -> None:
    user.open("/settings")
    user.page.get_by_role("main").get_by_text("Nederlands").click()
    expect(user.page.get_by_role("heading", name="Instellingen")).to_be_visible()
    user.open("/")
    expect(user.button(PLAY_NOW["nl"])).to_be_visible()


def colour(user: PageUser, selector: str = "body") -> Any:
    return user.page.locator(selector).evaluate("node => getComputedStyle(node).backgroundColor")


def test_themes(user: PageUser) -> None:
    user.open("/settings")
    light = colour(user)
    user.page.get_by_text("Night ink").click()
    dark = colour(user)
    assert light != dark
    user.page.get_by_text("Paper").click()
    assert colour(user) == light
    user.page.emulate_media(color_scheme="dark")
    user.page.get_by_text("Use system setting").first.click()
    assert colour(user) == dark


def test_patterns_coordinates_and_groups(user: PageUser) -> None:
    user.open("/settings")
    page = user.page
    expect(page.locator(".coordinates")).to_have_count(1)
    page.get_by_label("Patterns").check()
    expect(page.locator(".surface path[fill*='-dots']").first).to_be_visible()
    page.get_by_label("Coordinates").uncheck()
    expect(page.locator(".coordinates")).to_have_count(0)
    expect(page.locator(".badge").first).to_be_visible()
    page.get_by_label("Scoring groups").uncheck()
    expect(page.locator(".badge")).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Patterns")).to_be_checked()


def test_a_name_and_an_account(user: PageUser) -> None:
    user.open("/account")
    page = user.page
    page.get_by_label("Your name").fill("Ada")
    user.button("Save").click()
    expect(user.button("Saved")).to_be_visible()
    name = f"ada{uuid4().hex[:8]}"
    page.get_by_label("Account name").fill(name)
    page.get_by_label(re.compile("^Password")).fill("correct horse")
    user.button("Create an account").click()
    expect(page.get_by_role("heading", name=f"Signed in as {name}")).to_be_visible()
    page.get_by_label("Purpose").fill("my bot")
    user.button("New token").click()
    expect(page.get_by_text("it is shown only once")).to_be_visible()
    user.button("Revoke").click()
    user.button("Sign out").click()
    user.expected.append("status of 401")
    page.get_by_label("Account name").fill(name)
    page.get_by_label(re.compile("^Password")).fill("wrong horse")
    user.button("Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Name and password do not match.")
    page.get_by_label(re.compile("^Password")).fill("correct horse")
    user.button("Sign in").click()
    expect(page.get_by_role("heading", name=f"Signed in as {name}")).to_be_visible()
