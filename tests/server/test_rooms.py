"""Rooms with an injected clock: flags, forgetting, failing disks and impatient callers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from taiji.rules import MatchRule, Seat
from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.events import Resumed
from taiji.server.domain import commands
from taiji.server.domain.clocks import DAY_MS
from taiji.server.domain.table import SeatedPlayer, TableSettings
from taiji.server.live.eviction import IDLE_EVICT_MS, refresh_loaded_rooms
from taiji.server.live.resume import resume_after_restart, run_heartbeat
from taiji.server.live.room import Room
from taiji.server.live.rooms import RoomManager
from taiji.server.live.supervisor import Supervisor
from taiji.server.store import queries
from taiji.server.store.shards import SHARDS
from taiji.server.store.store import Store
from tests.waiting import eventually


class SetTimes:
    """A clock that the test sets; sleepers wake when it has come so far."""

    def __init__(self) -> None:
        self._now = 1_000_000
        self._sleepers: list[tuple[int, asyncio.Future[None]]] = []

    def now(self) -> int:
        return self._now

    async def sleep(self, seconds: float) -> None:
        waiting = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + int(seconds * 1000), waiting))
        await waiting

    async def go(self, milliseconds: int) -> None:
        self._now += milliseconds
        for at, waiting in list(self._sleepers):
            if at <= self._now and not waiting.done():
                waiting.set_result(None)
        for _ in range(20):  # let all that woke do its work
            await asyncio.sleep(0.005)


class Seen:
    """A member that remembers what it was sent."""

    def __init__(self, lag: int = 0, seat: Seat | None = None) -> None:
        self.texts: list[str] = []
        self.closed: int | None = None
        self.lag, self.seat, self.ids = lag, seat, frozenset({"watcher"})

    def send(self, text: str) -> None:
        self.texts.append(text)

    def close(self, code: int) -> None:
        self.closed = code


def settings(clock: dict[str, Any] | None) -> TableSettings:
    choice = None if clock is None else CLOCK_CHOICE.validate_python(clock)
    return TableSettings("taiji:size=4", None, MatchRule.NESTORGAMES, "link", choice, True, False, "ada")


PLAYERS = {Seat.FIRST: SeatedPlayer("ada", "Ada"), Seat.SECOND: SeatedPlayer("bob", "Bob")}


def with_rooms(where: Path | str, body: Callable[[RoomManager, SetTimes, Store], Awaitable[None]]) -> None:
    async def main() -> None:
        url = where if isinstance(where, str) else f"sqlite:///{where / 'x.sqlite'}"
        times, store = SetTimes(), Store(url)
        await store.open()
        rooms, supervisor = RoomManager(store, times), Supervisor(times)
        rooms.start(supervisor)
        try:
            await body(rooms, times, store)
        finally:
            await supervisor.close()
            await rooms.close()
            await store.close()

    asyncio.run(main())


async def move(rooms: RoomManager, room: Room, number: int | str) -> None:
    seat, ply = room.table.turn, len(room.table.moves)
    assert seat is not None
    await rooms.execute_and_wait(room, lambda table, now: commands.move(table, seat, ply, number, now))


def test_the_flag_falls_by_itself_and_lag_is_waited_for(tmp_path: Path) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings({"clock_type": "sudden", "main_s": 10}), PLAYERS, False)
        room.enter(Seen(lag=300, seat=Seat.FIRST))
        await move(rooms, room, 0)
        await move(rooms, room, "d3/d4")
        await times.go(10_000)
        assert room.table.status == "playing"  # a move made in time may still be on its way
        await times.go(301)
        await eventually(lambda: room.table.result is not None, "the flag does not fall")
        assert room.table.result is not None
        assert (room.table.result.winner, room.table.result.ended_by) == ("second", "time")
        await times.go(100_000)

    with_rooms(tmp_path, body)


def test_a_correspondence_game_is_forgotten_and_yet_flagged(tmp_path: Path) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings({"clock_type": "correspondence", "days": 1}), PLAYERS, False)
        table_id = room.table.id
        await move(rooms, room, 0)
        await times.go(IDLE_EVICT_MS + 1)
        await refresh_loaded_rooms(rooms)
        assert table_id not in rooms.rooms
        await times.go(DAY_MS - IDLE_EVICT_MS)
        await refresh_loaded_rooms(rooms)
        again = await rooms.get(table_id)
        await times.go(30_000)
        await eventually(lambda: again.table.result is not None, "the flag does not fall")
        assert again.table.result is not None
        assert again.table.result.ended_by == "time"

    with_rooms(tmp_path, body)


def test_a_room_that_somebody_looks_at_is_kept(tmp_path: Path) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings(None), PLAYERS, False)
        watcher = Seen()
        room.enter(watcher)
        await times.go(IDLE_EVICT_MS + 1)
        await refresh_loaded_rooms(rooms)
        assert room.table.id in rooms.rooms
        room.leave(watcher)
        await refresh_loaded_rooms(rooms)
        assert room.table.id not in rooms.rooms
        assert (await rooms.get(room.table.id)).table.state == room.table.state

    with_rooms(tmp_path, body)


def test_nothing_is_told_that_could_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings(None), PLAYERS, False)
        watcher = Seen()
        room.enter(watcher)
        watcher.texts.clear()

        def full(connection: Connection, jobs: object) -> None:
            raise OSError("no space left on device")

        monkeypatch.setattr(queries.AddMove, "execute_many", staticmethod(full))
        with pytest.raises(OSError, match="no space"):
            await move(rooms, room, 0)
        assert watcher.texts == []
        assert watcher.closed == 1012  # it comes back, and finds what is on disk
        monkeypatch.undo()
        fresh = await rooms.get(room.table.id)
        assert fresh is not room
        assert fresh.table.moves == []
        await move(rooms, fresh, 0)

    with_rooms(tmp_path, body)


def test_a_move_is_not_written_after_one_that_was_not(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both moves share a commit that fails; then each is tried alone, and only the first is at fault."""
    execute_many = queries.AddMove.execute_many

    def fail_at_first(connection: Connection, jobs: Sequence[queries.AddMove]) -> None:
        if any(job.moved["ply"] == 1 for job in jobs):
            raise OSError("no space left on device")
        execute_many(connection, jobs)

    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings(None), PLAYERS, False)
        version = room.table.version
        monkeypatch.setattr(queries.AddMove, "execute_many", staticmethod(fail_at_first))
        blocked = threading.Event()
        store.write(lambda _: blocked.wait())  # so that both moves are in one batch
        moves = [
            rooms.execute(room, lambda t, now: commands.move(t, Seat.FIRST, 0, 0, now)),
            rooms.execute(room, lambda t, now: commands.move(t, Seat.SECOND, 1, "d3/d4", now)),
        ]
        blocked.set()
        first, second = await asyncio.gather(*moves, return_exceptions=True)
        assert isinstance(first, OSError)
        assert isinstance(second, queries.OutOfOrder)
        monkeypatch.undo()
        fresh = await rooms.get(room.table.id)
        assert (fresh.table.version, fresh.table.moves) == (version, [])
        await move(rooms, fresh, 0)

    with_rooms(database_url, body)


