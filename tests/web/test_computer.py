"""Against the computer: every game, hints, takebacks, levels, resignation, rematch, clocks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import Mirror, Person

GAMES = ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
TITLES = {
    "taiji": "TAIJI",
    "tailits": "TAILITS",
    "battle-of-lits": "Battle of LITS",
    "tailits+taiji": "TAILITS+TAIJI",
    "taiji+battle-of-lits": "TAIJI+Battle of LITS",
}


def start(person: Person, game: str, colour: str = "Light") -> None:
    """Fill in the form on the home page."""
    person.open("/")
    form = person.page.get_by_role("form", name="New game")
    form.get_by_text(TITLES[game], exact=True).click()
    form.get_by_text(colour, exact=True).click()
    form.get_by_role("slider").fill("1")
    form.get_by_role("button", name="Play the computer").click()
    person.wait_for_turn()


@pytest.mark.parametrize("game", GAMES)
def test_a_few_moves(person: Person, game: str) -> None:
    start(person, game)
    mirror = Mirror(game)
    for _ in range(2):
        mirror.follow(person.moves())
        person.lay(mirror.state, mirror.choose())
        person.expect_moves(mirror.plies + 2)
        person.wait_for_turn()


def test_hint_takeback_level_resign_and_rematch(person: Person) -> None:
    start(person, "taiji")
    page = person.page
    person.button("Hint").click()
    expect(page.locator(".hint", has_text="Try ")).to_be_visible()
    expect(page.locator(".ghost.hint")).to_be_visible()
    mirror = Mirror("taiji")
    person.lay(mirror.state, mirror.choose())
    person.expect_moves(2)
    person.wait_for_turn()
    expect(page.locator(".ghost.hint")).to_have_count(0)
    person.button("Take back").click()
    person.expect_moves(0)
    person.wait_for_turn()
    page.get_by_role("slider").fill("4")
    expect(page.get_by_text("Computer, level 4")).to_be_visible()
    person.button("Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    expect(page.locator(".surface.active")).to_be_visible()
    person.button("Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="You lost")).to_be_visible()
    address = page.url
    person.button("Rematch").click()
    expect(page).not_to_have_url(address)
    expect(page.locator(".surface")).to_be_visible()


def test_the_clock_runs(person: Person) -> None:
    person.open("/")
    person.page.get_by_label("Clock").select_option("fischer")
    person.page.get_by_role("form").get_by_text("Light", exact=True).click()
    person.button("Play the computer").click()
    person.wait_for_turn()
    clocks = person.page.get_by_role("timer")
    expect(clocks).to_have_count(2)
    expect(clocks.first).to_have_text(re.compile(r"^[45]:\d\d$"))


def test_stepping_and_downloads(person: Person) -> None:
    start(person, "taiji")
    mirror = Mirror("taiji")
    person.lay(mirror.state, mirror.choose())
    person.expect_moves(2)
    person.wait_for_turn()
    page = person.page
    pieces = page.locator(".surface .piece")
    expect(pieces).to_have_count(2)
    person.button("Go to start").click()
    expect(pieces).to_have_count(0)
    expect(page.locator(".surface.active")).to_have_count(0)
    person.button("Next move").click()
    expect(pieces).to_have_count(1)
    person.button("Go to latest position").click()
    person.wait_for_turn()
    page.get_by_text("Share and download").click()
    expect(page.get_by_alt_text("QR code of the link")).to_be_visible()
    for name in ("Record (.tji)", "Picture (SVG)", "Picture (PNG)", "Animated GIF"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.path().stat().st_size > 100
