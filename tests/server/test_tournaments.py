"""Tournaments on a real server: by link, drawn and scored by itself, through a kill, rated or not."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from taiji.rules import parse_game
from tests.server.running import Running, Visitor

GAME = "taiji:size=3"


def make(organiser: Visitor, **wish: Any) -> dict[str, Any]:
    return dict(organiser.post("/api/tournaments", {"name": "Club", "game": GAME, **wish}, 201))


def enter(contest: dict[str, Any], people: dict[str, Visitor]) -> None:
    secret = contest["invite"].partition("#")[2]
    for name, person in people.items():
        person.post(f"/api/tournaments/{contest['id']}/join", {"secret": secret, "name": name})


def play_board(table_id: str, people: dict[str, Visitor], seed: int) -> None:
    """Play one game to its end, each side asking as itself."""
    dice = random.Random(seed)
    anybody = next(iter(people.values()))
    table = anybody.get(f"/api/tables/{table_id}")
    state = parse_game(table["game"]).start()
    for move in table["moves"]:
        state = state.play(state.game.move(move["number"]))
    while not state.over:
        move = dice.choice(state.legal())
        name = table["seats"][state.mover.name.lower()]["name"]
        people[name].act(table_id, "move", ply=state.ply, move=move.number)
        state = state.play(move)


def play_round(contest_id: str, people: dict[str, Visitor]) -> dict[str, Any]:
    """Play what is open until the round changes or the tournament is over."""
    looker = next(iter(people.values()))
    contest = looker.get(f"/api/tournaments/{contest_id}")
    begun = len(contest["rounds"])
    for step in range(200):
        contest = looker.get(f"/api/tournaments/{contest_id}")
        if contest["over"] or len(contest["rounds"]) > begun:
            return dict(contest)
        for pairing in contest["rounds"][-1]:
            if pairing["points"] is None and pairing["board"]:
                play_board(pairing["board"]["table"], people, step)
        time.sleep(0.05)
    raise AssertionError("the round does not end")


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.sqlite'}"


def crowd(url: str) -> dict[str, Visitor]:
    return {name: Visitor(url) for name in ("Ana", "Bo", "Cy", "Dee")}


def test_a_tournament_through_a_kill(database: str) -> None:
    running = Running(database, "--engines=0")
    people = crowd(running.url)
    contest = make(people["Ana"], format="round-robin")
    identity = contest["id"]
    path = f"/api/tournaments/{identity}"
    assert people["Ana"].refused(f"{path}/start", {}) == (409, "tournament")  # nobody is there yet
    enter(contest, people)
    enter(contest, {"Bo": people["Bo"]})  # twice is once
    assert people["Bo"].refused(f"{path}/start", {}) == (403, "not-organiser")
    twin = Visitor(running.url)
    secret = contest["invite"].partition("#")[2]
    assert twin.refused(f"{path}/join", {"secret": secret, "name": "bo"}) == (409, "tournament")
    assert twin.refused(f"{path}/join", {"secret": "x" * 22, "name": "Eve"}) == (404, "not-found")
    assert people["Bo"].get(path)["invite"] is None
    started = people["Ana"].post(f"{path}/start", {})
    assert [pairing["board"] is not None for pairing in started["rounds"][0]] == [True, True]
    assert people["Bo"].get(path)["board"] is not None
    ruling = {"round": 1, "table": 1, "scores": [[9, 1], [1, 2]]}
    assert people["Ana"].refused(f"{path}/result", ruling) == (409, "tournament")
    after = play_round(identity, people)
    assert len(after["rounds"]) == 2
    running.kill()
    running = Running(database, "--engines=0", port=running.port)
    again = people["Cy"].get(path)
    assert again["standings"] == after["standings"]
    assert [p["scores"] for p in again["rounds"][0]] == [p["scores"] for p in after["rounds"][0]]
    while not (contest := play_round(identity, people))["over"]:
        pass
    assert len(contest["rounds"]) == 3
    assert sum(line["points"] for line in contest["standings"]) == 6
    assert all(len(pairing["scores"]) == 2 for pairings in contest["rounds"] for pairing in pairings)
    fixed = people["Ana"].post(
        f"{path}/result", {"round": 1, "table": 1, "absent": "first", "reason": "left early"}
    )
    assert fixed["rounds"][0][0]["points"] == [0, 1]
    exported = people["Dee"].client.get(f"{path}/export.trf").text
    assert exported.count("\n001 ") == 4
    assert people["Dee"].get("/api/tournaments")["tournaments"][0]["id"] == identity
    assert running.stop() == 0
    assert running.errors == []
    for person in (*people.values(), twin):
        person.close()


def test_rated_games_change_ratings_once_and_casual_ones_never(database: str) -> None:
    running = Running(database, "--engines=0")
    people = {name: Visitor(running.url) for name in ("Ana", "Bo")}
    contest = make(people["Ana"], format="match", rated=True)
    path = f"/api/tournaments/{contest['id']}/join"
    secret = contest["invite"].partition("#")[2]
    assert people["Bo"].refused(path, {"secret": secret, "name": "Bo"}) == (401, "no-account")
    for name, person in people.items():
        person.post("/api/account", {"name": name, "password": "long enough"}, 201)
    enter(contest, people)
    casual = people["Ana"].table(opponent="link", colour="light", game=GAME, match=False)
    people["Bo"].post("/api/join", {"secret": casual["invite"].partition("#")[2]})
    play_board(casual["id"], people, 5)
    assert people["Ana"].get("/api/ratings", game=GAME)["players"] == []
    people["Ana"].post(f"/api/tournaments/{contest['id']}/start", {})
    assert play_round(contest["id"], people)["over"]
    found = people["Ana"].get("/api/ratings", game=GAME)
    assert {line["name"] for line in found["players"]} == {"Ana", "Bo"}
    assert {line["games"] for line in found["players"]} == {2}
    history = people["Ana"].get("/api/ratings/ana", game=GAME)["history"]
    assert len(history) == 2
    assert history[0]["rating"] != 1500
    assert history[1]["deviation"] < history[0]["deviation"] < 350
    assert running.stop() == 0
    assert running.errors == []
    for person in people.values():
        person.close()
