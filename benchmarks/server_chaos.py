"""Chaos: a server is killed again and again while moves are made; no acknowledged move may be lost.

    PYTHONPATH=. python benchmarks/server_chaos.py [--kills 200] [--tables 12] [--postgres]

Each table plays random games over its players' sockets as fast as it is answered, with a clock. A killer
sends SIGKILL at some moment and starts the server again; the players come back by themselves, compare what
they find with what was acknowledged, send what was not answered again with the same id, and play on. Beside
them a club plays matches with takebacks, rated games and tournaments, which are read again after each
restart. Exit status 1 where a move is lost or done twice, a player is charged for the time the server was
away, what was read differs, or a game takes over five seconds to resume. SIGTERM ends the run after the
present kill.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
import time
from typing import Any

import httpx
from chaos_archive import Club
from server_clients import Person, ServerProcess, lay_table, percentile, pong, random_game
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from taiji.rules import parse_game

GAME = "taiji:size=7"
CLOCK = {"clock_type": "sudden", "main_s": 3600}
GONE = (
    OSError,
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    httpx.TransportError,
    TimeoutError,
    EOFError,
)
MAX_CHARGE_MS = 1500
"""What a restart may cost a player: the second between two signs of life, and some."""


class Chaos:
    """What all tables share."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.acknowledged = 0
        self.repeated = 0
        self.games = 0
        self.problems: list[str] = []
        self.up = asyncio.Event()
        self.back_at = 0.0
        self.resumed: list[float] = []
        self.charged: list[float] = []
        self.stop = False


class TableUnderFire:
    """One table after another, played by both sides from here."""

    def __init__(self, chaos: Chaos, number: int, client: httpx.AsyncClient) -> None:
        self.chaos, self.number, self.client = chaos, number, client
        self.dice = random.Random(number)

    async def play(self) -> None:
        """Play games until it is enough."""
        while not self.chaos.stop:
            try:
                await self.chaos.up.wait()
                table, one, two = await lay_table(self.client, game=GAME, clock=CLOCK, match=False)
            except (*GONE, httpx.HTTPStatusError):
                await asyncio.sleep(0.05)
                continue
            await Game(self.chaos, table, (one, two), random_game(parse_game(GAME), self.dice)).play()


class Game:
    """One game, and what is known to be on disk."""

    def __init__(
        self, chaos: Chaos, table: str, people: tuple[Person, Person], moves: list[tuple[int, int]]
    ) -> None:
        self.chaos, self.table, self.people, self.moves = chaos, table, people, moves
        self.known = 0
        """How many moves were acknowledged."""
        self.left: dict[str, int] | None = None
        """The clocks as they were shown last."""

    async def play(self) -> None:
        """Play to the end, over any number of restarts."""
        while not self.chaos.stop:
            await self.chaos.up.wait()
            sockets: list[ClientConnection] = []
            try:
                sockets = [await person.socket(self.chaos.url, self.table) for person in self.people]
                if await self._go_on(sockets):
                    self.chaos.games += 1
                    return
            except GONE:
                await asyncio.sleep(0.05)
            finally:
                for socket in sockets:
                    socket.transport.abort()

    async def _go_on(self, sockets: list[ClientConnection]) -> bool:
        for socket in sockets:
            table = (await self._until(socket, "snapshot"))["table"]
        self._compare(table)
        while self.known < len(self.moves):
            if self.chaos.stop:
                return True
            seat, move = self.moves[self.known]
            identity = f"{self.known}"
            frame = {"type": "move", "id": identity, "ply": self.known, "move": move}
            await sockets[seat].send(json.dumps(frame))
            answer = await self._until(sockets[seat], "ack", "error")
            if answer["type"] == "error":
                self.chaos.problems.append(f"{self.table}: {answer['error']}")
                return True
            self.known += 1
            self.chaos.acknowledged += 1
        return True

    def _compare(self, table: dict[str, Any]) -> None:
        """Hold what the server remembers against what it promised."""
        found = [move["action"] for move in table["moves"]]
        promised = [move for _, move in self.moves[: self.known]]
        if found[: self.known] != promised:
            self.chaos.problems.append(f"{self.table}: lost {len(promised) - len(found)} acknowledged moves")
        # One more may be on disk, sent but not answered; it is sent again under its id and counts once.
        if len(found) > self.known + 1 or found != [move for _, move in self.moves[: len(found)]]:
            self.chaos.problems.append(f"{self.table}: moves that nobody made")
        self.chaos.repeated += len(found) == self.known + 1
        self.chaos.resumed.append(time.monotonic() - self.chaos.back_at)
        left = {seat: table["clock"][seat]["remaining_ms"] for seat in ("first", "second")}
        if self.left is not None:
            worst = max(self.left[seat] - left[seat] for seat in left)
            self.chaos.charged.append(worst)
            if worst > MAX_CHARGE_MS:
                self.chaos.problems.append(f"{self.table}: a player was charged {worst} ms")
        self.left = left

    async def _until(self, socket: ClientConnection, *kinds: str) -> dict[str, Any]:
        while True:
            async with asyncio.timeout(30):
                frame: dict[str, Any] = json.loads(await socket.recv())
            if "clock" in frame:
                self.left = {seat: frame["clock"][seat]["remaining_ms"] for seat in ("first", "second")}
            if frame["type"] == "ping":
                await pong(socket, frame)
            if frame["type"] in kinds:
                return frame