def test_a_shard_is_not_released_while_a_table_is_created(tmp_path: Path) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        blocked = threading.Event()
        store.write(lambda _: blocked.wait())
        creation = asyncio.create_task(rooms.create_table(settings(None), PLAYERS, False))
        await asyncio.sleep(0)
        loss = asyncio.create_task(rooms.replicas.lose(range(SHARDS)))
        await asyncio.sleep(0.1)
        waits = not loss.done()
        blocked.set()
        await loss
        assert waits
        room = await creation
        assert room.pending is not None
        assert room.pending.done()
        assert not rooms.creating

    with_rooms(tmp_path, body)


def test_who_gives_up_waiting_does_not_undo_a_move(tmp_path: Path) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings(None), PLAYERS, False)
        watcher = Seen()
        room.enter(watcher)
        impatient = asyncio.create_task(move(rooms, room, 0))
        await asyncio.sleep(0)
        impatient.cancel()
        await room.wait_persisted()
        await eventually(
            lambda: any('"event_type":"move"' in text for text in watcher.texts), "the move is not told"
        )
        assert watcher.closed is None

    with_rooms(tmp_path, body)


def test_clocks_go_on_where_a_server_left_off(tmp_path: Path) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings({"clock_type": "sudden", "main_s": 100}), PLAYERS, False)
        await move(rooms, room, 0)
        await move(rooms, room, "d3/d4")
        times._now += 10_000
        await store.write(lambda c: queries.write_heartbeat(c, "main", times.now()))
        rooms.rooms.clear()  # the server dies, and another one starts an hour later
        times._now += 3_600_000
        assert await resume_after_restart(store, times) == 1
        again = await rooms.get(room.table.id)
        assert again.table.clock is not None
        view = again.table.clock.view(times.now())
        assert view.first.remaining_ms == 90_000
        assert view.running == "first"
        assert again.recent[-1].event_type == "resume"
        assert again.recent[-1].data == Resumed(downtime_ms=3_600_000)

    with_rooms(tmp_path, body)


@pytest.mark.parametrize(
    "clock", [{"clock_type": "correspondence", "days": 3}, {"clock_type": "sudden", "main_s": 86_400}]
)
def test_a_crash_gives_no_time_back_to_games_that_are_not_in_memory(
    tmp_path: Path, clock: dict[str, Any]
) -> None:
    """Nobody looks at a game with days per move: it leaves memory, and its clock runs on."""
    gone_ms = 20 * 3_600_000

    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        room = await rooms.create_table(settings(clock), PLAYERS, False)
        await move(rooms, room, 0)
        await move(rooms, room, "d3/d4")
        assert room.table.deadline is not None
        remaining_ms = room.table.deadline - times.now()
        beating = asyncio.create_task(run_heartbeat(store, rooms, times))
        await times.go(IDLE_EVICT_MS + 1)
        await refresh_loaded_rooms(rooms)
        assert rooms.rooms == {}
        await times.go(gone_ms - IDLE_EVICT_MS - 1)
        at = times.now()
        await _eventually_stored(store, at)
        beating.cancel()  # the server crashes, and another one starts an hour later
        times._now += 3_600_000
        assert await resume_after_restart(store, times) == 1
        again = await rooms.get(room.table.id)
        assert again.table.clock is not None
        assert again.table.clock.view(times.now()).first.remaining_ms == remaining_ms - gone_ms

    with_rooms(tmp_path, body)


async def _eventually_stored(store: Store, at: int) -> None:
    """Wait until the server has noted that it lives at this time."""
    for _ in range(500):
        if await store.read(lambda c: queries.last_heartbeat(c, "main")) == at:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("no heartbeat is written")


def test_a_table_that_is_loaded_while_it_is_created_has_one_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        register = rooms._register

        def register_late(room: Room) -> Room:
            # What the eviction loop reads between the commit and the registration.
            loaded = Room(room.table, list(room.recent))
            register(loaded)
            monkeypatch.undo()
            return register(room)

        monkeypatch.setattr(rooms, "_register", register_late)
        made = await rooms.create_table(settings({"clock_type": "sudden", "main_s": 10}), PLAYERS, False)
        assert rooms.rooms[made.table.id] is made
        assert await rooms.get(made.table.id) is made

    with_rooms(tmp_path, body)
