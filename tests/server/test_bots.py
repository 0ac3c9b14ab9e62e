"""Bots: the streams, and the example bot playing a whole match by itself."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from taiji.rules import parse_game
from tests.server.running import TAIJI, Running, Visitor
from tests.waiting import PATIENCE_S

Make = Callable[[], Visitor]
PASSWORD = "correct horse battery"


def bot_account(visitor: Visitor, name: str) -> str:
    visitor.post("/api/account", {"name": name, "password": PASSWORD, "bot": True}, 201)
    token: str = visitor.post("/api/account/tokens", {"label": "bot"}, 201)["token"]
    return token


@contextmanager
def example_bot(server: Running, token: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [str(TAIJI), "bot", f"--url={server.url}", f"--token={token}", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        assert process.stdout is not None
        process.stdout.close()


def test_the_example_bot_accepts_a_challenge_and_plays_the_match(server: Running, visitor: Make) -> None:
    owner, ada = visitor(), visitor()
    token = bot_account(owner, "Robot")
    with example_bot(server, token, "--player=random") as bot:
        assert bot.stdout is not None
        assert "Robot plays as random" in bot.stdout.readline()
        table = ada.table(game="taiji:size=3", opponent="player", player="robot", colour="light")
        game = parse_game("taiji:size=3")
        for number in (1, 2):
            with ada.open(table["id"]) as socket:
                snapshot = socket.wait("snapshot")["table"]
                if snapshot["status"] == "waiting":
                    socket.wait("start")
                    snapshot = ada.get(f"/api/tables/{table['id']}")
                assert snapshot["match"]["game_no"] == number
                kinds = {seat["account_type"] for seat in snapshot["seats"].values()}
                assert kinds == {"person", "bot"}
                state = game.start()
                for move in snapshot["moves"]:
                    state = state.play(game.move(move["action"]))
                while not state.is_over:
                    if state.seat_to_move.name.lower() == snapshot["your_seat"]:
                        answer = socket.ask("move", ply=state.ply, move=state.legal()[0].action)
                        assert answer["type"] == "ack", answer
                    if len(snapshot["moves"]) <= state.ply:
                        move = socket.wait_move(state.ply)["data"]
                    state = state.play(game.move(move["action"]))
                socket.wait("end")
                if number == 1:
                    table = {"id": socket.wait("next-game")["data"]["table"]}
    assert "Robot" in [bot["name"] for bot in ada.get("/api/bots")["bots"]]


def test_a_bot_offers_itself_in_the_lobby(server: Running, visitor: Make) -> None:
    owner, ada = visitor(), visitor()
    token = bot_account(owner, "Offering")
    with example_bot(server, token, "--player=random", "--offer=taiji:size=2") as bot:
        assert bot.stdout is not None
        bot.stdout.readline()
        identity = bot.stdout.readline().partition(":")[0]
        table = ada.post(f"/api/tables/{identity}/join")
        with ada.open(identity) as socket:
            seen = socket.wait("snapshot")["table"]
            if not seen["moves"] and seen["turn"] != seen["your_seat"]:
                socket.wait_move(0)
            moves = ada.get(f"/api/tables/{identity}")["moves"]
            game = parse_game("taiji:size=2")
            state = game.start()
            for move in moves:
                state = state.play(game.move(move["action"]))
            if not state.is_over and state.seat_to_move.name.lower() == table["your_seat"]:
                socket.ask("move", ply=state.ply, move=state.legal()[0].action)
            socket.wait("end")


def test_a_bad_token_is_one_clear_line(server: Running) -> None:
    command = [str(TAIJI), "bot", f"--url={server.url}", "--token=wrong", "--player=random"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "token" in done.stderr
    nowhere = subprocess.run(
        [str(TAIJI), "bot", "--url=http://127.0.0.1:9", "--token=x", "--player=random"],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert nowhere.returncode == 2
    assert nowhere.stderr.count("\n") == 1


def test_a_challenge_can_be_declined(server: Running, visitor: Make) -> None:
    owner, ada, eve = visitor(), visitor(), visitor()
    token = bot_account(owner, "Choosy")
    bot = Visitor(server.url, token=token)
    with bot.client.stream("GET", "/api/stream/events") as stream:
        lines = stream.iter_lines()
        table = ada.table(opponent="player", player="Choosy")
        notice = json.loads(next(line for line in lines if line.strip()))
        assert (notice["type"], notice["table"]["id"]) == ("challenge", table["id"])
    path = f"/api/tables/{table['id']}"
    assert eve.refused(f"{path}/join") == (403, "not-your-table")
    assert eve.refused(f"{path}/decline") == (403, "not-your-table")
    bot.post(f"{path}/decline")
    assert ada.get(path)["result"]["ended_by"] == "aborted"
    assert bot.refused(f"{path}/join") == (409, "taken")
    bot.close()


def test_a_table_streams_its_frames(server: Running, visitor: Make) -> None:
    ada = visitor()
    table = ada.table(opponent="open")
    with ada.client.stream("GET", f"/api/tables/{table['id']}/stream") as stream:
        assert stream.headers["content-type"] == "application/x-ndjson"
        lines = (json.loads(line) for line in stream.iter_lines() if line.strip())
        assert next(lines)["type"] == "snapshot"
        assert next(lines)["type"] == "presence"
        ada.act(table["id"], "abort")
        assert next(lines)["event_type"] == "end"


def test_a_stream_needs_somebody(server: Running) -> None:
    import httpx

    assert (
        httpx.get(f"{server.url}/api/stream/events", timeout=PATIENCE_S).json()["error"]["code"]
        == "no-account"
    )
