"""Sessions and links: a phone continues by a link and loses the seat; another browser is signed out."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.conftest import Guests
from tests.web.places import call, new_table, register


def test_what_plays_in_ones_name_is_listed_and_revoked(guest: Guests) -> None:
    home, phone, laptop = guest(), guest(viewport={"width": 390, "height": 844}), guest()
    table = new_table(home, game="taiji:size=4", opponent="computer", level=1, colour="light")
    register(home, "listed-person")
    path = call(home, "POST", f"/api/tables/{table.rpartition('/')[2]}/seat-link")["path"]
    phone.open(path)
    expect(phone.page).to_have_url(re.compile(r"/game/\w+$"))
    phone.wait_for_turn()

    home.open("/account")
    home.page.get_by_role("link", name="Sessions and links").click()
    expect(home.page.get_by_role("heading", name="Sessions and links")).to_be_visible()
    expect(home.page.get_by_text("this browser")).to_be_visible()
    expect(home.page.get_by_text("Chrome, Linux")).to_be_visible()
    expect(home.page.get_by_text(re.compile("· used .* 20"))).to_be_visible()
    home.page.get_by_role("button", name="Revoke: TAIJI 4×4").click()
    expect(home.page.get_by_role("status").get_by_text("The link is revoked.")).to_be_visible()
    expect(home.page.get_by_text("There are no links.")).to_be_visible()
    expect(phone.page.locator(".surface.active")).to_have_count(0)

    laptop.open("/account")
    laptop.page.get_by_label("Account name").fill("listed-person")
    laptop.page.get_by_label(re.compile("^Password")).first.fill("quite unusual words 17")
    laptop.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(laptop.page.get_by_role("heading", name="Signed in as listed-person")).to_be_visible()
    home.page.reload()
    revoke = home.page.get_by_role("button", name=re.compile("^Revoke: Chrome"))
    expect(revoke).to_have_count(1)
    revoke.click()
    expect(home.page.get_by_text("The browser is signed out.")).to_be_visible()
    laptop.page.reload()
    expect(laptop.page.get_by_role("heading", name=re.compile("Signed in"))).to_have_count(0)
    expect(laptop.page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
