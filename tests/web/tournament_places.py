"""The screens of tournaments and ratings, each with typical content."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from playwright.sync_api import expect

from taiji.rules import parse_game
from tests.server.running import Visitor
from tests.web.browser import PageUser

GAME = "taiji:size=5"
OTHERS = ("Bo Chen", "Cy", "Dee Alexandrova-Smith", "Eve")

POST_JSON = """async ([path, body]) => {
    const me = await (await fetch('/api/me')).json();
    const headers = {'Content-Type': 'application/json', 'X-CSRF-Token': me.csrf};
    return (await fetch(path, {method: 'POST', headers, body: JSON.stringify(body)})).json();
}"""


def send(user: PageUser, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send a request to the server from the user's page."""
    response: dict[str, Any] = user.page.evaluate(POST_JSON, [path, body])
    assert "error" not in response, response
    return response


@contextmanager
def visitors(origin: str, names: Iterable[str]) -> Iterator[dict[str, Visitor]]:
    """Open one API client per name, and close all of them whatever happens."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(closing(Visitor(origin))) for name in names}


@contextmanager
def club(user: PageUser, **settings: Any) -> Iterator[tuple[str, dict[str, Visitor]]]:
    """Yield the id of a tournament that the user organises and plays in, and the other players."""
    user.open("/settings")
    created = send(user, "/api/tournaments", {"name": "Club Night in Spring", "game": GAME, **settings})
    path, secret = f"/api/tournaments/{created['id']}", created["invite"].partition("#")[2]
    send(user, f"{path}/join", {"secret": secret, "name": "Ana Lima"})
    with visitors(user.page.evaluate("location.origin"), OTHERS) as others:
        for name, visitor in others.items():
            visitor.post(f"{path}/join", {"secret": secret, "name": name})
        yield created["id"], others


def play(table_id: str, people: dict[str, Visitor], plies: int, seed: int = 1) -> None:
    """Play at most `plies` plies of a game, each move by the player to move."""
    rng = random.Random(seed)
    table = next(iter(people.values())).get(f"/api/tables/{table_id}")
    state = parse_game(table["game"]).start()
    while not state.is_over and state.ply < plies:
        move = rng.choice(state.legal())
        people[table["seats"][state.seat_to_move.name.lower()]["name"]].act(
            table_id, "move", ply=state.ply, move=move.action
        )
        state = state.play(move)


def lobby(user: PageUser) -> None:
    with club(user, format="swiss", rounds=3) as (identity, _):
        user.open(f"/tournament/{identity}")
        expect(user.page.get_by_role("button", name="Start with 5 players")).to_be_visible()


def under_way(user: PageUser) -> None:
    """A round in progress, with the result form and the audit log open."""
    with club(user, format="round-robin", match=False) as (identity, others):
        path = f"/api/tournaments/{identity}"
        send(user, f"{path}/start", {})
        for pairing in others["Cy"].get(path)["rounds"][0]:
            if pairing["board"]:
                seats = others["Cy"].get(f"/api/tables/{pairing['board']['table']}")["seats"]
                if all(seat["name"] in others for seat in seats.values()):
                    play(pairing["board"]["table"], others, 7)
        send(user, f"{path}/withdraw", {"player": 5, "back": False})
        user.open(f"/tournament/{identity}")
        user.page.get_by_role("button", name="Enter result").last.click()
        user.page.get_by_text("Audit log").click()
        expect(user.page.get_by_text("Round 1 paired").first).to_be_visible()


def finished(user: PageUser) -> None:
    with club(user, format="knockout", match=False) as (identity, others):
        path = f"/api/tournaments/{identity}"
        send(user, f"{path}/start", {})
        while not (info := others["Cy"].get(path))["over"]:
            for pairing in info["rounds"][-1]:
                if pairing["second"] and not pairing["points"]:
                    slot = {"round": len(info["rounds"]), "table": pairing["table"]}
                    send(user, f"{path}/result", {**slot, "scores": [[7, 5]]})
        user.open(f"/tournament/{identity}")
        user.page.get_by_text("Share this page").click()
        expect(user.page.get_by_text("has won the tournament")).to_be_visible()


def my_tournaments(user: PageUser) -> None:
    user.open("/tournaments")
    expect(user.page.get_by_role("form", name="New tournament")).to_be_visible()


def rated(user: PageUser) -> None:
    """The leaderboard with one player's history."""
    user.open("/ratings")
    origin = user.page.evaluate("location.origin")
    names = [f"{name}{random.SystemRandom().randrange(10**6)}" for name in ("Ana", "Bo")]
    with visitors(origin, names) as people:
        for name, visitor in people.items():
            visitor.post("/api/account", {"name": name, "password": "long enough"}, 201)
        one, two = people.values()
        for seed in range(4):
            request = {"game": "taiji:size=3", "opponent": "open", "match": False, "rated": True}
            table = one.post("/api/tables", request, 201)
            two.post(f"/api/tables/{table['id']}/join", {})
            play(table["id"], people, 99, seed)
    user.open("/ratings")
    user.page.get_by_label("Game").select_option("taiji:size=3")
    user.page.get_by_role("button", name=f"Rating of {names[0]} over time").click()
    expect(user.page.get_by_role("img", name=names[0])).to_be_visible()


TOURNAMENT_PLACES = {
    "tournaments": my_tournaments,
    "tournament-lobby": lobby,
    "tournament": under_way,
    "tournament-over": finished,
    "ratings": rated,
}
