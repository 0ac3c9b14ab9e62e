"""The bot client against streams that repeat an event and a server that refuses a move once."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import httpx
import pytest

from taiji.protocol import bot_client
from taiji.rules import parse_game
from tests.waiting import PATIENCE_S

GAME = parse_game("taiji:size=3")


class FakeServer:
    """One game against Light, who has made a first move; the bot's first answer is refused."""

    def __init__(self) -> None:
        self.posted: list[int] = []
        self.first = GAME.start().legal()[0].action

    def table(self) -> dict[str, Any]:
        """Return the table as the bot sees it."""
        over = len(self.posted) > 2
        moves = [{"action": self.first}]
        return {
            "id": "t1", "game": str(GAME), "version": 3, "status": "over" if over else "playing",
            "your_seat": "second", "turn": "second", "moves": moves, "clock": None,
        }  # fmt: skip

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        if request.url.path == "/api/me":
            return httpx.Response(200, json={"account": {"name": "Robot"}})
        if request.url.path == "/api/stream/events":
            return self.lines({"type": "table-start", "table": {"id": "t1", "game": str(GAME)}})
        if request.url.path == "/api/tables/t1/move":
            self.posted.append(json.loads(request.content)["ply"])
            if len(self.posted) == 1:
                return httpx.Response(503, json={"error": {"code": "unavailable", "message": "busy"}})
            if len(self.posted) == 2:
                return httpx.Response(502, text="<h1>Bad Gateway</h1>")  # of a proxy
            return httpx.Response(200, json={"version": 4})
        data = {"ply": 0, "action": self.first, "turn": "second"}
        repeated = {"type": "event", "event_type": "move", "version": 3, "data": data}
        return self.lines({"type": "snapshot", "table": self.table()}, repeated)

    @staticmethod
    def lines(*frames: dict[str, Any]) -> httpx.Response:
        """Return frames as lines."""
        return httpx.Response(200, text="".join(f"{json.dumps(frame)}\n" for frame in frames))


def test_a_repeated_event_and_a_refused_move(monkeypatch: pytest.MonkeyPatch) -> None:
    server, said = FakeServer(), list[str]()
    client = partial(httpx.AsyncClient, transport=httpx.MockTransport(server.answer))
    monkeypatch.setattr(httpx, "AsyncClient", client)
    monkeypatch.setattr(bot_client, "RETRY_S", 0.0)

    async def run() -> None:
        over = asyncio.Event()

        def say(text: str) -> None:
            said.append(text)
            if text.endswith(": over"):
                over.set()

        running = asyncio.create_task(bot_client.Bot("http://server", "token", "random", say).run())
        async with asyncio.timeout(PATIENCE_S):
            await over.wait()
        running.cancel()

    asyncio.run(run())
    assert server.posted == [1, 1, 1]
    refused = [text.partition("move: ")[2] for text in said if "trying again" in text]
    assert refused == ["busy; trying again", "502 Bad Gateway; trying again"]


@pytest.mark.parametrize(
    ("status", "code", "may_pass"),
    [
        (408, "too-slow", True),
        (409, "stale-ply", True),
        (409, "illegal-move", False),
        (422, "bad-move", False),
        (429, "too-many-requests", True),
        (503, "unavailable", True),
    ],
)
def test_which_refusals_may_pass(status: int, code: str, *, may_pass: bool) -> None:
    response = httpx.Response(status, json={"error": {"code": code, "message": "no"}})
    assert bot_client.BotError("POST /", response).may_pass is may_pass


def test_a_refusal_that_cannot_pass_ends_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = httpx.Response(401, json={"error": {"code": "bad-token", "message": "unknown token"}})
    client = partial(httpx.AsyncClient, transport=httpx.MockTransport(lambda request: answer))
    monkeypatch.setattr(httpx, "AsyncClient", client)
    with pytest.raises(bot_client.BotError, match="unknown token"):
        asyncio.run(bot_client.Bot("http://server", "token", "random", print).run())
