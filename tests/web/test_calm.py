"""Playing against the computer: nothing moves between turns, and axe finds nothing."""

from __future__ import annotations

import pytest

from tests.web.browser import Mirror, PageUser
from tests.web.conftest import Guests
from tests.web.places import new_table
from tests.web.test_accessibility import findings

MAX_SHIFT = 0.05
SHIFTS = """() => {
    window.shifts = 0;
    const add = ({hadRecentInput, value}) => { if (!hadRecentInput) window.shifts += value; };
    new PerformanceObserver(list => list.getEntries().forEach(add)).observe({type: 'layout-shift'});
}"""
PLACES = """() => [...document.querySelectorAll('.surface, .strip, .actions button, .kind, .hand .controls')]
    .map(one => one.getBoundingClientRect()).map(({x, y, width, height}) => [x, y, width, height])"""


def start(user: PageUser, game: str) -> Mirror:
    user.open(new_table(user, game=game, opponent="computer", level=1, colour="light"))
    user.wait_for_turn()
    return Mirror(game)


def turn(user: PageUser, mirror: Mirror) -> None:
    """Make a move and wait for the answer."""
    mirror.follow(user.moves())
    user.place(mirror.state, mirror.choose())
    user.expect_moves(mirror.plies + 2)
    user.wait_for_turn()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390), (1280, 800)])
def test_nothing_moves_between_turns(guest: Guests, width: int, height: int) -> None:
    user = guest(viewport={"width": width, "height": height})
    for game in ("taiji", "tailits"):
        mirror = start(user, game)
        skip = user.button("Skip")
        if skip.count():
            skip.click()
        turn(user, mirror)
        user.page.evaluate(SHIFTS)
        before = user.page.evaluate(PLACES)
        for _ in range(2):
            turn(user, mirror)
            assert user.page.evaluate(PLACES) == before, game
        assert user.page.evaluate("window.shifts") <= MAX_SHIFT, game
        assert not findings(user, "light", width)
