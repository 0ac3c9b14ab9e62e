"""Simulate ownership with 100 servers: how many games change their server, and how long each waits.

    python benchmarks/ownership_simulation.py [--nodes 100] [--games 100000] [--seed 1]

The shares come from the server's own code (`taiji.server.store.shards.target`), and so do lease and
heartbeat. A heartbeat takes free shards and releases those beyond its share; whoever releases wakes the
others over the bus. Each step takes longer than was measured on one machine.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable

from taiji.server.store.leased_ownership import HEARTBEAT_S, LEASE_S, MAX_RELEASED
from taiji.server.store.shards import SHARDS, target

WAKE_S = 0.01
"""From a message on the bus to the heartbeat that it causes."""
QUERY_S = 0.01
DRAIN_S = 0.05
"""Until what a server has decided in released shards is written."""
RESUME_S = 0.05
"""Until the clocks of taken shards are resumed."""


class Cluster:
    """Shards and servers, in simulated time."""

    def __init__(self, games: int, seed: int) -> None:
        self.now = 0.0
        self.dice = random.Random(seed)
        self.owner: list[str | None] = [None] * SHARDS
        self.free_since = [0.0] * SHARDS
        self.games = Counter(self.dice.randrange(SHARDS) for _ in range(games))
        self.alive: dict[str, float] = {}
        """Each server with its last sign of life; a dead one is there until its lease is over."""
        self.dead: set[str] = set()
        self.leaving: set[int] = set()
        self.waits: list[tuple[float, int]] = []
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._names = (f"n{number}" for number in itertools.count())

    def at(self, when: float, what: Callable[[], None]) -> None:
        """Let something happen later."""
        heapq.heappush(self._events, (when, next(self._numbers), what))

    def run(self, until: float) -> None:
        """Let time pass."""
        while self._events and self._events[0][0] <= until:
            self.now, _, what = heapq.heappop(self._events)
            what()
        self.now = until

    def join(self) -> str:
        """Start a server."""
        name = next(self._names)
        self.alive[name] = self.now
        self.at(self.now + self.dice.random() * WAKE_S, lambda: self._heartbeat(name, repeat=True))
        self._wake()
        return name

    def kill(self, name: str) -> None:
        """End a server without a word."""
        self.dead.add(name)
        for shard in self._owned(name):
            self.free_since[shard] = self.now

    def stop(self, name: str) -> None:
        """End a server kindly: it releases everything."""
        del self.alive[name]
        self._release(self._owned(name))

    def _owned(self, name: str) -> list[int]:
        return [shard for shard, owner in enumerate(self.owner) if owner == name]

    def _wake(self) -> None:
        for name in list(self.alive):
            self.at(self.now + WAKE_S * self.dice.uniform(0.5, 1.5), lambda name=name: self._heartbeat(name))

    def _release(self, shards: list[int]) -> None:
        began = self.now
        self.leaving |= set(shards)

        def released() -> None:
            self.leaving.difference_update(shards)
            for shard in shards:
                self.owner[shard], self.free_since[shard] = None, began
            self._wake()

        self.at(self.now + DRAIN_S, released)

    def _heartbeat(self, name: str, repeat: bool = False) -> None:
        if name not in self.alive or name in self.dead:
            return
        if repeat:
            self.at(self.now + HEARTBEAT_S, lambda: self._heartbeat(name, repeat=True))
        self.alive[name] = self.now
        for other in [one for one in self.dead if self.now - self.alive[one] > LEASE_S]:
            self.dead.discard(other)
            del self.alive[other]
            for shard in self._owned(other):
                self.owner[shard] = None
        counts = dict.fromkeys(self.alive, 0) | Counter(o for o in self.owner if o in self.alive)
        difference = target(counts, name) - counts[name]
        if difference > 0:
            free = [shard for shard, owner in enumerate(self.owner) if owner is None]
            taken = self.dice.sample(free, min(difference, len(free)))
            for shard in taken:
                self.owner[shard] = name
                wait = self.now + QUERY_S + RESUME_S - self.free_since[shard]
                self.waits.append((wait, self.games[shard]))
        else:
            staying = [shard for shard in self._owned(name) if shard not in self.leaving]
            surplus = len(staying) - target(counts, name)
            if surplus > 0:
                self._release(staying[: min(MAX_RELEASED, surplus)])

    def measure(self, until: float) -> dict[str, float]:
        """Let time pass and return what moved, by games."""
        self.waits.clear()
        self.run(until)
        waits = sorted(wait for wait, games in self.waits for _ in range(games))
        owned = Counter(owner for owner in self.owner if owner is not None)
        sizes = [owned.get(name, 0) for name in self.alive]
        moved = len(waits)
        return {
            "games_moved": moved,
            "share_of_games": round(moved / max(1, sum(self.games.values())), 4),
            "wait_s_median": round(waits[moved // 2], 2) if waits else 0,
            "wait_s_worst": round(waits[-1], 2) if waits else 0,
            "shards_per_server": f"{min(sizes)} to {max(sizes)}",
            "shards_without_owner": self.owner.count(None),
        }


def main() -> None:
    """Simulate joins, losses and a rolling restart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cluster = Cluster(options.games, options.seed)
    for _ in range(options.nodes):
        cluster.join()
        cluster.run(cluster.now + 0.2)
    cluster.run(cluster.now + 20)
    results = {}
    cluster.join()
    results["one joins"] = cluster.measure(cluster.now + 20)
    cluster.stop(next(iter(cluster.alive)))
    results["one stops"] = cluster.measure(cluster.now + 20)
    cluster.kill(next(iter(cluster.alive)))
    results["one is killed"] = cluster.measure(cluster.now + 20)
    for name in list(cluster.alive)[:10]:
        cluster.kill(name)
    results["ten are killed at once"] = cluster.measure(cluster.now + 20)
    for _ in range(11):
        cluster.join()
    results["eleven join at once"] = cluster.measure(cluster.now + 20)
    began = cluster.now
    for number, name in enumerate(list(cluster.alive)):
        cluster.at(began + 5 * number, lambda name=name: cluster.stop(name))
        cluster.at(began + 5 * number + 3, lambda: cluster.join() and None)
    results["rolling restart, one every 5 s"] = cluster.measure(began + 5 * options.nodes + 30)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
