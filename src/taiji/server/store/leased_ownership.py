"""Ownership by lease: this server owns the shards that its row in PostgreSQL covers.

Each batch of writes renews the lease in its own transaction, so a server that was frozen or cut off cannot
write once another has taken over. The heartbeat renews it in between, declares others dead, takes free shards
up to its share and releases those beyond it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from taiji.server.store import leases
from taiji.server.store.lease_client import LeaseClient, Sight
from taiji.server.store.leases import LEASE_MS
from taiji.server.store.ownership import Fenced, OnGain, OnLoss, Renewal, Term
from taiji.server.store.shards import SHARDS, shard_of
from taiji.server.store.writer import StoreError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection

log = logging.getLogger("taiji.server")

HEARTBEAT_S = 0.5
LEASE_S = LEASE_MS / 1000
GAP_S = 1.0
"""After a longer time without a renewal the clocks of the own games are resumed, as after a takeover."""
MAX_RELEASED = 64
"""How many shards are released at a time."""
HAND_OVER_S = 3.0
"""How long a server that stops waits until others have taken over: longer than one of them may be frozen."""
HAND_OVER_TICK_S = 0.02
SHARE_PATIENCE_S = 6.0
"""How long a new game waits until this server owns shards: longer than a takeover takes."""
SHARE_TICK_S = 0.05


class LeasedOwnership:
    """The shards of one server; with `shares` others own the rest."""

    def __init__(self, url: URL, *, shares: bool) -> None:
        self.on_gain: list[OnGain] = []
        self.on_loss: list[OnLoss] = []
        self.on_time: list[Callable[[int, float, float], None]] = []
        """Called with the database's time and between which times of the monotonic clock it was that."""
        self.on_gained: list[Callable[[], None]] = []
        """Called when this server decides in more shards than before."""
        self.on_change: list[Callable[[], None]] = []
        """Called when shards became free or changed their owner through this server."""
        self.token = f"n{token_hex(6)}"
        self.nodes: frozenset[str] = frozenset()
        self._staying: frozenset[str] = frozenset()
        """The servers that take shards."""
        self._is_leaving = False
        self._is_settled = False
        self._client = LeaseClient(url, shares=shares)
        self._thread = ThreadPoolExecutor(1, "taiji-lease")
        self._owners: dict[int, str | None] = {}
        self._epochs: dict[int, int] = {}
        self._mine: dict[int, Term] = {}
        """The shards in which this server decides."""
        self._coming: dict[int, leases.Shard] = {}
        """The shards that are this server's, but their clocks have not been resumed."""
        self._leaving: set[int] = set()
        self._lost: set[int] = set()
        self._generation = 0
        self._lock = threading.Lock()
        self._renewed = Renewal(0.0, 0)
        self._gap: Renewal | None = None
        """The last renewal before a gap that has not been dealt with."""
        self._steady_since: float | None = None
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._changing: asyncio.Task[None] | None = None

    # --- what the server asks ------------------------------------------------------------------------------

    def term(self, identity: str) -> Term | None:
        """Return the current ownership of a table or tournament, or None if another server may own it."""
        return self._mine.get(shard_of(identity)) if self._is_leased else None

    @property
    def _is_leased(self) -> bool:
        return self._gap is None and time.monotonic() <= self._renewed.began + LEASE_S

    def owner(self, identity: str) -> str | None:
        """Return the server that owns a table or tournament, as far as known."""
        return self._owners.get(shard_of(identity))

    def fence(self, connection: Connection, token: str | None) -> Renewal | None:
        """Renew the lease within a transaction, or raise `Fenced`."""
        began = time.monotonic()
        now = leases.renew(connection, token) if token is not None else None
        if now is None:
            raise Fenced("another server has taken over")
        return Renewal(began, now)

    def renewed(self, renewal: Renewal) -> None:
        """Take note of a renewal that is on disk."""
        with self._lock:
            last = self._renewed
            if renewal.began <= last.began:
                return
            if last.now and renewal.now - last.now > GAP_S * 1000 and self._gap is None:
                self._gap = last
            self._renewed = renewal

    def stats(self) -> dict[str, int]:
        """Return how many servers there are and how many shards this one has, for the metrics."""
        return {"nodes": len(self.nodes), "shards": len(self._mine)}

    def look_again(self) -> None:
        """Look at the database at once: shards may have become free."""
        self._wake.set()

    # --- starting and stopping -----------------------------------------------------------------------------

    def prepare(self) -> None:
        """Join the servers of the database; raise `DatabaseInUse` if one is there that does not share."""
        try:
            self._client.wait_for_others()
            self._client.join(self.token)
        except BaseException:
            self._client.close()
            raise

    async def open(self) -> None:
        """Take over what is free, and begin to renew the lease."""
        await self._heartbeat()
        if self._changing is not None:
            await self._changing
        self._tasks = [asyncio.create_task(self._run())]

    async def wait_until_owner(self) -> None:
        """Wait a few seconds at most until this server owns something, unless it stops.

        One that has just joined, or joined again, gets its share from the others.
        """
        end = time.monotonic() + SHARE_PATIENCE_S
        while not (self._mine and self._is_leased) and time.monotonic() < end:
            if self._is_leaving or self._is_settled:
                return
            await asyncio.sleep(SHARE_TICK_S)

    async def hand_over(self) -> None:
        """Let the other servers take over all shards, a few at a time, while this one still serves."""
        if not self._staying - {self.token}:
            return
        self._is_leaving = True
        self._wake.set()
        try:
            async with asyncio.timeout(HAND_OVER_S):
                while not self._is_handed_over:
                    await asyncio.sleep(HAND_OVER_TICK_S)
        except TimeoutError:
            log.warning("%d shards were not taken over in time", SHARDS - len(self._owned_elsewhere()))

    @property
    def _is_handed_over(self) -> bool:
        return not self._mine and not self._coming and len(self._owned_elsewhere()) == SHARDS

    def _owned_elsewhere(self) -> list[int]:
        return [shard for shard, owner in self._owners.items() if owner not in (None, self.token)]

    async def settle(self) -> None:
        """Tell no changes any more; the lease is renewed until `close`."""
        self._is_settled = True
        await self._cancel(self._changing)

    async def close(self) -> None:
        """Release everything."""
        await self._cancel(*self._tasks, self._changing)
        self._mine.clear()
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._client.leave, self.token)
            self._changed()
        except SQLAlchemyError as error:  # the lease ends by itself
            log.warning("the lease could not be released: %s", str(error).partition("\n")[0])
        self._thread.shutdown()
        self._client.close()

    @staticmethod
    async def _cancel(*tasks: asyncio.Task[None] | None) -> None:
        for task in filter(None, tasks):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    # --- the heartbeat -------------------------------------------------------------------------------------

    async def _run(self) -> None:
        failing = False
        while True:
            self._wake.clear()
            try:
                await self._heartbeat()
                failing = False
            except Exception as error:  # noqa: BLE001 - whatever it was, the heartbeat must go on
                # A lock that another server holds does not mean that the database was away.
                if type(getattr(error, "orig", None)).__name__ != "LockNotAvailable":
                    self._steady_since = None
                if not failing:
                    log.warning("the lease could not be renewed: %s", str(error).partition("\n")[0])
                failing = True
            try:
                async with asyncio.timeout(HEARTBEAT_S / 5 if failing else HEARTBEAT_S):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _heartbeat(self) -> None:
        answer = await asyncio.get_running_loop().run_in_executor(self._thread, self._ask)
        if answer is None:
            await self._reborn()
            return
        renewal, ended, sight = answer
        for note in self.on_time:
            note(renewal.now, renewal.began, ended)
        self.nodes, self._staying = sight.nodes, sight.staying
        self._compare(sight.shards)
        share = self._client.share(self.token, sight.shards, sight.staying)
        surplus_count = min(MAX_RELEASED, len(self._mine) - share)
        idle = not self._is_settled and (self._changing is None or self._changing.done())
        if idle and (self._coming or self._lost or surplus_count > 0):
            surplus = sorted(self._mine)[: max(0, surplus_count)]
            self._changing = asyncio.create_task(self._change(surplus))

    def _ask(self) -> tuple[Renewal, float, Sight] | None:
        """Renew the lease, declare others dead, and take free shards; None if this server is dead itself.

        The second value is when, by the monotonic clock, the renewal had ended.
        """
        began, last = time.monotonic(), self._renewed.began
        now = self._client.renew(self.token)
        if now is None:
            return None
        renewal, ended = Renewal(began, now), time.monotonic()
        self.renewed(renewal)
        if self._steady_since is None or began - last > LEASE_S:
            self._steady_since = began
        # Only who has reached the database all along may call another dead.
        if began - self._steady_since > LEASE_S:
            for dead in self._client.bury_others():
                log.warning("server %s is declared dead by %s", dead, self.token)
        return renewal, ended, self._client.look(self.token, is_leaving=self._is_leaving)

    def _compare(self, shards: list[leases.Shard]) -> None:
        """Compare what the database says with what this server thought it owned."""
        with self._lock:
            gap, self._gap = self._gap, None
        if gap is not None:  # nobody else owned them, but nobody could move either
            self._generation += 1
            back = {row.shard: row._replace(gone_at=gap.now) for row in shards if row.shard in self._mine}
            self._coming |= back
            self._lost |= set(back)
            self._mine.clear()
        for row in shards:
            shard = row.shard
            if row.epoch < self._epochs.get(shard, 0):
                continue
            self._owners[shard], self._epochs[shard] = row.node_id, row.epoch
            term = self._mine.get(shard)
            if term is not None and (row.node_id != self.token or row.epoch != term.epoch):
                del self._mine[shard]
                self._lost.add(shard)
            if row.node_id != self.token:
                self._coming.pop(shard, None)
            elif shard not in self._mine and shard not in self._leaving:
                self._coming.setdefault(shard, row)

    async def _change(self, surplus: Collection[int]) -> None:
        """Tell the rest of the server what changed; a failure is repeated at the next heartbeat."""
        try:
            await self._let_go(surplus)
            await self._gain()
        except (SQLAlchemyError, StoreError) as error:
            log.warning("a change of owner failed: %s", str(error).partition("\n")[0])
        except Exception:
            log.exception("a change of owner failed")
        else:
            if self._is_leaving and self._mine:
                self._wake.set()

    async def _let_go(self, surplus: Collection[int]) -> None:
        """Tell what was lost, and release what is too much."""
        lost = frozenset(self._lost) | frozenset(surplus)
        self._leaving |= set(surplus)
        for shard in surplus:
            self._mine.pop(shard, None)
        try:
            if lost:
                for lose in self.on_loss:
                    await lose(lost)
                self._lost -= lost
            if surplus:
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._thread, self._client.release, self.token, surplus)
                self._changed()
        finally:
            self._leaving -= set(surplus)

    async def _gain(self) -> None:
        coming = dict(self._coming)
        if not coming:
            return
        # Up to this moment, however long ago the renewal was: nobody can move before the clocks are resumed.
        renewal = self._renewed
        now = renewal.now + math.ceil((time.monotonic() - renewal.began) * 1000)
        downtimes = {
            shard: None if row.gone_at is None else max(0, now - row.gone_at) for shard, row in coming.items()
        }
        generation = self._generation
        for gain in self.on_gain:
            await gain(downtimes)
        for shard, row in coming.items():
            if self._coming.get(shard) == row and generation == self._generation:
                del self._coming[shard]
                self._mine[shard] = Term(row.epoch, generation)
        for gained in self.on_gained:
            gained()
        self._changed()

    def _changed(self) -> None:
        for changed in self.on_change:
            changed()

    async def _reborn(self) -> None:
        """Join again under a new id, after another server has declared this one dead."""
        log.warning("server %s was declared dead and joins again", self.token)
        self._lost |= set(self._mine)
        self._mine.clear()
        self._coming.clear()
        self._generation += 1
        self.token = f"n{token_hex(6)}"
        with self._lock:
            self._gap, self._renewed = None, Renewal(0.0, 0)
        self._steady_since = None
        await asyncio.get_running_loop().run_in_executor(self._thread, self._client.join, self.token)
