"""Games in progress, each as a player meets it: the same device, the computer, a match, a tournament."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.web.browser import Mirror, PageUser
from tests.web.tournament_places import club, send

Show = Callable[[PageUser], None]


def random_actions(game: str, plies: int, seed: int = 3) -> list[int]:
    """Return the actions of a random game."""
    mirror = Mirror(game, seed)
    played = []
    while len(played) < plies and not mirror.state.is_over:
        move = mirror.choose()
        played.append(move.action)
        mirror.play(move)
    return played


def hot_seat(game: str, plies: int, hover: str | None = None, **saved: Any) -> Show:
    """Return what shows a game kept in the browser after `plies` random moves; `saved` adds to its record."""

    def show(user: PageUser) -> None:
        moves = random_actions(game, plies)
        record = {"game": game, "moves": moves, "match": False, "games": [], "resigned": None, **saved}
        user.open("/api/live")  # of this site, and nearly empty
        user.page.evaluate("text => localStorage.setItem('taiji.one-screen', text)", json.dumps(record))
        user.open("/one-screen")
        expect(user.surface).to_be_visible()
        if hover:
            user.hover(hover)

    return show


def coached(game: str, plies: int) -> Show:
    """Return what shows a beginner's game against the computer, with the words of the coach."""
    show_game = hot_seat(game, plies, computer={"seat": 1 - plies % 2, "level": 2})

    def show(user: PageUser) -> None:
        show_game(user)
        user.wait_for_turn()
        expect(user.page.locator(".coach")).to_be_visible()

    return show


def tournament_game(user: PageUser) -> None:
    with club(user, format="round-robin", match=False, game="tailits") as (identity, _):
        path = f"/api/tournaments/{identity}"
        send(user, f"{path}/withdraw", {"player": 5, "back": False})  # an odd player would have no opponent
        send(user, f"{path}/start", {})
        user.open(f"/tournament/{identity}")
        user.page.get_by_role("link", name="Your board is ready: play").click()
        expect(user.surface).to_be_visible()


GAME_PLACES: dict[str, Show] = {
    "taiji-11": hot_seat("taiji:size=11", 34),
    "tailits": hot_seat("tailits", 9, hover="c5"),
    "battle-of-lits": hot_seat("battle-of-lits", 6),
    "swap": hot_seat("battle-of-lits", 1),
    "tailits-taiji": hot_seat("tailits+taiji", 30),
    "taiji-battle-of-lits": hot_seat("taiji+battle-of-lits", 62),
}
MORE_GAME_PLACES: dict[str, Show] = {
    "coached": coached("taiji:size=7", 0),
    "coached-tailits": coached("tailits", 1),
    "coached-battle-of-lits": coached("battle-of-lits", 2),
    "coached-tailits-taiji": coached("tailits+taiji", 2),
    "coached-taiji-battle-of-lits": coached("taiji+battle-of-lits", 2),
    "first-stage": hot_seat("tailits+taiji", 8),
    "first-stage-of-pairs": hot_seat("taiji+battle-of-lits", 30),
    "match": hot_seat("nestorgames-9x9", 12, match=True, games=[[14, 17]]),
    "omega": hot_seat("taiji:size=7,score=squares,groups=2", 14),
    "game-over": hot_seat("tailits", 99),
    "tournament-game": tournament_game,
}
"""Games that differ less from the others: only their pictures are looked at."""
