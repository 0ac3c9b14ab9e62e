"""Two to four people: one tap to play, the front page of a player, games to watch, pages, following."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.server.running import Running
from tests.waiting import best_time, slowdown, wait_until
from tests.web.browser import PageUser, visiting
from tests.web.conftest import Guests
from tests.web.people_places import PASSWORD, Player, call, new_name

MAX_BYTES = 100_000
FIRST_SCRIPTS_BYTES = 80_000
"""The scripts that every page needs; what comes beside them is limited."""
MAX_INTERACTIVE_MS = 1000


def sign_up(user: PageUser, name: str) -> str:
    """Create an account for the user of a page."""
    chosen = new_name(name)
    made = call(user, "POST", "/api/account", {"name": chosen, "password": PASSWORD})
    assert made["account"]["name"] == chosen, made
    return chosen


def preset(user: PageUser, text: str = "TAIJI 11×11 10+5") -> None:
    user.page.get_by_role("button", name=re.compile(f"^{re.escape(text)}")).click()


def test_one_tap_pairs_two_people(guest: Guests) -> None:
    ana, bo, cy = guest(), guest(), guest()
    for user in (ana, bo, cy):
        user.open("/")
    preset(ana)
    expect(ana.page.get_by_role("heading", name="Your challenge is open")).to_be_visible()
    expect(bo.page.get_by_text("1 waiting")).to_be_visible()
    preset(bo)
    expect(bo.page).to_have_url(ana.page.url)
    for user in (ana, bo):
        expect(user.button("Abort")).to_be_visible()
    # The third waits, and thinks better of it.
    preset(cy)
    expect(cy.page).not_to_have_url(ana.page.url)
    cy.button("Cancel the invitation").click()
    expect(cy.page.get_by_role("heading", name="Aborted")).to_be_visible()


def test_a_player_sees_the_own_games_first(guest: Guests) -> None:
    user = guest()
    rival = Player(user.url, "Rival")
    days = {"clock_type": "correspondence", "days": 3}
    mine: dict[str, str] = {}
    for game, clock in (("taiji:size=5", days), ("taiji:size=7", None), ("taiji", days)):
        mine[game] = rival.challenge(game, clock=clock)
        call(user, "POST", f"/api/tables/{mine[game]}/join")
    rival.act(mine["taiji:size=7"], "move", ply=0, move="a1/a2")
    user.open("/")
    cards = user.page.locator("section", has=user.page.get_by_role("heading", name="Your games")).locator(
        "li"
    )
    expect(cards).to_have_count(3)
    expect(cards.first).to_contain_text("TAIJI 7×7")
    expect(cards.first).to_contain_text("your turn")
    expect(cards.nth(1)).to_contain_text("their turn")
    expect(cards.nth(1)).to_contain_text(re.compile(r"[23]d"))  # the time left
    expect(cards.first.locator(".thumbnail path.light")).to_have_count(1)
    # Without a reload: the game with a clock is more urgent than the one without.
    rival.act(mine["taiji"], "move", ply=0, move="a1/a2")
    expect(cards.first).to_contain_text("TAIJI 9×9")
    expect(user.page.get_by_text("Your turn in 2 games")).to_be_visible()
    cards.first.get_by_role("link", name=rival.name).click()
    expect(user.page.get_by_role("heading", name=rival.name)).to_be_visible()


def test_games_to_watch_and_results(guest: Guests) -> None:
    user = guest()
    ana, bo = Player(user.url, "Ana"), Player(user.url, "Bo", bot=True)
    live = ana.meet(bo, "taiji:size=7", 4)
    practice = call(user, "POST", "/api/tables", {"game": "taiji:size=7", "opponent": "computer", "level": 1})
    user.open("/watch")
    card = user.page.locator("li", has=user.page.locator(f"a.board[href='/game/{live}']"))
    expect(card).to_contain_text(ana.name)
    expect(card.locator(".bot")).to_be_visible()
    expect(user.page.locator(f"a[href='/game/{practice['id']}']")).to_have_count(0)
    user.open("/")
    board = user.page.locator("section", has=user.page.get_by_role("heading", name="Live now"))
    pieces = board.locator("path.new").first
    expect(pieces).to_be_attached()
    bo.act(live, "resign")
    results = user.page.locator("section", has=user.page.get_by_role("heading", name="Latest results"))
    expect(results.get_by_role("link", name=ana.name).first).to_be_visible()
    user.open("/watch")
    expect(results.get_by_role("link", name=ana.name).first).to_be_visible()
    expect(card).to_have_count(0)


def test_follow_challenge_watch_and_rematch(guest: Guests) -> None:
    ana, bo = guest(), guest()
    name = sign_up(bo, "Bo")
    mine = sign_up(ana, "Ana")
    ana.open(f"/player/{name}")
    ana.button("Follow").click()
    expect(ana.button("Unfollow")).to_be_visible()
    bo.open("/")
    ana.open("/")
    followed = ana.page.locator("section", has=ana.page.get_by_role("heading", name="People you follow"))
    followed.get_by_role("link", name=name).click()
    expect(ana.page.get_by_text("online", exact=True)).to_be_visible()
    # A challenge from the page, which the other accepts on the front page.
    ana.page.get_by_role("link", name="Challenge", exact=True).click()
    form = ana.page.get_by_role("form", name="New game")
    expect(form.get_by_label("Challenge a player")).to_have_value(name)
    expect(form.get_by_text("Only this player can accept your challenge.")).to_be_visible()
    form.get_by_label(re.compile("match", re.IGNORECASE)).set_checked(False)
    form.get_by_role("button", name="Create the challenge").click()
    expect(ana.page.get_by_text("Only the player you challenged can accept it.")).to_be_visible()
    bo.button("Accept").click()
    expect(bo.page).to_have_url(re.compile(r"/game/\w+"))
    table = bo.page.url.rpartition("/")[2]
    expect(bo.page.locator(".strip").get_by_role("link", name=mine)).to_be_visible()
    visitor = guest()
    visitor.open(f"/player/{name}")
    visitor.page.get_by_role("main").get_by_role("link", name="Watch", exact=True).click()
    expect(visitor.page).to_have_url(re.compile(table))
    call(bo, "POST", f"/api/tables/{table}/resign", {"id": "r"})
    expect(ana.page.get_by_role("heading", name="You won!")).to_be_visible()
    ana.open(f"/player/{name}")
    row = ana.page.get_by_role("row", name=re.compile(mine))
    expect(row.get_by_role("cell")).to_have_text([mine, "0", "0", "1"])
    ana.page.get_by_role("button", name=re.compile("^Rematch")).click()
    expect(ana.page).to_have_url(re.compile(r"/game/\w+"))
    bo.open("/")
    expect(bo.button("Accept")).to_be_visible()


def test_a_player_is_blocked_and_reported_from_the_page(guest: Guests) -> None:
    """The blocked player follows and taps as ever, but the two do not meet."""
    ana, bo = guest(), guest()
    names = {ana: sign_up(ana, "Ana"), bo: sign_up(bo, "Bo")}
    ana.open(f"/player/{names[bo]}")
    ana.page.get_by_role("button", name=f"Report {names[bo]}").click()
    ana.page.get_by_label("Reason").select_option("name")
    ana.button("Send the report").click()
    expect(ana.page.get_by_text("The operators will read it.")).to_be_visible()
    ana.page.get_by_role("button", name=f"Block {names[bo]}").click()
    expect(ana.page.get_by_text(f"You have blocked {names[bo]}.")).to_be_visible()
    ana.page.reload()
    expect(ana.page.get_by_text(f"You have blocked {names[bo]}.")).to_be_visible()
    offers = ana.page.locator("header .actions")
    expect(offers).to_have_text(f"Unblock {names[bo]}")
    bo.open(f"/player/{names[ana]}")
    bo.button("Follow").click()
    bo.page.reload()  # a change is made although the page is left at once
    wait_until(lambda: call(bo, "GET", "/api/following")["following"], "nobody is followed")
    bo.open(f"/player/{names[ana]}")
    expect(bo.button("Unfollow")).to_be_visible()
    for user in (ana, bo):
        user.open("/")
        preset(user, "TAIJI 7×7 3+2")
        expect(user.page.get_by_role("heading", name="Your challenge is open")).to_be_visible()
    assert ana.page.url != bo.page.url
    for user in (ana, bo):
        user.button("Cancel the invitation").click()
        expect(user.page.get_by_role("heading", name="Aborted")).to_be_visible()
    ana.open(f"/player/{names[bo]}")
    offers.get_by_role("button").click()
    expect(ana.button("Follow")).to_be_visible()
    expect(offers.get_by_role("link", name="Challenge")).to_be_visible()


def test_pages_of_many_games(user: PageUser) -> None:
    ana, bo = Player(user.url, "Ana"), Player(user.url, "Bo")
    for _ in range(26):
        bo.act(ana.meet(bo, "taiji:size=3", 1), "resign")
    user.open(f"/player/{ana.name}")
    cards = user.page.locator("section", has=user.page.get_by_role("heading", name="Games", exact=True))
    expect(cards.locator("li")).to_have_count(24)
    user.button("Older games").click()
    expect(cards.locator("li")).to_have_count(26)
    user.expected.append("404")
    user.open("/player/nobody-of-this-name")
    expect(user.page.get_by_role("heading", name="Page not found")).to_be_visible()


def test_links_of_earlier_versions_open_the_form(user: PageUser) -> None:
    user.open("/?mode=computer&game=taiji:size=7&level=5&colour=dark&clock=fischer-300-5")
    expect(user.page).to_have_url(re.compile(r"/new\?mode=computer"))
    form = user.page.get_by_role("form", name="New game")
    expect(form.get_by_label("Minutes")).to_have_value("5")
    expect(form.get_by_role("slider")).to_have_value("5")


def test_the_menu_reaches_everything_on_a_phone(guest: Guests) -> None:
    user = guest(viewport={"width": 360, "height": 640}, has_touch=True)
    user.open("/")
    screens = {
        "Tournaments": "/tournaments", "Games": "/games", "Review": "/review", "Ratings": "/ratings",
        "Watch": "/watch", "New game": "/new", "Settings": "/settings", "Account": "/account",
    }  # fmt: skip
    for name, path in screens.items():
        user.page.locator("summary[aria-label=Menu]").tap()
        menu = user.page.get_by_role("navigation", name="Menu")
        menu.get_by_role("link", name=name, exact=True).tap()
        expect(user.page).to_have_url(re.compile(f"{path}$"))
        expect(menu).to_be_hidden()
    user.page.locator("summary[aria-label=Menu]").tap()
    expect(user.page.get_by_role("navigation", name="Menu")).to_be_visible()
    user.page.keyboard.press("Escape")
    expect(user.page.get_by_role("navigation", name="Menu")).to_be_hidden()


def test_the_puzzle_rating_goes_with_the_account(guest: Guests) -> None:
    home, phone, visitor = guest(), guest(), guest()
    name = sign_up(home, "Puzzler")
    tried = {f"p{number}": True for number in range(30)}
    home.open("/api/live")  # of this site, and nearly empty
    known = {"rating": 1456, "tried": tried, "run": 3, "streak": 2, "lastDay": 300}
    home.page.evaluate("known => localStorage.setItem('taiji.puzzles', JSON.stringify(known))", known)
    home.open("/puzzles")
    visitor.open(f"/player/{name}")
    expect(visitor.page.get_by_role("heading", name=name)).to_be_visible()
    expect(visitor.page.get_by_text("Puzzle rating")).to_have_count(0)
    home.page.get_by_label("Show my puzzle rating on my page").check()
    answer = call(phone, "POST", "/api/session", {"name": name, "password": PASSWORD})
    assert answer["account"]["name"] == name
    phone.open("/puzzles")
    expect(phone.page.get_by_text("Your rating: 1456")).to_be_visible()
    expect(phone.page.get_by_label("Show my puzzle rating on my page")).to_be_checked()
    visitor.page.reload()
    expect(visitor.page.get_by_text("Puzzle rating 1456 after 30 puzzles")).to_be_visible()


@pytest.fixture
def alone(browser: Browser, tmp_path: Path) -> Iterator[PageUser]:
    """A user of a server without the games of other tests."""
    site = Running(f"sqlite:///{tmp_path / 'games.sqlite'}", "--engines=0")
    with visiting(browser, site.url) as user:
        yield user
    assert site.stop() == 0


def test_thirty_games_are_light_and_quick(alone: PageUser) -> None:
    user = alone
    user.open("/settings")
    rival = Player(user.url, "Rival")
    for number in range(30):
        table = rival.challenge("taiji" if number % 2 else "tailits")
        call(user, "POST", f"/api/tables/{table}/join")
    user.page.evaluate("localStorage.setItem('taiji.returning', 'true')")  # as after the first game
    bytes_by_url: dict[str, int] = {}

    def measure(response: Response) -> None:
        length = response.headers.get("content-length")
        bytes_by_url[response.url] = int(length) if length else len(response.body())

    frames: list[int] = []
    user.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(len(data)))
    )
    user.page.on("response", measure)
    user.open("/")
    expect(user.page.get_by_role("button", name="Show all 30 games")).to_be_visible()
    user.page.wait_for_load_state("networkidle")
    scripts = sum(size for url, size in bytes_by_url.items() if url.endswith(".js"))
    others = sum(bytes_by_url.values()) - scripts + sum(frames[:1])
    assert others + max(0, scripts - FIRST_SCRIPTS_BYTES) <= MAX_BYTES, (bytes_by_url, frames)
    assert all(url.startswith(user.url) for url in bytes_by_url)
    limit = MAX_INTERACTIVE_MS * slowdown()
    assert best_time(lambda: _interactive_ms(user.page), limit, attempts=3) < limit


def _interactive_ms(page: Page) -> float:
    page.goto("/")
    expect(page.get_by_role("button", name="Show all 30 games")).to_be_visible()
    return float(page.evaluate("performance.getEntriesByName('interactive')[0].startTime"))
