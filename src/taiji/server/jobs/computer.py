"""The computer as an opponent: it thinks when it is its turn, within its clock."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING

from taiji.rules import Match, MatchContext, Scores
from taiji.server.contract.errors import ApiError
from taiji.server.contract.events import Ended, LevelChanged, TakenBack
from taiji.server.domain import commands
from taiji.server.jobs.engines import MOVE, EngineFailed

if TYPE_CHECKING:
    from taiji.server.domain.table import Event, Table
    from taiji.server.jobs.engines import EnginePool
    from taiji.server.jobs.shared_engines import SharedEngines
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager

log = logging.getLogger("taiji.server")

_INTERRUPTING = (TakenBack, Ended, LevelChanged)
"""Events after which a search is useless."""
MAX_THINK_S = 5.0
MIN_THINK_S = 0.05
RETRY_S = 2.0
MARGIN_MS = 400
"""Time that the computer leaves on its clock for everything but thinking."""


def thinking_time(table: Table, now: int) -> float:
    """Return the computer's thinking time in seconds: a fraction of its remaining time."""
    if table.clock is None or table.clock.running is None:
        return MAX_THINK_S
    side, rule = table.clock.remaining_at(now), table.clock.rule
    if rule.clock_type == "correspondence":
        return MAX_THINK_S
    each_move = rule.increment_ms + rule.delay_ms
    if rule.clock_type == "byoyomi" and side.in_periods(rule):
        each_move, main = side.remaining_ms // 2, 0
    else:
        main = side.remaining_ms
    share = main / 25 + 0.8 * each_move
    maximum = side.remaining_ms + table.clock.grace_ms - MARGIN_MS
    return max(MIN_THINK_S, min(MAX_THINK_S, share / 1000, maximum / 1000))


def match_context(table: Table) -> MatchContext | None:
    """Return what the first game of a match means for the second; None if there is no such game."""
    if table.match is None or table.match.game_no == 1:
        return None
    first, second = table.match.carried_points
    # Carried points are by the seats of this game; in the first game they were exchanged.
    return Match(table.game, table.settings.match_rule).context(Scores(second, first))


class Computer:
    """Plays for the computer in all rooms."""

    def __init__(self, rooms: RoomManager, engines: EnginePool | SharedEngines, pace: float) -> None:
        self._rooms = rooms
        self._engines = engines
        self._pace = pace
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._rng = random.Random()
        self._closed = False
        rooms.listeners.append(self.on_events)

    def on_events(self, room: Room, events: list[Event]) -> None:
        """Start thinking if it is the computer's turn, and stop if the position has changed."""
        table = room.table
        task = self._thinking.get(table.id)
        if task is not None and any(isinstance(event.data, _INTERRUPTING) for event in events):
            task.cancel()
            task = None
        if task is None and table.computer is not None and table.turn is table.computer:
            self._thinking[table.id] = task = asyncio.create_task(self._think(room))
            task.add_done_callback(lambda done: self._done(room, done))

    def _done(self, room: Room, task: asyncio.Task[None]) -> None:
        if self._thinking.get(room.table.id) is task:
            del self._thinking[room.table.id]
            room.set_thinking(False)
            if task.cancelled():
                return
            if task.exception() is not None:
                log.error("the computer could not move at %s: %r", room.table.id, task.exception())
                self._retry(room)
                return
            self.on_events(room, [])

    def _retry(self, room: Room) -> None:
        """Think again in a while; a room that could not be written is closed, and another takes its place."""

        def think_again() -> None:
            if not self._closed and self._rooms.rooms.get(room.table.id) is room:
                self.on_events(room, [])

        asyncio.get_running_loop().call_later(RETRY_S, think_again)

    async def _think(self, room: Room) -> None:
        table = room.table
        state, ply, seat = table.state, len(table.moves), table.turn
        assert seat is not None
        room.set_thinking(True)
        began = self._rooms.time.now()
        action = await self._choose(table)
        elapsed = (self._rooms.time.now() - began) / 1000
        if elapsed < self._pace:
            await self._rooms.time.sleep(self._pace - elapsed)
        if table.state is state and table.turn is seat and not room.is_closed:
            await self._rooms.execute_and_wait(room, lambda t, now: commands.move(t, seat, ply, action, now))

    async def _choose(self, table: Table) -> int:
        seat = table.computer
        assert seat is not None
        player, other = table.seats[seat], table.seats[seat.other]
        assert player is not None
        for attempt in range(2):
            seconds = thinking_time(table, self._rooms.time.now())
            match = match_context(table)
            request = {
                "do": "move",
                "game": table.settings.game,
                "moves": [played.action for played in table.moves],
                "player": f"level:{player.level}",
                "seconds": seconds,
                "match": None if match is None else [match.lead, match.tie_winner],
            }
            try:
                job = self._engines.submit(other.id if other else "", request, seconds=seconds, priority=MOVE)
                async with asyncio.timeout(self._engine_timeout(table)):
                    reply = await job
                return int(reply["candidates"][0]["move"])
            except (EngineFailed, ApiError, TimeoutError) as error:
                log.warning("the engine failed at table %s (attempt %d): %s", table.id, attempt + 1, error)
        # A random move rather than a game that hangs.
        return self._rng.choice(table.state.legal()).action

    def _engine_timeout(self, table: Table) -> float | None:
        """Return the seconds to wait for an engine before the clock is in danger, or None for no limit."""
        if table.deadline is None:
            return None
        return max(MIN_THINK_S, (table.deadline - self._rooms.time.now() - MARGIN_MS / 2) / 1000)

    async def close(self) -> None:
        """Stop thinking."""
        self._closed = True
        tasks = list(self._thinking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
