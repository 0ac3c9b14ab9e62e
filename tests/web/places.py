"""Every screen of the app, each with typical content."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import expect

from taiji.analysis.puzzles import Attempt, load_set
from tests.web.browser import Mirror, PageUser
from tests.web.game_places import GAME_PLACES, MORE_GAME_PLACES, hot_seat
from tests.web.people_places import PEOPLE_PLACES, call, new_name
from tests.web.quick import place
from tests.web.talk_places import TALK_PLACES
from tests.web.tournament_places import TOURNAMENT_PLACES


def new_table(user: PageUser, **request: object) -> str:
    """Create a table as the home page does, and return its path."""
    return f"/game/{call(user, 'POST', '/api/tables', request)['id']}"


def register(user: PageUser, name: str) -> None:
    """Create an account."""
    made = call(user, "POST", "/api/account", {"name": name, "password": "quite unusual words 17"})
    assert made["account"]["name"] == name, made


def sessions(user: PageUser) -> None:
    table = new_table(user, game="taiji:size=7", opponent="open").rpartition("/")[2]
    call(user, "POST", f"/api/tables/{table}/seat-link")
    user.open("/sessions")
    expect(user.page.locator("li a").first).to_be_visible()


def signed_in(user: PageUser) -> None:
    register(user, new_name("Ana"))
    user.open("/account")
    expect(user.page.get_by_role("heading", name="Signed in as")).to_be_visible()


def computer(user: PageUser, moves: int = 3) -> None:
    user.open(new_table(user, game="taiji", opponent="computer", level=1, colour="light"))
    mirror = Mirror("taiji")
    for _ in range(moves):
        user.wait_for_turn()
        mirror.follow(user.moves())
        user.place(mirror.state, mirror.choose())
        user.expect_moves(mirror.plies + 2)
    user.wait_for_turn()


def hint(user: PageUser) -> None:
    computer(user, 1)
    user.button("Hint").click()
    expect(user.page.locator(".ghost.hint")).to_be_visible()


def invitation(user: PageUser) -> None:
    clock = {"clock_type": "fischer", "main_s": 300, "increment_s": 5}
    user.open(new_table(user, game="tailits", opponent="link", clock=clock))
    expect(user.page.get_by_role("heading", name="Invite a friend")).to_be_visible()
    expect(user.page.get_by_alt_text("QR code of the link").first).to_be_visible()


def resigned(user: PageUser) -> None:
    computer(user, 1)
    user.button("Resign").click()
    user.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(user.page.get_by_role("heading", name="You lost")).to_be_visible()


def review(user: PageUser) -> None:
    game = "taiji:size=4"
    mirror = Mirror(game)
    texts = []
    while not mirror.state.is_over:
        move = mirror.choose()
        texts.append(str(move))
        mirror.play(move)
    user.open("/review")
    user.page.get_by_label("or its text").fill(f'[Game "{game}"]\n\n{" ".join(texts)}\n')
    user.button("Open").click()
    user.button("Start the review").click()
    expect(user.button("Review again")).to_be_visible(timeout=180_000)
    user.page.get_by_role("slider", name="Position").fill("5")


ANALYSED = """[Game "taiji:size=7"]

