"""Without a network: whole games against the computer, review, reload; and an engine that fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from taiji.analysis.puzzles import Attempt, load_set
from tests.server.running import Running
from tests.web.browser import LOST_CONNECTION, Mirror, PageUser, visiting
from tests.web.quick import place

GAMES = ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
TITLES = {
    "taiji": "TAIJI",
    "tailits": "TAILITS",
    "battle-of-lits": "Battle of LITS",
    "tailits+taiji": "TAILITS+TAIJI",
    "taiji+battle-of-lits": "TAIJI+Battle of LITS",
}
CACHED = """async () => (await caches.keys()).some((name) => name.startsWith('app-'))
    && (await (await caches.open('definitions-1')).keys()).length > 16"""


def start(user: PageUser, game: str, level: int = 3) -> Mirror:
    """Start a game as Light with the form that the first page leads to."""
    user.page.get_by_role("link", name="Play", exact=True).click()
    user.page.get_by_role("link", name="New game…", exact=True).first.click()
    form = user.page.get_by_role("form", name="New game")
    form.get_by_text(TITLES[game], exact=True).click()
    form.get_by_text("Light", exact=True).click()
    form.get_by_role("slider").fill(str(level))
    form.get_by_role("button", name="Play the computer").click()
    expect(user.page).to_have_url(re.compile("/local/"))
    user.wait_for_turn()
    return Mirror(game)


def turn(user: PageUser, mirror: Mirror) -> None:
    """Make a move and wait for what the computer answers, or for the end."""
    mirror.follow(user.moves())
    place(user, mirror.state, mirror.choose())
    expect(user.page.locator(".surface.active, .result")).to_be_visible()
    mirror.follow(user.moves())


def play_out(user: PageUser, mirror: Mirror) -> None:
    while not mirror.state.is_over:
        turn(user, mirror)
    outcome = mirror.state.outcome()
    assert outcome is not None
    words = "You won!" if outcome.winner == 0 else "You lost" if outcome.winner == 1 else "A draw"
    expect(user.page.get_by_role("heading", name=words)).to_be_visible()
    points = [f"{points:g}" for points in mirror.state.scores()]
    expect(user.page.locator(".points")).to_have_text(points[::-1])


def review(user: PageUser) -> None:
    """Review the game that was played; after a reload the review is still there."""
    page = user.page
    page.locator(".result").get_by_role("link", name="Review", exact=True).click()
    page.get_by_label("Depth").select_option("quick")
    user.button("Start the review").click()
    expect(user.button("Review again")).to_be_visible()
    page.reload()
    expect(user.button("Review again")).to_be_visible()


def solve_puzzle(user: PageUser, name: str) -> None:
    """Open a puzzle that was never opened before, and solve it."""
    puzzle = min(load_set(name), key=lambda puzzle: len(puzzle.solution))
    user.page.goto(f"/puzzles/{name}/{puzzle.id}")
    attempt = Attempt(puzzle)
    while not attempt.is_solved:
        user.wait_for_turn()
        user.place(attempt.state, attempt.next_move)
        attempt.try_move(attempt.next_move)
    expect(user.page.locator(".task [role=status]")).to_contain_text("solved")


@pytest.mark.slow
def test_load_once_then_play_every_game_without_the_server(browser: Browser, tmp_path: Path) -> None:
    """One visit, then the server stops: whole games against level 3, a reload, a review, puzzles."""
    site = Running(f"sqlite:///{tmp_path / 'games.sqlite'}", "--engines=1")
    with visiting(browser, site.url, service_workers="allow") as user:
        user.open("/")
        user.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        user.page.wait_for_function(CACHED)
        assert site.stop() == 0
        user.expected += LOST_CONNECTION
        user.page.reload()
        for game in GAMES:
            mirror = start(user, game)
            turn(user, mirror)
            user.page.reload()
            user.expect_moves(mirror.plies)
            user.wait_for_turn()
            play_out(user, mirror)
            if game == "battle-of-lits":
                review(user)
        user.page.get_by_role("link", name="Games", exact=True).click()
        expect(user.page.get_by_role("listitem").filter(has_text="Computer, level 3")).to_have_count(5)
        solve_puzzle(user, "taiji-9")
        solve_puzzle(user, "tailits+taiji")


COUNT_WORKERS = """
    window.workers = 0;
    window.deaths = 0;
    window.Worker = class extends Worker {
        constructor(...given) { super(...given); window.workers += 1; }
        postMessage(message, ...more) {
            if (message.request?.op !== 'think' || !window.deaths) return super.postMessage(message, ...more);
            window.deaths -= 1;
            this.terminate();
            setTimeout(() => this.dispatchEvent(new ErrorEvent('error', {message: 'killed'})));
        }
    };
