"""Tournaments on a real server: by link, drawn and scored by itself, live, through a kill, rated or not."""

from __future__ import annotations

import itertools
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from taiji.rules import parse_game
from tests.server.running import Running, Socket, Visitor

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
        state = state.play(state.game.move(move["action"]))
    while not state.is_over:
        move = dice.choice(state.legal())
        name = table["seats"][state.seat_to_move.name.lower()]["name"]
        people[name].act(table_id, "move", ply=state.ply, move=move.action)
        state = state.play(move)


def play_round(contest_id: str, people: dict[str, Visitor]) -> dict[str, Any]:
    """Play what is open until the round changes or the tournament is over."""
    looker = next(iter(people.values()))
    contest: dict[str, Any] = looker.get(f"/api/tournaments/{contest_id}")
    begun = len(contest["rounds"])
    for step in itertools.count():
        if contest["over"] or len(contest["rounds"]) > begun:
            break
        for pairing in contest["rounds"][-1]:
            if pairing["points"] is None and pairing["board"]:
                play_board(pairing["board"]["table"], people, step)
        time.sleep(0.05)
        contest = looker.get(f"/api/tournaments/{contest_id}")
    return contest


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
    assert people["Dee"].client.get(f"{path}/export.pdf").content.startswith(b"%PDF-")
    log = people["Dee"].get(f"{path}/log")["log"]
    assert log[0]["event"] == "corrected"
    assert (log[0]["actor"], log[0]["reason"]) == ("organiser", "left early")
    assert log[0]["before"] != log[0]["result"]
    assert [line["name"] for line in log[::-1] if line["event"] == "entered"] == list(people)
    assert {line["actor"] for line in log if line["event"] == "scored"} == {"server"}
    assert people["Dee"].get("/api/tournaments")["tournaments"][0]["id"] == identity
    assert running.stop() == 0
    assert running.errors == []
    for person in (*people.values(), twin):
        person.close()


def test_rated_challenges_are_settled_once_through_a_kill(database: str) -> None:
    running = Running(database, "--engines=0")
    people = {name: Visitor(running.url) for name in ("Ana", "Bo", "Cy")}
    ana, bo, guest = people.values()
    wish = {"game": GAME, "opponent": "open", "match": False, "rated": True}
    assert ana.refused("/api/tables", wish) == (401, "no-account")
    for name in ("Ana", "Bo"):
        people[name].post("/api/account", {"name": name, "password": "long enough"}, 201)
    assert ana.refused("/api/tables", {**wish, "opponent": "computer"}) == (422, "bad-request")
    table = ana.post("/api/tables", wish, 201)
    assert table["rated"]
    assert not table["takebacks"]
    assert bo.get("/api/challenges")["challenges"][0]["rated"]
    assert guest.refused(f"/api/tables/{table['id']}/join", {}) == (401, "no-account")
    bo.post(f"/api/tables/{table['id']}/join", {})
    play_board(table["id"], people, 3)
    seats = ana.get(f"/api/tables/{table['id']}")["seats"]
    assert [seats[seat]["rating"] for seat in ("first", "second")] == [1500, 1500]
    running.kill()
    # What a kill between the end of the game and its settlement leaves behind.
    rows(database, "DELETE FROM rating_history")
    rows(database, "DELETE FROM ratings")
    rows(database, "DELETE FROM rating_queue")
    rows(database, f"INSERT INTO rating_queue VALUES ('{table['id']}')")
    for _ in range(2):
        running = Running(database, "--engines=0", port=running.port)
        found = ana.get("/api/ratings", game=GAME)["players"]
        assert {(line["name"], line["games"]) for line in found} == {("Ana", 1), ("Bo", 1)}
        assert sum(line["rating"] for line in found) == pytest.approx(3000)
        assert len(ana.get("/api/ratings/bo", game=GAME)["history"]) == 1
        running.kill()
    for person in people.values():
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