async def run(options: argparse.Namespace, database_url: str) -> tuple[dict[str, Any], list[str]]:
    """Kill and restart while tables play."""
    dice = random.Random(options.seed)
    server = await asyncio.to_thread(ServerProcess, database_url, 0, "--engines=0")
    chaos = Chaos(server.url)
    chaos.back_at = time.monotonic()
    chaos.up.set()
    starts: list[float] = []
    interrupted = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, interrupted.set)
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
        tables = [TableUnderFire(chaos, number, client) for number in range(options.tables)]
        tasks = [asyncio.create_task(table.play()) for table in tables]
        club = Club(client, chaos.problems, chaos.up)
        club_tasks = await club.found()
        for kill in range(options.kills):
            if interrupted.is_set():
                break
            await asyncio.sleep(dice.uniform(0.2, options.longest))
            chaos.up.clear()
            server.kill()
            server = await asyncio.to_thread(ServerProcess, database_url, server.port, "--engines=0")
            starts.append(server.start_seconds)
            chaos.back_at = time.monotonic() - server.start_seconds
            chaos.up.set()
            await club.check()
            if sys.stderr.isatty():
                print(f"\r{kill + 1} kills, {chaos.acknowledged} moves", end="", file=sys.stderr)
        await asyncio.sleep(2)
        chaos.stop = club.stop = True
        await asyncio.gather(*tasks, *club_tasks)
        await club.check(everything=True)
    await asyncio.to_thread(server.stop)
    if max(chaos.resumed) > 5:
        chaos.problems.append(f"a game took {max(chaos.resumed):.1f} s to resume")
    result = {
        "database": database_url.partition(":")[0],
        "kills": len(starts),
        "tables": options.tables,
        "acknowledged_moves": chaos.acknowledged,
        "sent_again_after_a_kill": chaos.repeated,
        "games_finished": chaos.games,
        "club": club.counts,
        "start_seconds": {
            "median": round(percentile(starts, 0.5), 2),
            "max": round(max(starts, default=0), 2),
        },
        "resume_seconds": {
            "median": round(percentile(chaos.resumed, 0.5), 2),
            "max": round(max(chaos.resumed), 2),
        },
        "charged_ms_max": max(chaos.charged, default=0),
        "problems": len(chaos.problems),
    }
    return result, chaos.problems


def on_postgres(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Run on a PostgreSQL cluster of its own."""
    from tests.server.postgres import Postgres

    cluster = Postgres.start()
    if cluster is None:
        sys.exit("PostgreSQL is not installed (tools/debian-packages installs it)")
    try:
        return asyncio.run(run(options, cluster.new_database()))
    finally:
        cluster.stop()


def main() -> None:
    """Run the chaos, and judge it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds from a start to a kill, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL cluster of its own")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.postgres:
            result, problems = on_postgres(options)
        else:
            result, problems = asyncio.run(run(options, f"sqlite:///{folder}/chaos.sqlite"))
    print(json.dumps(result))
    if problems:
        sys.exit("\n".join(problems[:10]))


if __name__ == "__main__":
    main()
