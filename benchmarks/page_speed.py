"""How quick the web app is in Chromium: the first page, the longest tasks and the engine.

`make page-speed`: with the processor throttled to a quarter, no task of the main thread may take more than
50 ms while somebody plays or steps through a game. Without throttling, the first page must answer within a
second, little may move as it loads, and the engine must be ready and a game reviewed in time.
"""

from __future__ import annotations

import json
import sys
import tempfile
from statistics import median
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Browser, expect, sync_playwright
from tests.server.running import Running
from tests.web.browser import CHROMIUM, FLAGS, Mirror, PageUser, visiting
from tests.web.engine import run_engine, think
from tests.web.game_places import hot_seat
from tests.web.screenshots import SIZES
from tests.web.test_calm import start, turn

from taiji.nets.net import bundled_nets
from taiji.rules import parse_game

MAX_TASK_MS = 50
MAX_INTERACTIVE_MS = 1000
MAX_SHIFT = 0.05
MAX_READY_MS = 150
MAX_REVIEW_S, MAX_FIRST_RESULT_S = 20, 1
REVIEWED_PLIES = 40
THROTTLING = 4
TURNS = 4
GAMES = ("taiji:size=11", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
STEPPED_GAME = "taiji:size=11"
CATEGORIES = ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline"]


def task_times(trace: bytes) -> list[float]:
    """Return the time in ms of every task of the page's main thread, longest first."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    found = (event for event in events if event["name"] == "RunTask" and "dur" in event)
    return sorted((e["dur"] / 1000 for e in found if (e["pid"], e["tid"]) in main), reverse=True)


def longest_tasks(browser: Browser, url: str, game: str) -> list[float]:
    """Play some turns against the computer with a slowed processor; return the times of the tasks."""
    with visiting(browser, url) as user:
        mirror = start(user, game)
        turn(user, mirror)
        client = user.context.new_cdp_session(user.page)
        client.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
        browser.start_tracing(page=user.page, categories=CATEGORIES)
        for _ in range(TURNS):
            turn(user, mirror)
        return task_times(browser.stop_tracing())


def whole_game(game: str, plies: int | None = None) -> list[str]:
    """Return the moves of a random game, at most `plies` of them."""
    mirror = Mirror(game)
    texts: list[str] = []
    while not mirror.state.is_over and len(texts) != plies:
        move = mirror.choose()
        texts.append(str(move))
        mirror.play(move)
    return texts


def record(game: str, texts: list[str]) -> str:
    """Return the record of a game."""
    return f'[Game "{game}"]\n\n{" ".join(texts)}\n'


def steps(user: PageUser, texts: list[str]) -> list[float]:
    """Step through all moves and back with a slowed processor; return the times of the tasks."""
    client = user.context.new_cdp_session(user.page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
    browser = user.context.browser
    assert browser is not None
    browser.start_tracing(page=user.page, categories=CATEGORIES)
    current = user.page.locator(".moves button[aria-current]")
    for key, order in (("ArrowRight", texts), ("ArrowLeft", texts[-2::-1])):
        for text in order:
            user.page.keyboard.press(key)
            expect(current).to_contain_text(text)
    return task_times(browser.stop_tracing())


def analysis_tasks(browser: Browser, url: str, game: str) -> list[float]:
    """Step through a game on the analysis board."""
    texts = whole_game(game)
    with visiting(browser, url) as user:
        user.open(f"/analysis#record={quote(record(game, texts))}")
        user.expect_moves(len(texts))
        user.button("Evaluation").click()  # off: its search would be counted, too
        return steps(user, texts)


def review_tasks(browser: Browser, url: str, game: str) -> list[float]:
    """Step through a game with its review, whose graph, marks and better moves are drawn."""
    texts = whole_game(game)
    with visiting(browser, url) as user:
        open_review(user, record(game, texts))
        user.page.get_by_label("Depth").select_option("quick")
        user.button("Start the review").click()
        expect(user.button("Review again")).to_be_visible(timeout=300_000)
        user.page.keyboard.press("Home")
        return steps(user, texts)


def open_review(user: PageUser, text: str) -> None:
    """Open a record on the page of reviews."""
    user.open("/review")
    user.page.get_by_label("or its text").fill(text)
    user.button("Open").click()
    expect(user.button("Start the review")).to_be_visible()


REVIEW_TIMES = """() => new Promise(resolve => {
    const button = words => [...document.getElementsByTagName('button')]
        .find(({textContent}) => textContent.trim() === words);
    const began = performance.now();
    let first = null;
    const look = () => {
        const passed = (performance.now() - began) / 1000;
        if (first === null && document.querySelector('figure path.win')) first = passed;
        if (button('Review again')) resolve([first, passed]);
        else setTimeout(look, 20);
    };
    button('Start the review').click();
    look();
})"""


def review_seconds(browser: Browser, url: str, game: str, *, local: bool) -> tuple[float, float]:
    """Review 40 plies in the page or on the server; return the seconds until the first and last result."""
    with visiting(browser, url) as user:
        if local:
            hot_seat(game, REVIEWED_PLIES)(user)
            user.page.wait_for_url("**/local/**")
            user.open(f"/review/local/{user.page.url.rpartition('/')[2]}")
            expect(user.button("Start the review")).to_be_visible()
        else:
            open_review(user, record(game, whole_game(game, REVIEWED_PLIES)))
        first, last = user.page.evaluate(REVIEW_TIMES)
        return float(first), float(last)


PAINTS = """() => new Promise(resolve => {
    let shift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(({value}) => (shift += value)))
        .observe({type: 'layout-shift', buffered: true});
    const time = name => performance.getEntriesByName(name)[0].startTime;
    const early = performance.getEntriesByType('resource').filter(({name, startTime}) =>
        /\\.(wasm|net)$/.test(name) && startTime < time('interactive')).length;
    setTimeout(() => resolve({
        interactive: time('interactive'), paint: time('first-contentful-paint'), shift, early}), 1000);
})"""


def first_page(browser: Browser, url: str, **settings: Any) -> dict[str, float]:
    """Return the times of the first page, how much moved, and the files of the engine that it waited for."""
    with visiting(browser, url, **settings) as user:
        user.open("/")
        expect(user.button("Play now")).to_be_enabled()
        found: dict[str, float] = user.page.evaluate(PAINTS)
        return found


IDLE = """async nets => {
    const kept = async () => (await (await caches.open('large-1')).keys()).length;
    while ((await kept()) < nets) await new Promise(resolve => setTimeout(resolve, 100));
}"""


def engine_ready_ms(browser: Browser, url: str, *, idle: bool) -> float:
    """Return the time from the first start of the engine's worker until it is ready.

    The browser is new, so that nothing is compiled yet. If `idle`, the page is drawn and the service worker
    has cached every file; else both happen at the same time.
    """
    fresh = browser.browser_type.launch(executable_path=CHROMIUM, args=list(FLAGS))
    with visiting(fresh, url, service_workers="allow") as user:
        user.open("/")
        if idle:
            user.page.evaluate(IDLE, len(bundled_nets()))
        job = think(parse_game("taiji:size=7").start(), "level:3", 1)
        ready = float(run_engine(user.page, [job])["readyMs"])
    fresh.close()
    return ready


class Report:
    """Prints figures and remembers whether one was over its limit."""

    def __init__(self) -> None:
        self.slow = False

    def add(self, text: str, worst: float, limit: float) -> None:
        """Print a line; it fails if `worst` is over the limit."""
        over = worst > limit
        self.slow |= over
        print(f"{text}{f'  over {limit:g}' if over else ''}", flush=True)

    def tasks(self, text: str, times: list[float]) -> None:
        """Print the longest tasks."""
        longest = ", ".join(f"{time:.1f}" for time in times[:4])
        self.add(f"{text}: longest tasks {longest} ms at {THROTTLING} x throttling", times[0], MAX_TASK_MS)


def measure(browser: Browser, url: str, report: Report) -> None:
    """Measure everything."""
    pages = [first_page(browser, url) for _ in range(3)]
    text = ", ".join(f"{page['interactive']:.0f}" for page in pages)
    paint = ", ".join(f"{page['paint']:.0f}" for page in pages)
    interactive = min(page["interactive"] for page in pages)
    report.add(
        f"first page: painted after {paint}, interactive after {text} ms", interactive, MAX_INTERACTIVE_MS
    )
    for width, height in SIZES:
        page = first_page(browser, url, viewport={"width": width, "height": height})
        report.add(
            f"first page at {width}x{height}: layout shift {page['shift']:.3f}", page["shift"], MAX_SHIFT
        )
        report.add(f"  files of the engine before it is interactive: {page['early']}", page["early"], 0)
    at_once = [engine_ready_ms(browser, url, idle=False) for _ in range(3)]
    idle = [engine_ready_ms(browser, url, idle=True) for _ in range(3)]
    text = ", ".join(f"{time:.0f}" for time in idle)
    hasty = ", ".join(f"{time:.0f}" for time in at_once)
    report.add(
        f"engine first ready after {text} ms; {hasty} ms while the page loads", median(idle), MAX_READY_MS
    )
    for game in GAMES:
        report.tasks(f"playing {game}", longest_tasks(browser, url, game))
    report.tasks(f"stepping through {STEPPED_GAME}", analysis_tasks(browser, url, STEPPED_GAME))
    report.tasks(f"stepping through the review of {STEPPED_GAME}", review_tasks(browser, url, STEPPED_GAME))
    for where in ("page", "server"):
        first, last = review_seconds(browser, url, STEPPED_GAME, local=where == "page")
        text = f"review of {REVIEWED_PLIES} plies in the {where}"
        report.add(f"{text}: first result after {first:.2f} s", first, MAX_FIRST_RESULT_S)
        report.add(f"{text}: all after {last:.1f} s", last, MAX_REVIEW_S)


def main() -> int:
    """Print the figures; return 1 if one is over its limit."""
    report = Report()
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Running(f"sqlite:///{home}/games.sqlite", "--engines=1")
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        measure(chromium, server.url, report)
        chromium.close()
        server.stop()
    return int(report.slow)


if __name__ == "__main__":
    sys.exit(main())
