"""A bot: accepts challenges on a server and plays them with any player."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx

from taiji.players import Limit, Player, make_player
from taiji.rules import parse_game

READ_TIMEOUT_S = 30.0
"""The server sends a line every few seconds; without one for this long the connection is lost."""
RETRY_S = 2.0
MAX_THINK_S = 5.0


RETRIED_STATUSES = (408, 409, 429)
"""Refusals that may pass, as those from 500 on: too slow, the table has changed, or too many requests."""
FINAL_CODES = ("illegal-move",)
"""Reasons of such a status that a new snapshot does not mend."""


class BotError(ValueError):
    """The server, or a proxy before it, refused a request of the bot."""

    def __init__(self, request: str, response: httpx.Response) -> None:
        code, message = _problem(response)
        super().__init__(f"{request}: {message}")
        status = response.status_code
        self.may_pass = status >= 500 or (status in RETRIED_STATUSES and code not in FINAL_CODES)


class Bot:
    """One account on one server; each table has its own task and player."""

    def __init__(self, url: str, token: str, player: str, say: Callable[[str], None]) -> None:
        self._client = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {token}"},
            timeout=httpx.Timeout(READ_TIMEOUT_S),
        )
        self._player = player
        self._say = say
        self._tables: dict[str, asyncio.Task[None]] = {}

    async def run(self, offer: dict[str, Any] | None = None) -> None:
        """Accept challenges and play until interrupted; first create the open challenge `offer`, if any."""
        async with self._client:
            me = (await self._call("GET", "/api/me"))["account"]
            self._say(f"{me['name']} plays as {self._player}")
            if offer is not None:
                table = await self._call("POST", "/api/tables", offer)
                self._say(f"{table['id']}: an open challenge, {table['game']}")
            while True:
                try:
                    async for notice in self._lines("/api/stream/events"):
                        await self._on_notice(notice)
                except httpx.TransportError as error:
                    self._say(f"connection lost ({type(error).__name__}); trying again")
                except BotError as error:
                    if not error.may_pass:
                        raise
                    self._say(f"{error}; trying again")
                await asyncio.sleep(RETRY_S)

    async def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        response = await self._client.request(method, path, json=body)
        if response.is_error:
            raise BotError(f"{method} {path}", response)
        data: dict[str, Any] = response.json()
        return data

    async def _lines(self, path: str) -> AsyncIterator[dict[str, Any]]:
        async with self._client.stream("GET", path) as response:
            if response.is_error:
                await response.aread()
                raise BotError(f"GET {path}", response)
            async for line in response.aiter_lines():
                if line.strip():
                    yield json.loads(line)

    async def _on_notice(self, notice: dict[str, Any]) -> None:
        table = notice["table"]
        if notice["type"] == "challenge":
            try:
                await self._call("POST", f"/api/tables/{table['id']}/join")
            except BotError as error:
                self._say(f"{table['id']}: {error}")
        elif notice["type"] == "table-start" and table["id"] not in self._tables:
            self._say(f"{table['id']}: plays {table['game']}")
            task = asyncio.create_task(self._play(table["id"]))
            self._tables[table["id"]] = task
            task.add_done_callback(lambda done: self._ended(table["id"], done))

    def _ended(self, table_id: str, task: asyncio.Task[None]) -> None:
        self._tables.pop(table_id, None)
        if not task.cancelled() and task.exception() is not None:
            self._say(f"{table_id}: {task.exception()}")

    async def _play(self, table_id: str) -> None:
        player = make_player(self._player)
        try:
            while not await self._play_stream(table_id, player):
                await asyncio.sleep(RETRY_S)
        finally:
            player.close()

    async def _play_stream(self, table_id: str, player: Player) -> bool:
        """Play while following a table's stream; return whether the game has ended."""
        table: dict[str, Any] = {}
        moves: list[int] = []
        version = 0
        try:
            async for frame in self._lines(f"/api/tables/{table_id}/stream"):
                if frame["type"] == "snapshot":
                    table = frame["table"]
                    version = table["version"]
                    moves = [move["action"] for move in table["moves"]]
                    turn, over = table["turn"], table["status"] == "over"
                elif frame["type"] == "event" and frame["version"] > version:
                    version, event, data = frame["version"], frame["event_type"], frame["data"]
                    if event not in ("move", "takeback", "end"):
                        continue
                    over = event == "end"
                    moves = [*moves, data["action"]] if event == "move" else moves
                    moves = moves[: data["plies"]] if event == "takeback" else moves
                    turn = data.get("turn")
                else:
                    continue
                if over:
                    self._say(f"{table_id}: over")
                    return True
                if turn == table["your_seat"]:
                    await self._move(table, list(moves), frame.get("clock") or table["clock"], player)
        except httpx.TransportError:
            pass  # the caller tries again with a new snapshot
        except BotError as error:
            if not error.may_pass:
                raise
            self._say(f"{table_id}: {error}; trying again")
        return False

    async def _move(
        self, table: dict[str, Any], moves: list[int], clock: dict[str, Any] | None, player: Player
    ) -> None:
        game = parse_game(table["game"])
        state = game.start()
        for action in moves:
            state = state.play(game.move(action))
        seconds = MAX_THINK_S
        if clock is not None:
            seconds = max(0.05, min(seconds, clock[table["your_seat"]]["remaining_ms"] / 25_000))
        move, _ = await asyncio.to_thread(player.choose, state, Limit(seconds=seconds))
        body = {"id": uuid.uuid4().hex, "ply": len(moves), "move": move.action}
        await self._call("POST", f"/api/tables/{table['id']}/move", body)


def _problem(response: httpx.Response) -> tuple[str, str]:
    """Return the code, empty from a proxy, and the message of a refusal."""
    try:
        error = response.json()["error"]
        return str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        return "", f"{response.status_code} {response.reason_phrase}"