1. c3/c4! {takes the middle} 1... d4/d3 (1... e4/e3 2. b3/b4) 2. e5/e4 *"""


def analysis(user: PageUser) -> None:
    user.open(f"/analysis#record={quote(ANALYSED)}")
    expect(user.page.locator(".variation button")).to_have_count(2)
    user.page.keyboard.press("End")
    expect(user.page.locator(".ghost.hint")).to_be_visible()
    expect(user.page.locator(".engine [aria-live]")).not_to_be_empty()


def explorer(user: PageUser) -> None:
    user.open("/analysis?game=taiji:size=7")
    user.page.get_by_text("Opening explorer").click()
    expect(user.page.locator("aside details[open] li, aside details[open] tr").first).to_be_visible()


def editor(user: PageUser) -> None:
    user.open("/analysis?game=battle-of-lits")
    user.button("Set up position").click()
    expect(user.page.locator(".verdict")).to_be_visible()


def page(path: str, *, wait: str = "h1") -> Callable[[PageUser], None]:
    def show(user: PageUser) -> None:
        user.open(path)
        expect(user.page.locator(wait).first).to_be_visible()

    return show


def home(user: PageUser) -> None:
    user.open("/")
    user.page.locator(".picture").first.scroll_into_view_if_needed()  # pictures out of sight are not loaded
    expect(user.page.locator(".picture .surface").first).to_be_visible()


def puzzle_solved(user: PageUser) -> None:
    puzzle = min(load_set("battle-of-lits"), key=lambda puzzle: (len(puzzle.solution), puzzle.rating))
    user.open(f"/puzzles/battle-of-lits/{puzzle.id}")
    user.wait_for_turn()
    attempt = Attempt(puzzle)
    place(user, attempt.state, attempt.next_move)
    expect(user.page.locator(".message.solved")).to_be_visible()
    expect(user.page.get_by_role("link", name="Next puzzle")).to_be_visible()


def lesson_refused(user: PageUser) -> None:
    user.open("/learn/tailits")
    user.page.get_by_role("navigation", name="Lessons").get_by_role("button").nth(2).click()
    user.wait_for_turn()
    user.page.get_by_role("radio", name="L:").click()
    user.click("f4")
    expect(user.page.locator(".done")).to_be_visible()


def shortcuts(user: PageUser) -> None:
    hot_seat("tailits", 3)(user)
    user.page.keyboard.press("?")
    expect(user.page.get_by_role("dialog")).to_be_visible()


def offline(user: PageUser) -> None:
    user.open("/learn")
    expect(user.page.locator(".surface").first).to_be_visible()
    user.context.set_offline(True)
    user.page.get_by_role("link", name="Watch", exact=True).click()
    expect(user.page.get_by_role("alert")).to_be_visible()


PLACES: dict[str, Callable[[PageUser], None]] = {
    "home": home,
    "new": page("/new", wait="form"),
    **PEOPLE_PLACES,
    "computer": computer,
    "hint": hint,
    "invitation": invitation,
    "result": resigned,
    "review": review,
    "analysis": analysis,
    "editor": editor,
    "explorer": explorer,
    "studies": page("/studies", wait="svg[role=img]"),
    **GAME_PLACES,
    "learn": page("/learn"),
    "learn-taiji": page("/learn/taiji", wait=".surface"),
    "learn-tailits": page("/learn/tailits", wait=".surface"),
    "lesson-refused": lesson_refused,
    "puzzles": page("/puzzles", wait=".themes a"),
    "puzzle": page("/puzzles/taiji-9/taiji-1-1", wait=".surface.active"),
    "puzzle-solved": puzzle_solved,
    "puzzle-tailits": page("/puzzles/tailits", wait=".surface.active"),
    "review-open": page("/review"),
    "games": page("/games"),
    "settings": page("/settings", wait=".surface"),
    "account": page("/account", wait="form"),
    "signed-in": signed_in,
    "sessions": sessions,
    "not-found": page("/no/such/page"),
    "embed": page(f"/embed/?ply=1#record={quote(ANALYSED)}", wait=".surface"),
    **TALK_PLACES,
    **TOURNAMENT_PLACES,
}
"""The function that shows each screen, by name."""

ALL_PLACES: dict[str, Callable[[PageUser], None]] = {
    **PLACES,
    **MORE_GAME_PLACES,
    "daily": page("/puzzles/daily", wait=".surface.active"),
    "learn-battle-of-lits": page("/learn/battle-of-lits", wait=".surface"),
    "learn-tailits-taiji": page("/learn/tailits+taiji", wait=".surface"),
    "learn-taiji-battle-of-lits": page("/learn/taiji+battle-of-lits", wait=".surface"),
    "shortcuts": shortcuts,
    "offline": offline,
}
"""With the screens that differ less from others."""


def visit(user: PageUser, name: str) -> None:
    """Show a screen and wait until it has loaded."""
    ALL_PLACES[name](user)
    user.page.wait_for_load_state("networkidle")