"""


def begin(user: PageUser, level: int = 1) -> Mirror:
    user.open("/")
    return start(user, "taiji", level)


def test_a_worker_that_dies_is_started_again(user: PageUser) -> None:
    user.context.add_init_script(COUNT_WORKERS)
    mirror = begin(user)
    user.page.evaluate("window.deaths = 1")
    turn(user, mirror)
    user.expect_moves(2)
    notices = user.page.locator(".notices p")
    expect(notices).to_have_text(re.compile("stopped and was started again"))
    notices.get_by_role("button", name="Close").click()
    user.page.evaluate("window.deaths = 1")
    turn(user, mirror)
    user.expect_moves(4)
    expect(notices).to_have_count(0)
    assert user.page.evaluate("window.workers") == 3


def test_without_any_engine_nothing_is_lost(user: PageUser) -> None:
    user.context.add_init_script(COUNT_WORKERS)
    user.page.route("**/api/analyse", lambda route: route.abort())
    user.expected += ["ERR_FAILED"]
    mirror = begin(user)
    user.page.evaluate("window.deaths = 100")
    place(user, mirror.state, mirror.choose())
    expect(user.page.get_by_role("alert")).to_contain_text("cannot answer. The game is kept")
    user.expect_moves(1)
    user.page.reload()
    user.expect_moves(2)
    user.wait_for_turn()


def test_the_server_thinks_for_a_page_whose_engine_fails(user: PageUser) -> None:
    user.context.add_init_script(COUNT_WORKERS)
    mirror = begin(user)
    user.page.evaluate("window.deaths = 100")
    turn(user, mirror)
    user.expect_moves(2)


def test_without_webassembly_the_server_plays(user: PageUser) -> None:
    user.context.add_init_script("delete window.WebAssembly")
    user.open("/")
    user.button("Play now").click()
    expect(user.page).to_have_url(re.compile("/game/"))
    user.wait_for_turn()


def test_a_net_that_does_not_load(user: PageUser) -> None:
    user.page.route("**/*.net", lambda route: route.abort())
    user.expected += ["ERR_FAILED"]
    mirror = begin(user, level=10)
    turn(user, mirror)
    user.expect_moves(2)
    expect(user.page.locator(".notices p")).to_have_text(re.compile("A net could not be loaded"))
    turn(user, mirror)
    expect(user.page.locator(".notices p")).to_have_count(1)


@pytest.mark.parametrize("lack", ["WebAssembly.validate = () => false", "delete self.DecompressionStream"])
def test_without_simd_or_decompression_the_strongest_level_plays_and_says_so(
    user: PageUser, lack: str
) -> None:
    def remove(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{lack};{answer.text()}")

    user.page.route("**/assets/worker-*.js", remove)
    nets: list[str] = []
    user.page.on("request", lambda request: request.url.endswith(".net") and nets.append(request.url))
    mirror = begin(user, level=10)
    turn(user, mirror)
    user.expect_moves(2)
    expect(user.page.locator(".notices p")).to_have_text(re.compile("This browser cannot run nets"))
    turn(user, mirror)
    expect(user.page.locator(".notices p")).to_have_count(1)
    assert nets == []
