"""A first visitor plays within ten seconds."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from tests.waiting import best_time, slowdown
from tests.web.browser import Mirror, PageUser
from tests.web.conftest import Guests


def test_one_button_and_two_clicks(guest: Guests) -> None:
    limit_s = 10 * slowdown()
    assert best_time(lambda: _first_visit(guest()), limit_s, attempts=3) < limit_s


def _first_visit(user: PageUser) -> float:
    """Return the seconds until the visitor's first move stands on the board."""
    began = time.monotonic()
    user.open("/")
    user.button("Play now").click()
    user.wait_for_turn()
    mirror = Mirror("taiji:size=7")
    mirror.follow(user.moves())
    user.place(mirror.state, mirror.choose())
    user.expect_moves(mirror.plies + 1)
    passed = time.monotonic() - began
    user.wait_for_turn()  # the computer has answered
    assert len(user.moves()) == mirror.plies + 2
    expect(user.page.get_by_text("Computer, level 2")).to_be_visible()
    return passed


def test_the_first_page_is_there_at_once(user: PageUser) -> None:
    user.open("/")  # fills the caches of the server
    user.page.goto("about:blank")
    user.open("/")
    expect(user.button("Play now")).to_be_enabled()
    milliseconds = user.page.evaluate("performance.getEntriesByName('interactive')[0].startTime")
    assert milliseconds < 3000 * slowdown()


def test_page_not_found(user: PageUser) -> None:
    user.open("/no/such/page")
    expect(user.page.get_by_role("heading", name="Page not found")).to_be_visible()
    user.expected.append("404")
    user.expected.append("WebSocket")
    user.open("/game/nosuchtable1")
    expect(user.page.get_by_role("heading", name="Page not found")).to_be_visible()
