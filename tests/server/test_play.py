"""Playing over the sockets of a real server."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest

from taiji.rules import parse_game
from tests.server.running import Socket, Visitor

Make = Callable[[], Visitor]


def by_link(ada: Visitor, bob: Visitor, **wish: Any) -> dict[str, Any]:
    """A table that Ada made and Bob joined by its link; Ada is Light."""
    table = ada.table(opponent="link", colour="light", **wish)
    joined = bob.post("/api/join", {"secret": table["invite"].partition("#")[2]})
    assert (joined["your_seat"], joined["status"]) == ("second", "playing")
    return dict(joined)


def play_out(table: dict[str, Any], sockets: dict[str, Socket], seed: int = 1) -> dict[str, Any]:
    """Play a game at random to its end; return the `end` event as the first player saw it."""
    dice = random.Random(seed)
    game = parse_game(table["game"])
    state = game.start()
    for move in table["moves"]:
        state = state.play(game.move(move["action"]))
    while not state.is_over:
        move = dice.choice(state.legal())
        mover = state.seat_to_move.name.lower()
        assert sockets[mover].ask("move", ply=state.ply, move=move.action)["type"] == "ack"
        state = state.play(move)
    return sockets["first"].wait("end")


def test_two_play_a_whole_match_by_link_with_a_reload_and_a_lost_connection(visitor: Make) -> None:
    ada, bob, watcher = visitor(), visitor(), visitor()
    table = by_link(ada, bob)
    identity = table["id"]
    with ExitStack() as stack:
        one, two = stack.enter_context(ada.open(identity)), stack.enter_context(bob.open(identity))
        snapshot = one.wait("snapshot")["table"]
        assert snapshot["match"]["game_no"] == 1
        assert snapshot["invite"] is None
        with watcher.open(identity) as eye:
            assert eye.wait("snapshot")["table"]["your_seat"] is None
            assert one.wait("presence") is not None
            assert one.ask("move", ply=0, move="a1/a2")["type"] == "ack"
            assert eye.wait("move")["data"]["text"] == "a1/a2"
        # Bob's connection is lost; he comes back with the version he had and gets what he missed.
        seen = two.wait("move")["version"]
        two.socket.close()
        assert bob.act(identity, "move", ply=1, move="c1/c2")["version"] == seen + 1
        assert one.wait("move")["data"]["ply"] == 0
        assert one.ask("move", ply=2, move="d3/d4")["type"] == "ack"
        two = stack.enter_context(bob.open(identity, after=seen))
        missed = [two.wait("move") for _ in range(2)]
        assert [event["data"]["text"] for event in missed] == ["c1/c2", "d3/d4"]
        # Ada reloads: a fresh snapshot.
        one.socket.close()
        one = stack.enter_context(ada.open(identity))
        fresh = one.wait("snapshot")["table"]
        assert [move["text"] for move in fresh["moves"]] == ["a1/a2", "c1/c2", "d3/d4"]
        end = play_out(fresh, {"first": one, "second": two})
        assert end["data"]["result"]["ended_by"] == "score"
        assert end["data"]["match"]["result"] is None
        second = one.wait("next-game")["data"]["table"]
        one2, two2 = stack.enter_context(ada.open(second)), stack.enter_context(bob.open(second))
        snapshot = one2.wait("snapshot")["table"]
        scores = end["data"]["result"]["scores"]
        assert snapshot["your_seat"] == "second"
        assert snapshot["match"]["totals"] == {"first": scores["second"], "second": scores["first"]}
        final = play_out(snapshot, {"first": two2, "second": one2}, seed=2)
        result = final["data"]["match"]["result"]
        assert result["ended_by"] == "total"
        here = final["data"]["result"]["scores"]
        assert result["totals"]["first"] == here["first"] + scores["second"]
        # The first table tells the match's result too, by its own seats.
        there = ada.get(f"/api/tables/{identity}")["match"]
        assert there["tables"] == [identity, second]
        assert there["result"]["totals"] == {
            "first": result["totals"]["second"], "second": result["totals"]["first"],
        }  # fmt: skip


@pytest.mark.parametrize("game", ["taiji:size=3", "tailits", "battle-of-lits", "taiji+battle-of-lits:size=4"])
def test_the_computer_plays_every_game_to_its_end(visitor: Make, game: str) -> None:
    ada = visitor()
    table = ada.table(game=game, level=1, colour="random")
    dice = random.Random(5)
    value = parse_game(game)
    with ada.open(table["id"]) as socket:
        state = value.start()
        for move in socket.wait("snapshot")["table"]["moves"]:
            state = state.play(value.move(move["action"]))
        while not state.is_over:
            if state.seat_to_move.name.lower() == table["your_seat"]:
                chosen = dice.choice(state.legal())
                assert socket.ask("move", ply=state.ply, move=chosen.action)["type"] == "ack"
            event = socket.wait_move(state.ply)
            state = state.play(value.move(event["data"]["action"]))
        assert socket.wait("end")["data"]["result"]["ended_by"] == "score"


def test_a_frame_sent_twice_is_done_once(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob)
    with ada.open(table["id"]) as socket:
        one = socket.ask("move", id="same", ply=0, move=0)
        two = socket.ask("move", id="same", ply=0, move=0)
        assert (one["type"], two) == ("ack", one)
        other = socket.ask("move", ply=0, move=0)
        assert other["error"]["code"] == "stale-ply"
    assert len(ada.get(f"/api/tables/{table['id']}")["moves"]) == 1
    # The ids of one player are not those of the other.
    with bob.open(table["id"]) as socket:
        assert socket.ask("move", id="same", ply=1, move="d4/d3")["type"] == "ack"


def test_out_of_turn_in_anothers_game_and_after_the_end(visitor: Make) -> None:
    ada, bob, eve = visitor(), visitor(), visitor()
    table = by_link(ada, bob)
    path = f"/api/tables/{table['id']}"
    with bob.open(table["id"]) as socket, eve.open(table["id"]) as stranger:
        assert socket.ask("move", ply=0, move=0)["error"]["code"] == "not-your-turn"
        assert stranger.ask("move", ply=0, move=0)["error"]["code"] == "not-your-table"
        assert stranger.ask("resign")["error"]["code"] == "not-your-table"
        assert socket.ask("resign")["type"] == "ack"
        assert socket.ask("move", ply=0, move=0)["error"]["code"] == "over"
    assert eve.refused(f"{path}/seat-link") == (403, "not-your-table")
    assert ada.get(path)["result"]["winner"] == "first"
    assert ada.get(path)["match"]["result"]["ended_by"] == "resign"


def test_an_illegal_move_says_which_rule_forbids_it(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob, game="tailits")
    with bob.open(table["id"]) as socket:
        answer = socket.ask("move", ply=0, move=0)
        assert answer["error"]["reason"]["code"] == "first-covers"
        assert answer["error"]["reason"]["cells"] == ["f6"]


def test_takeback_and_rematch_between_people(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob, match=False)
    with ada.open(table["id"]) as one, bob.open(table["id"]) as two:
        one.ask("move", ply=0, move=0)
        one.ask("takeback")
        assert two.wait("takeback-offer")["data"] == {"seat": "first"}
        two.ask("takeback-answer", accept=True)
        assert one.wait("takeback")["data"]["plies"] == 0
        one.ask("resign")
        two.ask("rematch")
        one.wait("rematch-offer")
        one.ask("rematch")
        again = two.wait("rematch")["data"]["table"]
    seats = bob.get(f"/api/tables/{again}")
    assert (seats["your_seat"], seats["status"], seats["previous"]) == ("first", "playing", table["id"])


def test_against_the_computer_takeback_level_and_rematch_are_granted_at_once(visitor: Make) -> None:
    ada = visitor()
    table = ada.table(colour="light", level=2)
    with ada.open(table["id"]) as socket:
        socket.wait("snapshot")
        assert socket.ask("level", level=7)["type"] == "ack"
        socket.ask("move", ply=0, move=0)
        socket.wait_move(1)
        socket.ask("takeback")
        assert socket.wait("takeback")["data"]["plies"] == 0
        socket.ask("resign")
        socket.ask("rematch")
        again = socket.wait("rematch")
    new = ada.get(f"/api/tables/{again['data']['table']}")
    assert (new["your_seat"], new["seats"]["first"]["level"]) == ("second", 7)


def test_open_challenges_are_listed_and_taken_once(visitor: Make) -> None:
    ada, bob, eve = visitor(), visitor(), visitor()
    ada.client.patch("/api/me", json={"name": "Ada Ω"}).raise_for_status()
    with Socket(eve, "/ws/lobby") as lobby:
        lobby.wait("lobby")
        table = ada.table(opponent="open", clock={"clock_type": "fischer", "main_s": 300, "increment_s": 3})
        shown = lobby.wait("lobby")["challenges"]
    mine = next(one for one in shown if one["id"] == table["id"])
    assert mine["clock_rule"]["clock_type"] == "fischer"
    assert "Ada Ω" in [seat["name"] for seat in mine["seats"].values() if seat]
    path = f"/api/tables/{table['id']}/join"
    assert ada.refused(path) == (403, "own-table")
    assert bob.post(path)["status"] == "playing"
    assert eve.refused(path) == (409, "taken")
    assert table["id"] not in [one["id"] for one in bob.get("/api/challenges")["challenges"]]
    # Not before some moves.
    assert table["id"] not in [one["id"] for one in eve.get("/api/live")["tables"]]
    assert [one["id"] for one in bob.get("/api/my/tables", status="playing")["tables"]] == [table["id"]]


def test_a_game_by_link_is_not_on_show(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob)
    assert table["id"] not in [one["id"] for one in ada.get("/api/live")["tables"]]


def test_a_join_link_works_once_and_a_seat_link_opens_ones_own_seat(visitor: Make) -> None:
    ada, bob, phone, eve = visitor(), visitor(), visitor(), visitor()
    table = ada.table(opponent="link", colour="light")
    secret = table["invite"].partition("#")[2]
    assert len(secret) >= 22  # 128 bits and more, six a character
    assert ada.get(f"/api/tables/{table['id']}")["invite"] == table["invite"]
    assert eve.get(f"/api/tables/{table['id']}")["invite"] is None
    bob.post("/api/join", {"secret": secret})
    again = bob.post("/api/join", {"secret": secret})  # the page was loaded again: the seat is still Bob's
    assert (again["id"], again["your_seat"]) == (table["id"], "second")
    assert eve.refused("/api/join", {"secret": secret}) == (404, "not-found")
    path = ada.post(f"/api/tables/{table['id']}/seat-link")["path"]
    assert phone.post("/api/join", {"secret": path.partition("#")[2]})["your_seat"] == "first"
    with phone.open(table["id"]) as socket:
        assert socket.ask("move", ply=0, move=0)["type"] == "ack"


def test_the_clock_runs_and_the_server_ends_the_game(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob, match=False, clock={"clock_type": "sudden", "main_s": 1})
    with ada.open(table["id"]) as one, bob.open(table["id"]) as two:
        assert one.wait("snapshot")["table"]["clock"]["grace_ms"] > 10_000
        one.ask("move", ply=0, move="a1/a2")
        two.ask("move", ply=1, move="d1/d2")
        event = two.wait_move(1)
        assert event["clock"]["running"] == "first"
        assert event["clock"]["first"]["remaining_ms"] <= 1000
        result = two.wait("end")["data"]["result"]
        assert (result["winner"], result["ended_by"]) == ("second", "time")


def test_events_can_be_read_again_from_any_version(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob)
    for ply in range(4):
        who = (ada, bob)[ply % 2]
        legal = ["a1/a2", "b1/b2", "c1/c2", "d1/d2"][ply]
        who.act(table["id"], "move", ply=ply, move=legal)
    events = ada.get(f"/api/tables/{table['id']}/events", after=0)
    assert [event["version"] for event in events["events"]] == list(range(1, events["version"] + 1))
    assert [event["event_type"] for event in events["events"]] == ["join", "join", "start", *["move"] * 4]
    later = ada.get(f"/api/tables/{table['id']}/events", after=5)["events"]
    assert later == events["events"][5:]
