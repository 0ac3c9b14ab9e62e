"""Ownership: leases, epochs and fences, so that a server that was replaced writes nothing any more."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, insert, literal, select

from taiji.server.identity.credentials import new_id
from taiji.server.store import leases
from taiji.server.store.database import DatabaseError, parse_url
from taiji.server.store.lease_client import LeaseClient, Sight
from taiji.server.store.leased_ownership import LeasedOwnership
from taiji.server.store.ownership import Fenced
from taiji.server.store.process_identity import has_ended, process_identity
from taiji.server.store.schema import heartbeats, shards
from taiji.server.store.shards import SHARDS, shard_column, shard_of, target
from taiji.server.store.store import Store
from tests.server.postgres import Postgres
from tests.waiting import PATIENCE_S, eventually


def add(name: str) -> Callable[[Connection], None]:
    def write(connection: Connection) -> None:
        connection.execute(insert(heartbeats), [{"process": name, "at": 1}])

    return write


async def written(store: Store) -> list[str]:
    return await store.read(lambda c: sorted(c.execute(select(heartbeats.c.process)).scalars()))


def leased(store: Store) -> LeasedOwnership:
    assert isinstance(store.ownership, LeasedOwnership)
    return store.ownership


def freeze(store: Store) -> None:
    """Stop the heartbeat of a server, as if its process were stopped; what it has queued is still written."""
    for task in leased(store)._tasks:
        task.cancel()


def owned(store: Store) -> int:
    return leased(store).stats()["shards"]


def with_stores(url: str, count: int, body: Callable[..., Awaitable[None]]) -> None:
    """Run a body with this many servers that share a database."""

    async def main() -> None:
        stores = [Store(url, shared=True) for _ in range(count)]
        for store in stores:
            await store.open()
        try:
            await body(*stores)
        finally:
            for store in stores:
                await store.close()

    asyncio.run(main())


def test_a_heartbeat_that_is_woken_as_it_is_cancelled_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the server waits for it, and never stops."""

    async def main() -> None:
        ownership = LeasedOwnership(parse_url(f"sqlite:///{tmp_path / 'games.sqlite'}"), shares=False)
        beats = 0

        async def heartbeat() -> None:
            nonlocal beats
            beats += 1

        monkeypatch.setattr(ownership, "_heartbeat", heartbeat)
        running = asyncio.create_task(ownership._run())
        await eventually(lambda: beats == 1, "the first heartbeat")
        ownership.look_again()
        await asyncio.sleep(0)  # its wait has ended, but it has not been told yet
        running.cancel()
        await asyncio.wait({running}, timeout=PATIENCE_S)
        assert running.cancelled()

    asyncio.run(main())


@pytest.mark.parametrize("link", [os.symlink, os.link, os.rename])
def test_an_sqlite_file_is_one_database_under_every_name(
    tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    async def main() -> None:
        store = Store(f"sqlite:///{tmp_path / 'games.sqlite'}")
        await store.open()
        link(tmp_path / "games.sqlite", tmp_path / "other.sqlite")
        with pytest.raises(DatabaseError, match="another server is using"):
            await Store(f"sqlite:///{tmp_path / 'other.sqlite'}").open()
        await store.write(add("still here"))
        await store.close()
        await (again := Store(f"sqlite:///{tmp_path / 'other.sqlite'}")).open()
        await again.close()

    asyncio.run(main())


def test_several_servers_need_postgresql(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="several servers need a PostgreSQL database"):
        Store(f"sqlite:///{tmp_path / 'games.sqlite'}", shared=True)


def test_the_database_and_python_agree_on_shards(postgres: Postgres) -> None:
    engine = create_engine(parse_url(postgres.new_database()))
    ids = [new_id() for _ in range(500)] + ["a", "zz"]
    with engine.connect() as connection:
        stored = [connection.execute(select(shard_column(literal(one)))).scalar() for one in ids]
        assert stored == [shard_of(one) for one in ids]
    engine.dispose()
    assert len({shard_of(one) for one in (new_id() for _ in range(20_000))}) == SHARDS


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100, 256])
def test_shares_are_equal_and_few_shards_move(count: int) -> None:
    nodes = [f"n{number}" for number in range(count)]
    shares = {node: target(dict.fromkeys(nodes, 0), node) for node in nodes}
    assert sum(shares.values()) == SHARDS
    assert max(shares.values()) - min(shares.values()) <= 1
    assert {node: target(shares, node) for node in nodes} == shares  # nothing moves without a reason
    joined = {**shares, "new": 0}
    after = {node: target(joined, node) for node in joined}
    moved = sum(max(0, joined[node] - after[node]) for node in joined)
    assert moved == after["new"]


