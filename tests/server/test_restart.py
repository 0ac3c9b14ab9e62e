"""A server that dies in the middle of games: nothing acknowledged is lost, nobody pays for the downtime."""

from __future__ import annotations

import time

from tests.server.running import Running, Visitor
from tests.server.test_play import by_link
from tests.waiting import slowdown


def test_games_go_on_after_a_kill(database_url: str) -> None:
    running = Running(database_url, "--engines=0")
    ada, bob = Visitor(running.url), Visitor(running.url)
    clock = {"clock_type": "sudden", "main_s": 20}
    table = by_link(ada, bob, clock=clock, game="taiji:size=5")
    identity = table["id"]
    with ada.open(identity) as one, bob.open(identity) as two:
        assert one.ask("move", ply=0, move="a1/a2")["type"] == "ack"
        assert two.ask("move", ply=1, move="c1/c2")["type"] == "ack"
        sent = time.monotonic()
        acknowledged = one.ask("move", id="again", ply=2, move="e1/e2")
        assert acknowledged["type"] == "ack"
        before = two.wait_move(2)["clock"]["second"]["remaining_ms"]
        running.kill()
        lived_ms = (time.monotonic() - sent) * 1000
    time.sleep(1)
    began = time.monotonic()
    running = Running(database_url, "--engines=0", port=running.port)
    with bob.open(identity, after=acknowledged["version"]) as two, ada.open(identity) as one:
        resumed = two.wait("resume")
        # Under two seconds on a dedicated machine; tests share theirs.
        assert time.monotonic() - began < 20 * slowdown()
        assert resumed["version"] == acknowledged["version"] + 1
        assert resumed["data"]["downtime_ms"] >= 1000
        assert resumed["clock"]["running"] == "second"
        # The server noted every second that it lived: the side to move may gain that much, and loses nothing.
        assert before - resumed["clock"]["second"]["remaining_ms"] <= lived_ms
        moves = one.wait("snapshot")["table"]["moves"]
        assert [move["text"] for move in moves] == ["a1/a2", "c1/c2", "e1/e2"]
        # A frame whose answer was lost is sent again, and not done twice.
        assert one.ask("move", id="again", ply=2, move="e1/e2") == acknowledged
        assert two.ask("move", ply=3, move="b4/b5")["type"] == "ack"
    assert running.stop() == 0
    assert running.errors == []
    ada.close()
    bob.close()


def test_the_computer_moves_on_after_a_kill(database_url: str) -> None:
    running = Running(database_url, "--engines=1")
    ada = Visitor(running.url)
    table = ada.table(colour="light", game="taiji:size=6", level=1)
    ada.act(table["id"], "move", ply=0, move=0)
    running.kill()
    running = Running(database_url, "--engines=1", port=running.port)
    with ada.open(table["id"]) as socket:
        if len(socket.wait("snapshot")["table"]["moves"]) == 1:
            socket.wait_move(1)
    assert running.stop() == 0
    ada.close()


def test_ctrl_c_ends_the_server_in_good_order(database_url: str) -> None:
    running = Running(database_url, "--engines=1")
    ada = Visitor(running.url)
    ada.table(game="taiji:size=3", level=1)  # the server compiles the game, and must free it at exit
    table = ada.table(opponent="open")
    with (
        ada.open(table["id"]) as socket,
        ada.client.stream("GET", f"/api/tables/{table['id']}/stream") as lines,
    ):
        socket.wait("snapshot")
        next(lines.iter_lines())
        began = time.monotonic()
        assert running.stop() == 0
        assert time.monotonic() - began < 4 * slowdown()
        assert socket.closed() == 1012
    assert running.errors == []
    ada.close()
