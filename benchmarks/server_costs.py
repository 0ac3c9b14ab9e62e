"""What a server spends on each thing: a move, a watcher of a move, an idle socket; and what a game stores.

    PYTHONPATH=. python benchmarks/server_costs.py [--games 200] [--rate 50] [--seconds 10]

One server, measured in phases: empty, with idle watchers, with the sockets of players (which are pinged),
with moves that ten watchers of each table see, and with moves that only the players see. Processor time is
that of the server alone, so other work on the machine hardly changes it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import httpx
from server_clients import Person, ServerProcess, in_batches, lay_table_patiently, random_game
from server_load import CLOCK, GAME, Game, Load
from websockets.asyncio.client import ClientConnection

from taiji.rules import parse_game

WATCHERS_PER_GAME = 10


class Costs:
    """One server, its tables and sockets."""

    def __init__(self, options: argparse.Namespace, server: ServerProcess) -> None:
        self.options, self.server = options, server
        self.load = Load(options.rate)
        self._readers: list[asyncio.Task[None]] = []

    def memory_mb(self) -> float:
        """Return the memory that the server has now."""
        pages = int(Path(f"/proc/{self.server.process.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20

    async def idle(self) -> float:
        """Return the processor seconds per second while nobody moves."""
        await asyncio.sleep(1)
        before = self.server.cpu_seconds()
        await asyncio.sleep(self.options.seconds)
        return (self.server.cpu_seconds() - before) / self.options.seconds

    async def moving(self, seats: list[list[ClientConnection]], scripts: list[Any]) -> float:
        """Return the processor milliseconds per move."""
        count, before = len(self.load.latencies), self.server.cpu_seconds()
        self.load.closing = False
        games = [Game(i, pair, script) for i, (pair, script) in enumerate(zip(seats, scripts, strict=True))]
        pacing = asyncio.create_task(self.load.pace(games))
        await asyncio.sleep(self.options.seconds)
        self.load.closing = True
        await pacing
        return 1000 * (self.server.cpu_seconds() - before) / (len(self.load.latencies) - count)

    async def open(self, wanted: list[Any]) -> list[ClientConnection]:
        """Open sockets and read them."""
        sockets: list[ClientConnection] = await in_batches(wanted, 32)
        self._readers += [asyncio.create_task(self.load.listen(socket)) for socket in sockets]
        return sockets


async def lay_tables(client: httpx.AsyncClient, games: int) -> list[tuple[str, Person, Person]]:
    """Create tables with their players."""
    wish = {"game": GAME, "clock": CLOCK, "match": False}
    tables: list[tuple[str, Person, Person]] = await in_batches(
        [lay_table_patiently(client, **wish) for _ in range(games)], 8
    )
    return tables


async def measure(options: argparse.Namespace, server: ServerProcess) -> dict[str, Any]:
    """Go through the phases."""
    costs, url, dice = Costs(options, server), server.url, random.Random(1)
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        empty_cpu = await costs.idle()
        tables = await lay_tables(client, options.games)
        people = await in_batches([Person.arrive(client) for _ in range(options.games)], 8)
        memory = costs.memory_mb()
        watching = [
            person.socket(url, tables[(i + n) % options.games][0])
            for n in range(WATCHERS_PER_GAME)
            for i, person in enumerate(people)
        ]
        count = len(watching)
        watchers = await costs.open(watching)
        watchers_cpu, watchers_memory = await costs.idle() - empty_cpu, costs.memory_mb() - memory
        memory = costs.memory_mb()
        seats = await costs.open([p.socket(url, table) for table, *both in tables for p in both])
        players_cpu, players_memory = (
            await costs.idle() - empty_cpu - watchers_cpu,
            costs.memory_mb() - memory,
        )
        pairs = [seats[2 * i : 2 * i + 2] for i in range(options.games)]
        scripts = [random_game(parse_game(GAME), dice) for _ in range(options.games)]
        background = empty_cpu + watchers_cpu + players_cpu
        watched = await costs.moving(pairs, scripts) - 1000 * background / options.rate
        for socket in watchers:
            await socket.close()
        costs.load.closing = True
        fresh = await lay_tables(client, options.games)
        new_seats = await costs.open([p.socket(url, table) for table, *both in fresh for p in both])
        pairs = [new_seats[2 * i : 2 * i + 2] for i in range(options.games)]
        alone = await costs.moving(pairs, scripts) - 1000 * (empty_cpu + 2 * players_cpu) / options.rate
    return {
        "cpu_ms_per_move_seen_by_two_players": round(alone, 2),
        "cpu_ms_per_watcher_of_a_move": round((watched - alone) / WATCHERS_PER_GAME, 3),
        "cpu_ms_per_second_of_an_idle_watcher": round(1000 * watchers_cpu / count, 4),
        "cpu_ms_per_second_of_an_idle_player": round(1000 * players_cpu / len(seats), 4),
        "kb_per_idle_socket": round(1024 * watchers_memory / count, 1),
        "kb_per_player_socket": round(1024 * players_memory / len(seats), 1),
    }


def stored(path: str) -> dict[str, float]:
    """Return the rows and bytes that a game leaves behind."""
    with sqlite3.connect(path) as connection:
        games, plies = connection.execute("SELECT count(*), sum(ply) FROM tables").fetchone()
        events = connection.execute("SELECT count(*) FROM events").fetchone()[0]
        columns = ("table_id", "data", "clock", "request_id")
        row = " + ".join(f"coalesce(length({column}), 0)" for column in columns) + " + 24"
        size = connection.execute(f"SELECT avg({row}) FROM events WHERE event_type = 'move'").fetchone()[0]
    connection.close()
    return {
        "rows_per_game_besides_moves": round((events - plies) / games + 1, 1),
        "bytes_per_move_stored": round(size),
    }


def main() -> None:
    """Measure and print the costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(f"sqlite:///{folder}/costs.sqlite", 0, "--engines=0")
        try:
            result = asyncio.run(measure(options, server))
        finally:
            server.stop()
        print(json.dumps({**result, **stored(f"{folder}/costs.sqlite")}, indent=1))


if __name__ == "__main__":
    main()