def test_who_looks_is_told_of_moves_and_results(visitor: Callable[[], Visitor]) -> None:
    ana, bo = visitor(), visitor()
    people = {"Ana": ana, "Bo": bo}
    contest = make(ana, format="match", match=False)
    path = f"/api/tournaments/{contest['id']}"
    enter(contest, people)
    with Socket(bo, f"/ws/tournaments/{contest['id']}") as looking:
        first = looking.wait("tournament")["tournament"]
        assert (first["started"], first["your_entrant_no"], first["invite"]) == (False, 2, None)
        ana.post(f"{path}/start", {})
        while not (told := looking.wait("tournament")["tournament"])["board"]:
            pass
        board = told["board"]
        assert told["rounds"][0][0]["board"]["moves"] == []
        mover = ana.get(f"/api/tables/{board}")["seats"]["first"]["name"]
        people[mover].act(board, "move", ply=0, move=0)
        moved = looking.wait("boards")["boards"]
        assert moved == [{"table": board, "ply": 1, "scores": moved[0]["scores"], "moves": [0]}]
        # The organiser decides: the game that nobody needs any more is called off.
        ana.post(f"{path}/result", {"round": 1, "table": 1, "absent": "second"})
        while not (told := looking.wait("tournament")["tournament"])["rounds"][0][0]["points"]:
            pass
        assert told["rounds"][0][0]["points"] == [1, 0]
        assert ana.get(f"/api/tables/{board}")["result"]["ended_by"] == "aborted"
    with Socket(bo, "/ws/tournaments/nothing") as nowhere:
        assert nowhere.closed() == 4404


def test_nobody_gets_a_fresh_clock_and_a_resignation_is_shown_as_one(visitor: Callable[[], Visitor]) -> None:
    people = {"Ana": visitor(), "Bo": visitor()}
    contest = make(people["Ana"], format="match", match=True, rounds=1)
    path = f"/api/tournaments/{contest['id']}"
    enter(contest, people)
    board = people["Ana"].post(f"{path}/start", {})["board"]
    for person in people.values():
        assert person.refused(f"/api/tables/{board}/abort", {"id": person.new_id()}) == (409, "tournament")
    people["Bo"].act(board, "resign")
    while not (now := people["Ana"].get(path))["over"]:
        time.sleep(0.02)
    (pairing,) = now["rounds"][0]
    assert pairing["points"] == ([1, 0] if pairing["first"] == 1 else [0, 1])
    assert (pairing["forfeit"], pairing["ended_by"], pairing["board"]["table"]) == (None, "resign", board)
    scored = next(line for line in people["Bo"].get(f"{path}/log")["log"] if line["event"] == "scored")
    assert scored["ended_by"] == "resign"
    body = {"id": people["Bo"].new_id()}
    assert people["Bo"].refused(f"/api/tables/{board}/rematch", body) == (409, "tournament")


def rows(database: str, query: str) -> list[Any]:
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection:
        found = connection.execute(query).fetchall()
        connection.commit()
        return found


def test_every_pairing_has_one_board_though_the_server_is_killed_while_laying_them(database: str) -> None:
    running = Running(database, "--engines=0")
    people = {f"P{number}": Visitor(running.url) for number in range(8)}
    contest = make(people["P0"], format="round-robin")
    enter(contest, people)
    path = f"/api/tournaments/{contest['id']}"
    dice = random.Random(4)
    # A tournament of which only the name reached the disk, as an older program could leave behind.
    told = "'half','x','s',NULL,NULL,0,0,0,0"
    columns = "id,organiser_id,invite,edition,clock_rule,rated,over,created_at,updated_at"
    rows(database, f"INSERT INTO tournaments ({columns}) VALUES ({told})")
    for _ in range(4):
        begun = threading.Thread(target=_try, args=(people["P0"], f"{path}/start"))
        begun.start()
        time.sleep(dice.random() * 0.08)
        running.kill()
        begun.join()
        running = Running(database, "--engines=0", port=running.port)
    # A kill may have come before the server has read any of the requests: then this one draws the round.
    people["P0"].post(f"{path}/start", {})
    told_now = people["P1"].post(f"{path}/withdraw", {"player": 2, "back": False})
    tables = rows(database, "SELECT id, status FROM tables")
    boards = {pairing["board"]["table"] for pairing in told_now["rounds"][0]}
    assert {identity for identity, _ in tables} == boards
    assert len(boards) == 4
    assert sorted(status for _, status in tables) == ["over", "playing", "playing", "playing"]
    assert running.stop() == 0
    for person in people.values():
        person.close()


def _try(person: Visitor, path: str) -> None:
    with suppress(httpx.HTTPError):
        person.client.post(path, json={})
