"""Every screen of the app, each with typical content."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.web.browser import Mirror, PageUser
from tests.web.tournament_places import TOURNAMENT_PLACES


def random_actions(game: str, plies: int, seed: int = 3) -> list[int]:
    """Return the actions of a random game."""
    mirror = Mirror(game, seed)
    played = []
    while len(played) < plies and not mirror.state.is_over:
        move = mirror.choose()
        played.append(move.action)
        mirror.play(move)
    return played


def hot_seat(game: str, plies: int, hover: str | None = None) -> Callable[[PageUser], None]:
    """Return what shows a game on the same device after `plies` random moves."""

    def show(user: PageUser) -> None:
        saved = {
            "game": game,
            "moves": random_actions(game, plies),
            "match": False,
            "games": [],
            "resigned": None,
        }
        user.open("/settings")
        user.page.evaluate("text => localStorage.setItem('taiji.one-screen', text)", json.dumps(saved))
        user.open("/one-screen")
        expect(user.surface).to_be_visible()
        if hover:
            user.hover(hover)

    return show


def call(user: PageUser, method: str, path: str, body: object = None) -> Any:
    """Ask the server as the page does, and return the answer."""
    user.open("/settings")
    ask = """async ([method, path, content]) => {
        const me = await (await fetch('/api/me')).json();
        const headers = {'Content-Type': 'application/json', 'X-CSRF-Token': me.csrf};
        const body = content === null ? undefined : JSON.stringify(content);
        return await (await fetch(path, {method, headers, body})).json();
    }"""
    return user.page.evaluate(ask, [method, path, body])


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


def page(path: str, *, wait: str = "h1") -> Callable[[PageUser], None]:
    def show(user: PageUser) -> None:
        user.open(path)
        expect(user.page.locator(wait).first).to_be_visible()

    return show


PLACES: dict[str, Callable[[PageUser], None]] = {
    "home": page("/", wait="form"),
    "computer": computer,
    "hint": hint,
    "invitation": invitation,
    "result": resigned,
    "review": review,
    "taiji-11": hot_seat("taiji:size=11", 34),
    "tailits": hot_seat("tailits", 9, hover="c5"),
    "battle-of-lits": hot_seat("battle-of-lits", 6),
    "swap": hot_seat("battle-of-lits", 1),
    "tailits-taiji": hot_seat("tailits+taiji", 30),
    "taiji-battle-of-lits": hot_seat("taiji+battle-of-lits", 62),
    "learn": page("/learn"),
    "learn-taiji": page("/learn/taiji", wait=".surface"),
    "learn-tailits": page("/learn/tailits", wait=".surface"),
    "review-open": page("/review"),
    "games": page("/games"),
    "settings": page("/settings", wait=".surface"),
    "account": page("/account", wait="form"),
    "sessions": sessions,
    "not-found": page("/no/such/page"),
    **TOURNAMENT_PLACES,
}
"""The function that shows each screen, by name."""


def visit(user: PageUser, name: str) -> None:
    """Show a screen and wait until it has loaded."""
    PLACES[name](user)
    user.page.wait_for_load_state("networkidle")
