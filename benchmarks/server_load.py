"""Load: 1,000 games with 2,000 players and 1,000 watchers at 200 moves per second, on a real server.

    python benchmarks/server_load.py [--games 1000] [--seconds 60] [--rate 200] [--engines 0]

The clients run in this process, the server in its own; both share the machine. Exit status 1 where a bound is
broken: p99 of the time from sending a move to its acknowledgement, the server's memory, errors of any kind.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import tempfile
import time
from typing import Any

import httpx
from server_clients import Person, ServerProcess, in_batches, lay_table, percentile, pong, random_game
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from taiji.rules import parse_game

GAME = "taiji"
CLOCK = {"clock_type": "fischer", "main_s": 3600, "increment_s": 5}
MAX_MEMORY_MB = 300


class Load:
    """All games, and what was measured."""

    def __init__(self, url: str, rate: float) -> None:
        self.url = url
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

    async def play(
        self, number: int, games: int, seats: list[ClientConnection], moves: list[tuple[int, int]], end: float
    ) -> None:
        """Play one game's moves at its share of the rate."""
        every = games / self.rate
        due = time.perf_counter() + every * number / games
        for ply, (seat, move) in enumerate(moves):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if time.perf_counter() > end:
                return
            identity = f"{number}-{ply}"
            waiting = asyncio.get_running_loop().create_future()
            self.acknowledged[identity] = waiting
            self.sent[identity] = time.perf_counter()
            await seats[seat].send(json.dumps({"type": "move", "id": identity, "ply": ply, "move": move}))
            await asyncio.wait_for(waiting, 30)
            due += every


async def busy_engine(url: str, client: httpx.AsyncClient, stop: asyncio.Event) -> int:
    """Keep one engine busy with questions."""
    person, asked = await Person.arrive(client), 0
    while not stop.is_set():
        body = {"game": "taiji:size=11", "seconds": 2, "lines": 1}
        answer = await client.post("/api/analyse", json=body, headers=person.headers, timeout=60)
        asked += answer.status_code == 200
    return asked


async def run(options: argparse.Namespace, server: ServerProcess) -> dict[str, Any]:
    """Set everything up, measure, and take it down."""
    game, dice = parse_game(GAME), random.Random(1)
    scripts = [random_game(game, dice) for _ in range(min(options.games, 200))]
    load = Load(server.url, options.rate)
    began = time.perf_counter()
    limits = httpx.Limits(max_connections=16)
    async with httpx.AsyncClient(base_url=server.url, limits=limits, timeout=60) as client:
        wish = {"game": GAME, "clock": CLOCK, "match": False}
        tables = await in_batches([lay_table(client, **wish) for _ in range(options.games)], 16)
        watchers = await in_batches([Person.arrive(client) for _ in range(options.watchers)], 16)
        wanted = [person.socket(server.url, table) for table, one, two in tables for person in (one, two)]
        wanted += [w.socket(server.url, tables[i % options.games][0]) for i, w in enumerate(watchers)]
        sockets = await in_batches(wanted, 64)
        readers = [asyncio.create_task(load.listen(socket)) for socket in sockets]
        await asyncio.sleep(2)
        setup = time.perf_counter() - began
        stop = asyncio.Event()
        busy = [asyncio.create_task(busy_engine(server.url, client, stop)) for _ in range(options.engines)]
        cpu, start, events = server.cpu_seconds(), time.perf_counter(), load.events
        end = start + options.seconds
        await asyncio.gather(
            *(
                load.play(i, options.games, sockets[2 * i : 2 * i + 2], scripts[i % len(scripts)], end)
                for i in range(options.games)
            )
        )
        took, used = time.perf_counter() - start, server.cpu_seconds() - cpu
        stop.set()
        searches = sum(await asyncio.gather(*busy))
        health = (await client.get("/api/health")).json()
        load.closing = True
        await in_batches([socket.close() for socket in sockets], 64)
        await asyncio.gather(*readers)
    return {
        "games": options.games,
        "players": 2 * options.games,
        "watchers": options.watchers,
        "sockets_open": health["sockets"],
        "database": health["database"],
        "engines_busy": options.engines,
        "searches": searches,
        "seconds": round(took, 1),
        "setup_seconds": round(setup, 1),
        "moves": len(load.latencies),
        "moves_per_s": round(len(load.latencies) / options.seconds, 1),
        "events_received": load.events - events,
        "ack_ms": {
            name: round(1000 * percentile(load.latencies, share), 1)
            for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))
        },
        "server_memory_mb": round(server.peak_memory(), 1),
        "server_cpu_ms_per_move": round(1000 * used / max(1, len(load.latencies)), 2),
        "errors": len(load.errors),
        "first_errors": load.errors[:3],
    }


def main() -> None:
    """Run the load, and judge it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--engines", type=int, default=0, help="engine processes, kept busy all the time")
    parser.add_argument("--database-url")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        url = options.database_url or f"sqlite:///{folder}/load.sqlite"
        server = ServerProcess(url, 0, f"--engines={options.engines}")
        try:
            result = asyncio.run(run(options, server))
        finally:
            server.stop()
    print(json.dumps(result, indent=1))
    bound = 250 if options.engines else 100
    broken = [
        message
        for message, wrong in (
            (f"p99 over {bound} ms", result["ack_ms"]["p99"] > bound),
            (f"memory over {MAX_MEMORY_MB} MB", result["server_memory_mb"] > MAX_MEMORY_MB),
            ("errors", result["errors"] > 0),
            ("too few moves", result["moves_per_s"] < 0.95 * options.rate),
        )
        if wrong
    ]
    if broken:
        sys.exit(f"not met: {', '.join(broken)}")


if __name__ == "__main__":
    main()
