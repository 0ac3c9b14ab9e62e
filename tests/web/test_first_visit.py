"""A first visitor plays within ten seconds."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from tests.web.browser import Mirror, Person, slowdown


def test_one_button_and_two_clicks(person: Person) -> None:
    began = time.monotonic()
    person.open("/")
    person.button("Play now").click()
    person.wait_for_turn()
    mirror = Mirror("taiji:size=7")
    mirror.follow(person.moves())
    person.lay(mirror.state, mirror.choose())
    person.expect_moves(mirror.plies + 1)
    assert time.monotonic() - began < 10 * slowdown()
    person.wait_for_turn()  # the computer has answered
    assert len(person.moves()) == mirror.plies + 2
    expect(person.page.get_by_text("Computer, level 2")).to_be_visible()


def test_the_first_page_is_there_at_once(person: Person) -> None:
    person.open("/")  # fills the caches of the server
    person.page.goto("about:blank")
    person.open("/")
    expect(person.button("Play now")).to_be_enabled()
    milliseconds = person.page.evaluate("performance.getEntriesByName('interactive')[0].startTime")
    assert milliseconds < 3000 * slowdown()


def test_page_not_found(person: Person) -> None:
    person.open("/no/such/page")
    expect(person.page.get_by_role("heading", name="Page not found")).to_be_visible()
    person.expected.append("404")
    person.expected.append("WebSocket")
    person.open("/game/nosuchtable1")
    expect(person.page.get_by_role("heading", name="Page not found")).to_be_visible()
