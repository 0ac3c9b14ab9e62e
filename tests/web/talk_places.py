"""Screens of correspondence players: the agenda, notifications and the dialog of phrases."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.server.running import Visitor
from tests.web.browser import PageUser
from tests.web.people_places import call

DAYS = {"clock_type": "correspondence", "days": 3}


def against_visitor(user: PageUser, **request: object) -> tuple[str, Visitor]:
    """Create a game of the user against somebody elsewhere; return the table and the opponent."""
    wish = {"game": "taiji:size=7", "opponent": "link", "colour": "light", "match": False, "clock": DAYS}
    table = call(user, "POST", "/api/tables", {**wish, **request})
    other = Visitor(user.url)
    other.post("/api/join", {"secret": table["invite"].partition("#")[2]})
    return table["id"], other


def agenda(user: PageUser) -> None:
    for days in (1, 3, 3, 14):
        against_visitor(user, clock={"clock_type": "correspondence", "days": days})
    _, away = against_visitor(user, colour="dark")
    away.post("/api/vacation", {"days": 5}, 201)
    against_visitor(user, clock=None)
    user.open("/agenda")
    expect(user.page.get_by_role("link", name="guest")).to_have_count(6)


def notifications(user: PageUser) -> None:
    against_visitor(user)
    blocked, _ = against_visitor(user)
    call(user, "POST", "/api/blocks", {"table": blocked})
    user.open("/notifications")
    expect(user.page.get_by_role("link", name="Your turn against").first).to_be_visible()
    expect(user.page.get_by_role("heading", name="Blocked players")).to_be_visible()


def phrases(user: PageUser) -> None:
    table, other = against_visitor(user)
    user.open(f"/game/{table}")
    expect(user.surface).to_be_visible()  # connected: a phrase of before is only listed
    other.client.post(f"/api/tables/{table}/phrases", json={"id": "1", "phrase": "good-luck"})
    expect(user.page.locator(".phrase.shown")).to_have_text("Good luck!")
    user.button("Say").click()
    user.page.get_by_role("button", name="Report").click()
    expect(user.button("Send the report")).to_be_visible()


TALK_PLACES: dict[str, Callable[[PageUser], None]] = {
    "agenda": agenda,
    "notifications": notifications,
    "phrases": phrases,
}
