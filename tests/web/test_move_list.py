"""Lists of moves that scroll: the move that the board shows is always in sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.server.running import Running, Visitor
from tests.web.browser import Mirror, PageUser
from tests.web.people_places import play

GAME = "taiji:size=11"
PLIES = 46
IN_SIGHT = """() => {
    const entry = document.querySelector('.moves [aria-current=step], .moves [data-current]');
    const list = document.querySelector('.moves');
    if (!entry || list.scrollHeight <= list.clientHeight) return false;
    const [inner, outer] = [entry, list].map((element) => element.getBoundingClientRect());
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
}"""


def expect_current_in_sight(user: PageUser) -> None:
    """Step back, and look at some of the moves."""
    user.expect_moves(PLIES)
    for _ in range(3):
        for _ in range(6):
            user.button("Previous move").click()
        user.page.wait_for_function(IN_SIGHT)


@pytest.mark.parametrize(("width", "height"), [(1280, 640), (844, 390)])
def test_in_a_game(user: PageUser, site: Running, width: int, height: int) -> None:
    ada, bob = Visitor(site.url), Visitor(site.url)
    table = ada.table(game=GAME, opponent="open", colour="light", match=False)["id"]
    bob.post(f"/api/tables/{table}/join")
    play((ada, bob), table, GAME, PLIES)
    user.page.set_viewport_size({"width": width, "height": height})
    user.open(f"/game/{table}")
    user.page.wait_for_function(IN_SIGHT)
    expect_current_in_sight(user)


def test_on_the_analysis_board(user: PageUser) -> None:
    mirror = Mirror(GAME, seed=4)
    actions = []
    while mirror.plies < PLIES:
        move = mirror.choose()
        actions.append(str(move.action))
        mirror.play(move)
    user.page.set_viewport_size({"width": 1280, "height": 640})
    user.open(f"/analysis?game={GAME}&moves={'.'.join(actions)}")
    expect(user.surface).to_be_visible()
    # The lines of a tree are short: only many of them scroll.
    user.page.locator(".moves").evaluate("list => { list.style.maxHeight = '3rem'; }")
    user.button("Go to latest position").click()
    expect_current_in_sight(user)
