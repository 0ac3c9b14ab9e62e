"""Load: 1,000 games with 2,000 players and 1,000 watchers at 200 moves per second, on one server or several.

    PYTHONPATH=. python benchmarks/server_load.py [--games 1000] [--seconds 60] [--rate 200] [--engines 0]
    PYTHONPATH=. python benchmarks/server_load.py --processes 3 [--spread random|table]
    PYTHONPATH=. python benchmarks/server_load.py --limit [--processes 3]

The clients run in this process, the servers in their own; all share the machine. Several servers use a
PostgreSQL and a NATS of the run; players and watchers choose theirs at random, or all of a table the same, as
behind a proxy that hashes the path. With `--limit` the rate rises by steps until p99 or the rate is missed.
Exit status 1 where a bound is broken: p99 of the time from sending a move to its acknowledgement, memory,
errors.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import httpx
from server_clients import (
    Person,
    ServerProcess,
    in_batches,
    lay_table_patiently,
    percentile,
    pong,
    random_game,
    tree_cpu_seconds,
)
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from taiji.rules import parse_game

GAME = "taiji"
CLOCK = {"clock_type": "fischer", "main_s": 3600, "increment_s": 5}
MAX_MEMORY_MB = 300
MAX_P99_MS = 100
STEP_S = 6.0
SETTLING_S = 1.0
LIMIT_RATE = 400.0
"""The first rate of `--limit`: a game of 9×9 has moves for six steps from there."""


@dataclass
class Game:
    """One game: its players' sockets and the moves that they will make."""

    number: int
    seats: list[ClientConnection]
    moves: list[tuple[int, int]]
    plies: Iterator[int] = field(default_factory=itertools.count)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Load:
    """All games, and what was measured."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.latencies: list[float] = []
        self.errors: list[str] = []
        self.events = 0
        self.sent: dict[str, float] = {}
        self.acknowledged: dict[str, asyncio.Future[None]] = {}
        self.closing = False

    async def listen(self, socket: ClientConnection) -> None:
        """Read a socket as a browser does."""
        try:
            async for text in socket:
                frame = json.loads(text)
                kind = frame["type"]
                if kind == "event":
                    self.events += 1
                elif kind == "ack":
                    self.latencies.append(time.perf_counter() - self.sent.pop(frame["id"]))
                    self.acknowledged.pop(frame["id"]).set_result(None)
                elif kind == "ping":
                    await pong(socket, frame)
                elif kind == "error":
                    self.errors.append(str(frame["error"]))
        except ConnectionClosed as error:
            if not self.closing:
                self.errors.append(f"closed: {error}")
        else:
            if not self.closing:
                self.errors.append("closed")

    async def pace(self, games: list[Game]) -> None:
        """Let the games move in turn, evenly at the rate, until all is over."""
        due, moves = time.perf_counter(), set()
        for game in itertools.cycle(games):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if self.closing:
                break
            move = asyncio.create_task(self.move(game))
            moves.add(move)
            move.add_done_callback(moves.discard)
            move.add_done_callback(self._count_failure)
            due += 1 / self.rate
        await asyncio.gather(*moves, return_exceptions=True)

    def _count_failure(self, move: asyncio.Task[None]) -> None:
        if not move.cancelled() and move.exception() is not None:
            self.errors.append(repr(move.exception()))

    async def move(self, game: Game) -> None:
        """Make the next move of a game, once the one before is acknowledged."""
        async with game.lock:
            if self.closing:
                return
            ply = next(game.plies)
            if ply >= len(game.moves):
                return
            seat, move = game.moves[ply]
            identity = f"{game.number}-{ply}"
            waiting = asyncio.get_running_loop().create_future()
            self.acknowledged[identity] = waiting
            self.sent[identity] = time.perf_counter()
            frame = {"type": "move", "id": identity, "ply": ply, "move": move}
            await game.seats[seat].send(json.dumps(frame))
            async with asyncio.timeout(30):
                await waiting

    def latency_ms(self, since: int = 0) -> dict[str, float]:
        """Return what share of the acknowledgements took how long, from a number on."""
        shares = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))
        return {name: round(1000 * percentile(self.latencies[since:], share), 1) for name, share in shares}


async def busy_engine(client: httpx.AsyncClient, stop: asyncio.Event) -> int:
    """Keep one engine busy with questions."""
    person, asked = await Person.arrive(client), 0
    while not stop.is_set():
        body = {"game": "taiji:size=11", "seconds": 2, "lines": 1}
        answer = await client.post("/api/analyse", json=body, headers=person.headers, timeout=60)
        asked += answer.status_code == 200
    return asked


async def connect_all(
    options: argparse.Namespace, urls: list[str], client: httpx.AsyncClient
) -> list[ClientConnection]:
    """Create the tables and open all sockets: two players of each table, then the watchers."""
    wish = {"game": GAME, "clock": CLOCK, "match": False}
    tables = await in_batches([lay_table_patiently(client, **wish) for _ in range(options.games)], 16)
    watchers = await in_batches([Person.arrive(client) for _ in range(options.watchers)], 16)
    people = [(table, person) for table, one, two in tables for person in (one, two)]
    people += [(tables[i % options.games][0], watcher) for i, watcher in enumerate(watchers)]
    dice = random.Random(2)
    places = [
        crc32(table.encode()) if options.spread == "table" else dice.randrange(60) for table, _ in people
    ]
    wanted = [
        person.socket(urls[place % len(urls)], table)
        for (table, person), place in zip(people, places, strict=True)
    ]
    sockets: list[ClientConnection] = await in_batches(wanted, 64)
    return sockets


async def rise(load: Load) -> list[dict[str, Any]]:
    """Raise the rate until p99 or the rate itself is missed."""
    steps: list[dict[str, Any]] = []
    while not steps or steps[-1]["held"]:
        if steps:
            load.rate *= 1.25
            await asyncio.sleep(SETTLING_S)
        since = len(load.latencies)
        await asyncio.sleep(STEP_S)
        done = (len(load.latencies) - since) / STEP_S
        latency = load.latency_ms(since)
        held = latency["p99"] <= MAX_P99_MS and done >= 0.93 * load.rate
        steps.append({"rate": round(load.rate), "moves_per_s": round(done), "ack_ms": latency, "held": held})
    return steps


async def run(options: argparse.Namespace, servers: list[ServerProcess], parts: Parts) -> dict[str, Any]:
    """Set everything up, measure, and take it down."""
    game, dice = parse_game(GAME), random.Random(1)
    scripts = [random_game(game, dice) for _ in range(min(options.games, 200))]
    load, urls = Load(options.rate), [server.url for server in servers]
    limits = httpx.Limits(max_connections=16)
    async with httpx.AsyncClient(base_url=urls[0], limits=limits, timeout=60) as client:
        sockets = await connect_all(options, urls, client)
        readers = [asyncio.create_task(load.listen(socket)) for socket in sockets]
        await asyncio.sleep(2)
        stop = asyncio.Event()
        busy = [asyncio.create_task(busy_engine(client, stop)) for _ in range(options.engines)]
        before, start, events = parts.cpu_seconds(), time.perf_counter(), load.events
        written = parts.written()
        games = [Game(i, sockets[2 * i : 2 * i + 2], scripts[i % len(scripts)]) for i in range(options.games)]
        pacing = asyncio.create_task(load.pace(games))
        steps = await rise(load) if options.limit else await asyncio.sleep(options.seconds, [])
        took, moves = time.perf_counter() - start, len(load.latencies)
        used = {name: after - before[name] for name, after in parts.cpu_seconds().items()}
        written = {name: after - written[name] for name, after in parts.written().items()}
        load.closing = True
        await pacing
        stop.set()
        searches = sum(await asyncio.gather(*busy))
        health = [(await client.get(f"{url}/api/health")).json() for url in urls]
        await in_batches([socket.close() for socket in sockets], 64)
        await asyncio.gather(*readers)
    return {
        "processes": len(servers),
        "spread": options.spread if len(servers) > 1 else None,
        "games": options.games,
        "watchers": options.watchers,
        "sockets_open": [one["sockets"] for one in health],
        "database": health[0]["database"],
        "engines_busy": options.engines,
        "searches": searches,
        "seconds": round(took, 1),
        "moves": moves,
        "moves_per_s": round(moves / took, 1),
        "events_received": load.events - events,
        "ack_ms": load.latency_ms(),
        "steps": steps,
        "held_moves_per_s": max((step["moves_per_s"] for step in steps if step["held"]), default=None),
        "server_memory_mb": [round(server.peak_memory(), 1) for server in servers],
        "cpu_ms_per_move": {name: round(1000 * one / max(1, moves), 2) for name, one in used.items()},
        "written_per_move": {name: round(one / max(1, moves), 1) for name, one in written.items()},
        "errors": len(load.errors),
        "first_errors": load.errors[:3],
    }


class Parts:
    """The parts of a run that use processor time."""

    def __init__(self, servers: list[ServerProcess], others: dict[str, int], database: str | None) -> None:
        self._servers, self._others, self._database = servers, others, database

    def written(self) -> dict[str, int]:
        """Return what PostgreSQL has written so far: bytes of its log, and commits."""
        if self._database is None:
            return {}
        from cluster_nodes import connect

        with connect(self._database) as connection:
            commits = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
            queries = {"log_bytes": "SELECT pg_current_wal_lsn() - '0/0'", "commits": commits}
            return {name: int(connection.execute(query).fetchone()[0]) for name, query in queries.items()}

    def cpu_seconds(self) -> dict[str, float]:
        """Return what each part has used so far; `clients` is this process."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        used = {"servers": sum(server.cpu_seconds() for server in self._servers)}
        used |= {name: tree_cpu_seconds(pid) for name, pid in self._others.items()}
        return {**used, "clients": usage.ru_utime + usage.ru_stime}


