"""Three browsers: a public tournament is announced, found, entered and listed; leaders are one tap away."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.browser import PageUser
from tests.web.conftest import Guests
from tests.web.places import call, register


def test_a_public_tournament_from_the_form_to_the_list(guest: Guests) -> None:
    organiser, player, other = guest(), guest(), guest(viewport={"width": 390, "height": 844})
    organiser.expected.append("409")
    register(organiser, "Herald")
    organiser.open("/tournaments")
    form = organiser.page.get_by_role("form", name="New tournament")
    form.get_by_label("Name of the tournament").fill("Harbour Open")
    form.get_by_label(re.compile("^Clock")).select_option("")
    form.get_by_label(re.compile("^Public")).check()
    form.get_by_label("Start time").fill("2099-01-05T19:30")
    form.get_by_label("Players needed").fill("3")
    organiser.button("Create the tournament").click()
    expect(organiser.page.locator("main")).to_contain_text("start time: invalid")
    form.get_by_label("Start time").fill("")
    organiser.button("Create the tournament").click()
    expect(organiser.page.get_by_role("heading", name="Harbour Open")).to_be_visible()
    for user, name in ((player, "Bo"), (other, "Cy")):
        user.open("/")
        user.page.get_by_role("contentinfo").get_by_role("link", name="Tournaments").click()
        user.page.get_by_role("link", name="Harbour Open").click()
        user.page.get_by_label("Your name").fill(name)
        user.button("Enter").click()
        expect(user.page.get_by_role("cell", name=f"{name} (guest)", exact=True)).to_be_visible()
    organiser.button("Start with 2 players").click()
    expect(player.page.get_by_role("link", name="Your board is ready: play")).to_be_visible()
    looker = guest(locale="nl-NL")
    looker.open("/tournaments")
    expect(looker.page.get_by_text("Er zijn geen toernooien aangekondigd", exact=False)).to_be_visible()
    looker.page.get_by_label("Bezig").check()
    row = looker.page.get_by_role("listitem").filter(has_text="Harbour Open")
    expect(row).to_contain_text("2 spelers")
    looker.button("Español").click()
    expect(row).to_contain_text("2 jugadores")


def test_a_guest_is_told_that_announcing_needs_an_account(user: PageUser) -> None:
    user.expected.append("401")
    user.open("/tournaments")
    form = user.page.get_by_role("form", name="New tournament")
    form.get_by_label("Name of the tournament").fill("Guest Open")
    form.get_by_label(re.compile("^Public")).check()
    user.button("Create the tournament").click()
    expect(user.page.get_by_role("alert")).to_be_visible()


def test_a_cancelled_tournament_says_why(guest: Guests) -> None:
    organiser = guest()
    register(organiser, "Hasty")
    soon = organiser.page.evaluate("Date.now() + 1500")
    wish = {"name": "Empty Hall", "game": "taiji:size=4", "public": True, "starts_at": soon}
    made = call(organiser, "POST", "/api/tournaments", wish)
    organiser.open(f"/tournament/{made['id']}")
    expect(organiser.page.get_by_text("Cancelled: fewer than 2 players had entered.")).to_be_visible()
    organiser.open("/tournaments")
    organiser.page.get_by_label("Finished").check()
    row = organiser.page.get_by_role("listitem").filter(has_text="Empty Hall")
    expect(row.first).to_contain_text("cancelled")


def test_leaders_are_one_tap_from_the_front_page(user: PageUser) -> None:
    user.open("/")
    user.page.get_by_role("contentinfo").get_by_role("link", name="Ratings").click()
    expect(user.page.get_by_role("heading", name="Ratings", exact=True)).to_be_visible()


def test_ratings_that_cannot_be_read_are_not_called_empty(user: PageUser) -> None:
    user.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    user.open("/tournaments")
    link = user.page.get_by_role("main").get_by_role("link", name="Ratings")
    expect(link).to_be_visible()
    user.context.set_offline(True)
    link.click()
    expect(user.page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    expect(user.page.get_by_text("No rated players yet.")).to_have_count(0)
