"""Playing against the computer: nothing moves between turns, no task is long, and axe finds nothing."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser

from tests.server.running import Running
from tests.web.browser import Mirror, PageUser, visiting
from tests.web.conftest import Guests
from tests.web.places import new_table
from tests.web.test_accessibility import findings

MAX_SHIFT = 0.05
MAX_TASK_MS = 50
THROTTLING = 4
CATEGORIES = ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline"]
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


def test_nothing_moves_between_turns(guest: Guests) -> None:
    for width, height in ((360, 640), (844, 390), (1280, 800)):
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
                assert user.page.evaluate(PLACES) == before, (width, game)
            assert user.page.evaluate("window.shifts") <= MAX_SHIFT, (width, game)
            assert not findings(user, "light", width)


def tasks(trace: bytes) -> list[float]:
    """Return the processor time in ms of every task of a page's main thread, longest first."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    found = (event for event in events if event["name"] == "RunTask" and "tdur" in event)
    times = (event["tdur"] / 1000 for event in found if (event["pid"], event["tid"]) in main)
    return sorted(times, reverse=True)


def test_no_task_is_long(browser: Browser, site: Running) -> None:
    """Count processor time instead of slowing the page down: it does not depend on other work."""
    with visiting(browser, site.url) as user:
        mirror = start(user, "tailits+taiji")
        turn(user, mirror)
        browser.start_tracing(page=user.page, categories=CATEGORIES)
        for _ in range(3):
            turn(user, mirror)
        longest = tasks(browser.stop_tracing())
    assert longest
    assert longest[0] * THROTTLING <= MAX_TASK_MS, longest[:10]