@contextmanager
def started(options: argparse.Namespace) -> Iterator[tuple[list[ServerProcess], Parts]]:
    """Start one server on SQLite, or several on a PostgreSQL and a NATS of the run."""
    with ExitStack() as stack:
        engines = f"--engines={options.engines}"
        if options.processes == 1 and not options.postgres:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            servers, others = [ServerProcess(f"sqlite:///{folder}/load.sqlite", 0, engines)], {}
            url = None
        else:
            from cluster_nodes import private_services

            cluster, nats = stack.enter_context(private_services())
            url, cluster_option = cluster.new_database(), [f"--cluster={nats.address}"]
            extra = cluster_option if options.processes > 1 else []
            servers = [ServerProcess(url, 0, engines, *extra) for _ in range(options.processes)]
            others = {"postgresql": cluster.pid, "nats": nats.pid}
            time.sleep(4)  # until the shards are shared
        try:
            yield servers, Parts(servers, others, url)
        finally:
            for server in servers:
                server.stop()


def main() -> None:
    """Run the load, and judge it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, help="moves per second: 200, or 400 at first with --limit")
    parser.add_argument("--engines", type=int, default=0, help="engine processes, kept busy all the time")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL also for one process")
    parser.add_argument("--spread", choices=("random", "table"), default="random")
    parser.add_argument("--limit", action="store_true", help="raise the rate until it is missed")
    options = parser.parse_args()
    options.rate = options.rate or (LIMIT_RATE if options.limit else 200.0)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with started(options) as (servers, parts):
        result = asyncio.run(run(options, servers, parts))
    print(json.dumps(result, indent=1))
    bound = 250 if options.engines else MAX_P99_MS
    broken = [
        message
        for message, wrong in (
            (f"p99 over {bound} ms", result["ack_ms"]["p99"] > bound and not options.limit),
            (f"memory over {MAX_MEMORY_MB} MB", max(result["server_memory_mb"]) > MAX_MEMORY_MB),
            ("errors", result["errors"] > 0),
            ("too few moves", result["moves_per_s"] < 0.93 * options.rate),
        )
        if wrong
    ]
    if broken:
        sys.exit(f"not met: {', '.join(broken)}")


if __name__ == "__main__":
    main()
