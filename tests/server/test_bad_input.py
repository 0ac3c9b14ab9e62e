"""Bad input and bad people: refused with a reason, counted, closed where needed; nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.running import Running, Socket, Visitor
from tests.server.test_play import by_link
from tests.waiting import PATIENCE_S

Make = Callable[[], Visitor]


def test_a_frame_over_16_kb_ends_the_connection(visitor: Make) -> None:
    ada = visitor()
    table = ada.table(opponent="open")
    with ada.open(table["id"]) as socket:
        socket.wait("snapshot")
        socket.socket.send(json.dumps({"type": "move", "id": "x" * 17_000}))
        assert socket.closed() == 1009


def test_a_flood_of_messages_ends_the_connection(visitor: Make, server: Running) -> None:
    ada = visitor()
    table = ada.table(opponent="open")
    with ada.open(table["id"]) as socket:
        with suppress(ConnectionClosed):  # the server may close while the last ones are sent
            for n in range(105):
                socket.socket.send(json.dumps({"type": "pong", "n": n}))
        assert socket.closed() == 4429
    assert ada.get("/api/health")["refused"]["too-many-messages"] >= 1


@pytest.mark.parametrize(
    "frame",
    [
        "{",
        "[]",
        "null",
        "7",
        '"move"',
        '{"type": "dance", "id": "1"}',
        '{"type": "move"}',
        "[" * 5000,
        "\x00",
    ],
)
def test_garbage_is_answered_and_then_shown_the_door(visitor: Make, frame: str) -> None:
    ada = visitor()
    table = ada.table(opponent="open")
    with ada.open(table["id"]) as socket:
        socket.wait("snapshot")
        for _ in range(2):
            socket.socket.send(frame)
            assert socket.wait("error")["error"]["code"] in ("bad-json", "bad-request")
        socket.socket.send(frame)
        assert socket.closed() == 4400


def test_bytes_are_no_message(visitor: Make) -> None:
    ada = visitor()
    with ada.open(ada.table(opponent="open")["id"]) as socket:
        socket.socket.send(b"\xff\x00")
        assert socket.wait("error")["error"]["code"] == "bad-json"


def test_single_bad_frames_do_no_harm(visitor: Make) -> None:
    ada, bob = visitor(), visitor()
    table = by_link(ada, bob)
    with ada.open(table["id"]) as socket:
        socket.wait("snapshot")
        socket.socket.send("{")
        assert socket.ask("move", ply=0, move={"a": 1})["error"]["code"] == "bad-request"
        assert socket.ask("move", ply=0, move=0)["type"] == "ack"


def test_a_foreign_page_gets_no_socket(visitor: Make) -> None:
    ada = visitor()
    table = ada.table(opponent="open")
    with ada.open(table["id"], origin="https://evil.example") as socket:
        assert socket.closed() == 4403
    with ada.open("doesnotexist") as socket:
        assert socket.closed() == 4404


def test_another_version_of_the_protocol_is_refused(visitor: Make) -> None:
    ada = visitor()
    table = ada.table(opponent="open")
    with Socket(ada, f"/ws/tables/{table['id']}?protocol=1") as socket:
        assert socket.closed() == 4426


def test_a_foreign_page_changes_nothing(visitor: Make) -> None:
    ada = visitor()
    body = {"game": "taiji", "opponent": "open"}
    foreign = ada.client.post("/api/tables", json=body, headers={"Origin": "https://evil.example"})
    assert (foreign.status_code, foreign.json()["error"]["code"]) == (403, "foreign-origin")
    forged = ada.client.post("/api/tables", json=body, headers={"X-CSRF-Token": "guess"})
    assert (forged.status_code, forged.json()["error"]["code"]) == (403, "csrf")
    del ada.client.headers["X-CSRF-Token"]
    assert ada.refused("/api/tables", body) == (403, "csrf")


def test_bodies_are_bounded(visitor: Make) -> None:
    ada = visitor()
    assert ada.refused("/api/records", {"text": "x" * 300_000}) == (413, "too-large")

    def endless():
        for _ in range(40):
            yield b" " * 10_000

    answer = ada.client.post("/api/records", content=endless(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad-json"),
        (b"\xff", 400, "bad-json"),
        (b'{"game": "chess"}', 400, "bad-game"),
        (b'{"game": "taiji:size=99"}', 400, "bad-game"),
        (b'{"game": "taiji", "level": 11}', 422, "bad-request"),
        (b'{"game": "taiji", "surprise": 1}', 422, "bad-request"),
        (b'{"game": "taiji", "opponent": "open", "level": 3}', 422, "bad-request"),
        (b'{"game": "taiji", "rated": true}', 422, "bad-request"),
        (b'{"game": "taiji", "clock": {"clock_type": "sudden", "main_s": 0}}', 422, "bad-request"),
        (
            b'{"game": "taiji", "clock": {"clock_type": "fischer", "main_s": 0, "increment_s": 0}}',
            422,
            "bad-request",
        ),
        (b'{"game": "taiji", "opponent": "player", "player": "nobody-here"}', 404, "not-found"),
    ],
)
def test_a_table_nobody_can_lay(visitor: Make, body: bytes, status: int, code: str) -> None:
    answer = visitor().client.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_every_refusal_has_the_same_shape(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        for answer in (
            client.get("/api/nothing"),
            client.put("/api/me"),
            client.get("/api/tables/unknown"),
            client.get("/api/game-definition"),
            client.get("/missing.js"),
            client.get("/api/me", headers={"Authorization": "Bearer nonsense"}),
        ):
            error = answer.json()["error"]
            assert answer.is_client_error
            assert set(error) <= {"code", "message", "reason", "fields"}
            assert error["message"]


def test_what_is_refused_is_counted(visitor: Make) -> None:
    ada = visitor()
    before = ada.get("/api/health")["refused"].get("bad-game", 0)
    ada.refused("/api/tables", {"game": "chess"})
    assert ada.get("/api/health")["refused"]["bad-game"] == before + 1


def test_too_many_tables_are_refused_with_the_time_to_wait(visitor: Make) -> None:
    ada = visitor()
    for _ in range(60):
        ada.table(opponent="open")
    answer = ada.client.post("/api/tables", json={"game": "taiji", "opponent": "open"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many-requests")
    assert 1 <= int(answer.headers["Retry-After"]) <= 600
