"""Tournaments and matches with an injected clock and failing disks: a result counts once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select

from taiji.rules import Seat
from taiji.server.contract.clocks import SuddenDeath
from taiji.server.contract.errors import ApiError
from taiji.server.contract.tournaments import NewTournament
from taiji.server.domain import commands
from taiji.server.domain.clocks import FIRST_MOVE_GRACE_MS
from taiji.server.identity.users import Account, User
from taiji.server.live.rooms import RoomManager
from taiji.server.live.supervisor import Supervisor
from taiji.server.store.schema import accounts, rating_history
from taiji.server.store.schema_tournaments import tournament_events
from taiji.server.store.store import Store
from taiji.server.tournaments.background import MAX_RETRY_DELAY_S
from taiji.server.tournaments.hosted import HostedTournament
from taiji.server.tournaments.manager import TournamentManager
from taiji.server.tournaments.ratings import Ratings
from tests.server.test_rooms import PLAYERS, SetTimes, move, settings, with_rooms


def test_an_absent_opponent_loses_the_second_game_by_the_clock(tmp_path: Path) -> None:
    async def body(rooms: RoomManager, times: SetTimes, store: Store) -> None:
        one = await rooms.create_table(settings({"clock_type": "sudden", "main_s": 60}), PLAYERS, match=True)
        while one.table.status == "playing":
            await move(rooms, one, one.table.state.legal()[0].action)
        assert one.table.match is not None
        assert one.table.match.other is not None
        two = await rooms.get(one.table.match.other)
        assert two.table.turn is Seat.FIRST
        await times.go(FIRST_MOVE_GRACE_MS + 59_000)
        assert two.table.status == "playing"
        await times.go(2_000)
        assert two.table.result is not None
        assert (two.table.result.winner, two.table.result.ended_by) == ("second", "time")
        assert two.table.match_result is not None
        assert (two.table.match_result.winner, two.table.match_result.ended_by) == ("second", "time")
        assert one.table.match_result is not None
        assert one.table.match_result.winner == "first"  # the seats were exchanged

    with_rooms(tmp_path, body)


class FaultyStore(Store):
    """A store of which one write fails, before or after it is on disk."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.writes_until_fault = -1
        self.after_commit = False

    def write(self, work: Callable[[Connection], Any]) -> asyncio.Future[Any]:
        self.writes_until_fault -= 1
        if self.writes_until_fault != 0:
            return super().write(work)
        failed: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.after_commit:
            super().write(work).add_done_callback(lambda _: failed.set_exception(OSError("lost")))
        else:
            failed.set_exception(OSError("no space left on device"))
        return failed


class Managers:
    """The managers of tournaments and ratings over one store."""

    def __init__(self, store: FaultyStore, times: SetTimes) -> None:
        self.store, self.times = store, times
        self.rooms = RoomManager(store, times)
        self.supervisor = Supervisor(times)
        self.ratings = Ratings(store, self.rooms, times)
        self.tournaments = TournamentManager(store, self.rooms, self.ratings, times)

    async def close(self) -> None:
        await self.supervisor.close()
        await self.tournaments.close()
        await self.ratings.close()
        await self.rooms.close()
        await self.store.close()


def with_managers(tmp_path: Path, body: Callable[[Managers], Awaitable[None]]) -> None:
    async def main() -> None:
        managers = Managers(FaultyStore(f"sqlite:///{tmp_path / 'x.sqlite'}"), SetTimes())
        await managers.store.open()
        managers.rooms.start(managers.supervisor)
        try:
            await body(managers)
        finally:
            await managers.close()

    asyncio.run(main())


async def register(store: Store, name: str) -> User:
    row = {
        "id": name, "name": name, "name_key": name.lower(), "look_key": name, "password": "",
        "account_type": "person",
        "created_at": 0,
    }  # fmt: skip
    await store.write(lambda connection: connection.execute(insert(accounts), [row]))
    return User(name, frozenset({name}), name, Account(name, name, "person"))


async def begin(managers: Managers, ana: User, bo: User) -> HostedTournament:
    clock = SuddenDeath(clock_type="sudden", main_s=600)
    wish = NewTournament(name="Club", format="match", game="taiji:size=3", rounds=1, clock=clock, rated=True)
    hosted = await managers.tournaments.create(ana, wish.model_copy(update={"match": False}))
    for user in (ana, bo):
        await managers.tournaments.join(hosted, user, hosted.invite, user.id)
    await managers.tournaments.start(hosted, ana)
    return hosted


async def resign_until_stored(managers: Managers, table_id: str) -> None:
    """Resign as a browser does: again after a failure, until the game is over."""
    while (room := await managers.rooms.get(table_id)).table.status != "over":
        try:
            await managers.rooms.execute_and_wait(
                room, lambda table, now: commands.resign(table, Seat.FIRST, now)
            )
        except (OSError, ApiError):
            await asyncio.sleep(0)


async def counts(store: Store, hosted: HostedTournament, table_id: str) -> tuple[Counter[str], int]:
    rows = select(tournament_events.c.data).where(tournament_events.c.tournament_id == hosted.id)
    rated = select(func.count()).where(rating_history.c.table_id == table_id)
    kinds = await store.read(lambda c: Counter(row["event"] for row in c.execute(rows).scalars()))
    return kinds, await store.read(lambda c: int(c.execute(rated).scalar_one()))


@pytest.mark.parametrize("after_commit", [False, True])
def test_a_result_counts_once_whichever_write_fails(tmp_path: Path, after_commit: bool) -> None:
    async def body(managers: Managers) -> None:
        ana, bo = await register(managers.store, "Ana"), await register(managers.store, "Bo")
        for fault in range(1, 5):
            hosted = await begin(managers, ana, bo)
            table_id = next(iter(hosted.openings.values()))
            managers.store.after_commit, managers.store.writes_until_fault = after_commit, fault
            await resign_until_stored(managers, table_id)
            for _ in range(3):  # a failed job is repeated after a pause
                await managers.times.go(1000 * MAX_RETRY_DELAY_S)
            kinds, rated = await counts(managers.store, hosted, table_id)
            assert (kinds["scored"], kinds["seated"], rated) == (1, 1, 2), f"write {fault}"
            now = await managers.tournaments.loaded.get(hosted.id)
            assert now.state.over
            assert now.version == sum(kinds.values())

    with_managers(tmp_path, body)


def test_a_request_that_is_given_up_is_counted_once(tmp_path: Path) -> None:
    async def body(managers: Managers) -> None:
        ana, bo = await register(managers.store, "Ana"), await register(managers.store, "Bo")
        hosted = await begin(managers, ana, bo)
        table_id = next(iter(hosted.openings.values()))
        leaving = asyncio.create_task(managers.tournaments.withdraw(hosted, bo, 2, back=False))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        await managers.store.write(lambda connection: None)  # a write that was already queued comes first
        now = await managers.tournaments.loaded.get(hosted.id)
        if not now.state.over:  # the write was given up before it began: ask again
            await managers.tournaments.withdraw(now, bo, 2, back=False)
        kinds, _ = await counts(managers.store, hosted, table_id)
        assert (kinds["scored"], kinds["withdrew"]) == (1, 1)

    with_managers(tmp_path, body)