def test_shards_are_shared_and_move_when_a_server_joins_or_leaves(postgres: Postgres) -> None:
    url = postgres.new_database()

    async def body(one: Store, two: Store) -> None:
        await eventually(lambda: owned(one) == owned(two) == SHARDS // 2, "the shards are not shared")
        third = Store(url, shared=True)
        await third.open()
        await eventually(lambda: min(map(owned, (one, two, third))) >= 85, "the third gets no share")
        await third.ownership.hand_over()
        assert (owned(one), owned(two), owned(third)) == (SHARDS // 2, SHARDS // 2, 0)
        await third.write(add("still here"))  # it owns nothing, but what its visitors asked for is written
        await third.close()
        table = next(t for t in iter(new_id, "") if one.ownership.term(t) is not None)
        assert two.ownership.term(table) is None
        await eventually(
            lambda: two.ownership.owner(table) == one.ownership.token, "the owner is not known elsewhere"
        )

    with_stores(url, 2, body)


def test_a_server_that_was_replaced_cannot_write(postgres: Postgres) -> None:
    """Also not what it had decided before, and not under the new id that it gets when it wakes up."""
    url = postgres.new_database()

    async def body(zombie: Store, heir: Store) -> None:
        await zombie.write(add("before"))
        freeze(zombie)
        decided = zombie.ownership.token
        await eventually(lambda: owned(heir) == SHARDS, "nobody takes over")
        assert zombie.ownership.term("any table") is None  # it knows by its own clock
        late = [zombie.write(add("late")), zombie.write(add("later"))]
        for one in await asyncio.gather(*late, return_exceptions=True):
            assert isinstance(one, Fenced)
        await leased(zombie)._heartbeat()
        assert zombie.ownership.token != decided
        writer, leased_token = zombie._writer, zombie.ownership.token
        zombie.ownership.token = decided  # type: ignore[misc]
        old = writer.submit(add("decided before"))
        zombie.ownership.token = leased_token  # type: ignore[misc]
        new = writer.submit(add("decided after"))
        results = await asyncio.gather(old, new, return_exceptions=True)
        assert isinstance(results[0], Fenced)
        assert results[1] is None
        assert await written(heir) == ["before", "decided after"]

    with_stores(url, 2, body)


def test_nobody_is_declared_dead_because_the_database_was_away(postgres: Postgres) -> None:
    """All leases run out while it is away; who comes back first must not take over from the rest."""
    url = postgres.new_database()

    async def body(one: Store, two: Store) -> None:
        tokens = [one.ownership.token, two.ownership.token]
        await eventually(lambda: owned(one) == owned(two) == SHARDS // 2, "the shards are not shared")
        epochs = await one.read(lambda c: sum(c.execute(select(shards.c.epoch)).scalars()))
        gained: list[int | None] = []

        async def resume(downtimes: Mapping[int, int | None]) -> None:
            gained.extend(downtimes.values())

        one.ownership.on_gain.append(resume)
        postgres.restart(away_s=leases.LEASE_MS / 1000 + 0.5)
        await eventually(lambda: len(gained) == SHARDS // 2, "the clocks are not resumed")
        assert min(away or 0 for away in gained) >= leases.LEASE_MS
        await eventually(lambda: owned(one) == owned(two) == SHARDS // 2, "the shards do not come back")
        assert [one.ownership.token, two.ownership.token] == tokens
        assert await one.read(lambda c: sum(c.execute(select(shards.c.epoch)).scalars())) == epochs

    with_stores(url, 2, body)


def test_the_time_that_a_server_needs_to_take_over_is_downtime(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.new_database()
    look = LeaseClient.look

    def look_slowly(client: LeaseClient, node_id: str, *, is_leaving: bool) -> Sight:
        sight = look(client, node_id, is_leaving=is_leaving)
        time.sleep(0.5)
        return sight

    async def main() -> None:
        await (first := Store(url)).open()
        await first.close()
        monkeypatch.setattr(LeaseClient, "look", look_slowly)
        charged_until: dict[int, float] = {}

        async def resume(downtimes: Mapping[int, int | None]) -> None:
            charged_until.update({n: time.time() * 1000 - (away or 0) for n, away in downtimes.items()})

        second = Store(url)
        second.ownership.on_gain.append(resume)
        await second.open()
        gone = {row.shard: row.gone_at for row in await second.read(leases.owners)}
        await second.close()
        assert set(charged_until) == set(gone)
        for shard, gone_at in gone.items():
            assert gone_at is not None
            assert charged_until[shard] <= gone_at + 2  # times are whole milliseconds

    asyncio.run(main())


def test_a_server_that_closes_gains_nothing(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If a busy machine keeps it from renewing its lease, the next server resumes the clocks."""

    async def main() -> None:
        store = Store(postgres.new_database())
        ownership, close_writer, times = leased(store), store._writer.close, list[int]()

        async def resume(downtimes: Mapping[int, int | None]) -> None:
            await store.write(add("resumed"))

        async def close_slowly() -> None:
            await close_writer()
            ownership._gap = ownership._renewed
            ownership.look_again()
            seen = len(times)
            await eventually(lambda: len(times) >= seen + 2, "the lease is not renewed any more")

        await store.open()
        ownership.on_gain.append(resume)
        ownership.on_time.append(lambda now, *_: times.append(now))
        monkeypatch.setattr(store._writer, "close", close_slowly)
        await store.close()

    asyncio.run(main())
    assert "change of owner" not in caplog.text


def test_a_lone_server_and_servers_that_share_exclude_each_other(postgres: Postgres) -> None:
    url = postgres.new_database()

    async def main() -> None:
        lone = Store(url)
        await lone.open()
        for other in (Store(url), Store(url, shared=True)):
            with pytest.raises(DatabaseError, match="another server is using"):
                await other.open()
        await lone.close()
        sharing = Store(url, shared=True)
        await sharing.open()
        with pytest.raises(DatabaseError, match="another server is using"):
            await Store(url).open()
        await sharing.close()

    asyncio.run(main())


def test_a_process_knows_whether_another_has_ended() -> None:
    here = process_identity()
    assert not has_ended(here)
    machine = here.split("/")[0]
    assert has_ended(f"{machine}/{os.getpid()}/1")  # the number was given to another process
    assert has_ended(f"{machine}/{2**22 + 1}/1")
    assert not has_ended("another-machine:1/1/1")
    assert not has_ended("")
