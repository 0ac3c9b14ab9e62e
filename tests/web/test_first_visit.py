"""A first visitor plays within ten seconds."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from tests.waiting import best_time, slowdown
from tests.web.browser import Mirror, PageUser
from tests.web.conftest import Guests
from tests.web.test_calm import MAX_SHIFT


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
    user.expect_moves(mirror.plies + 2)
    passed = time.monotonic() - began
    user.wait_for_turn()  # the computer has answered
    assert len(user.moves()) == mirror.plies + 2
    expect(user.page.get_by_text("Computer, level 2")).to_be_visible()
    return passed


def test_the_first_game_is_coached(user: PageUser) -> None:
    user.open("/")
    user.button("Play now").click()
    user.wait_for_turn()
    coach = user.page.locator(".coach")
    expect(coach).to_contain_text("Choose a square for your half, then one beside it")
    expect(user.page.locator(".ghost.hint")).to_be_visible()
    mirror = Mirror("taiji:size=7")
    for note in ("Only your largest group counts: 1, outlined.", "A group grows only into free squares"):
        mirror.follow(user.moves())
        user.place(mirror.state, mirror.choose())
        user.expect_moves(mirror.plies + 2)
        user.wait_for_turn()
        expect(coach).to_contain_text(note.replace("1", str(_points(mirror, user))))
    user.button("Hint").click()
    hint = user.page.get_by_role("status").filter(has_text="Try the marked move")
    expect(hint).to_be_visible()
    assert "%" not in hint.inner_text()
    user.button("Close").click()
    coach.get_by_role("button", name="Skip").click()
    expect(coach).to_have_count(0)
    user.page.reload()
    user.wait_for_turn()
    expect(coach).to_have_count(0)


def _points(mirror: Mirror, user: PageUser) -> int:
    """Return the points of the user, who is to move."""
    mirror.follow(user.moves())
    return int(mirror.state.scores().of(mirror.state.seat_to_move))


SHIFT = """() => new Promise(resolve => {
    let shift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(({value}) => (shift += value)))
        .observe({type: 'layout-shift', buffered: true});
    document.fonts.ready.then(() => requestAnimationFrame(() => setTimeout(() => resolve(shift), 300)));
})"""


def test_nothing_moves_while_the_first_page_loads(guest: Guests) -> None:
    for width, height in ((360, 640), (768, 1024), (1280, 800)):
        user = guest(viewport={"width": width, "height": height})
        user.open("/")
        expect(user.page.locator(".columns")).to_be_visible()
        user.page.wait_for_load_state("networkidle")
        assert user.page.evaluate(SHIFT) <= MAX_SHIFT, (width, height)


def test_page_not_found(user: PageUser) -> None:
    user.expected.append("404")
    response = user.page.goto("/no/such/page")
    assert response is not None
    assert response.status == 404
    expect(user.page.get_by_role("heading", name="Page not found")).to_be_visible()
    user.expected.append("WebSocket")
    user.open("/game/nosuchtable1")
    expect(user.page.get_by_role("heading", name="Page not found")).to_be_visible()
