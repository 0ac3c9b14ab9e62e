"""What the load and the chaos runs share: a server process, and visitors with sockets on one event loop."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from taiji.rules import Game

TAIJI = Path(sys.executable).with_name("taiji")


class ServerProcess:
    """A `taiji serve` of its own."""

    def __init__(self, database_url: str, port: int = 0, *options: str) -> None:
        began = time.monotonic()
        self.process = subprocess.Popen(
            [
                str(TAIJI), "serve", "--no-open", f"--port={port}", f"--database-url={database_url}",
                "--limit-scale=1000000", *options,
            ],
            stdout=subprocess.PIPE,
            stderr=sys.stderr,
            text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        self.url = found[0].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])
        self.start_seconds = time.monotonic() - began

    def peak_memory(self) -> float:
        """The most memory it has had, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]

    def cpu_seconds(self) -> float:
        """How much processor time it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()  # type: ignore[union-attr]

    def stop(self) -> int:
        """End it kindly."""
        self.process.send_signal(2)
        code = self.process.wait(30)
        self.process.stdout.close()  # type: ignore[union-attr]
        return code


def tree_cpu_seconds(pid: int) -> float:
    """Return the processor time of a process and its children, also of those that have ended."""
    total = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(folder.name) == pid:
            total += sum(map(int, fields[11:15])) / 100
        elif int(fields[1]) == pid:
            total += (int(fields[11]) + int(fields[12])) / 100
    return total


class Person:
    """A visitor: a cookie and its CSRF token."""

    _ids = itertools.count()

    def __init__(self, cookie: str, csrf: str) -> None:
        self.headers = {"Cookie": f"taiji_session={cookie}", "X-CSRF-Token": csrf}
        self.name = next(self._ids)

    @classmethod
    async def arrive(cls, client: httpx.AsyncClient) -> Person:
        """Come in for the first time."""
        # One client serves many visitors: a cookie header of its own keeps the session in the jar out.
        answer = await client.get("/api/me", headers={"Cookie": "new=1"})
        answer.raise_for_status()
        return cls(answer.cookies["taiji_session"], answer.json()["csrf"])

    async def post(self, client: httpx.AsyncClient, path: str, body: dict[str, Any] | None = None) -> Any:
        """Change something."""
        answer = await client.post(path, json=body, headers=self.headers)
        answer.raise_for_status()
        return answer.json()

    async def socket(self, url: str, table: str, after: int = 0) -> ClientConnection:
        """Open a socket to a table."""
        address = f"{url.replace('http', 'ws', 1)}/ws/tables/{table}?protocol=2&after={after}"
        return await connect(
            address,
            additional_headers={"Cookie": self.headers["Cookie"]},
            compression=None,
            max_queue=None,
            ping_interval=None,
            open_timeout=60,
        )


async def lay_table_patiently(client: httpx.AsyncClient, **wish: Any) -> tuple[str, Person, Person]:
    """Lay a table, again if the server has closed an idle connection at this moment."""
    for _ in range(5):
        try:
            return await lay_table(client, **wish)
        except (httpx.ReadError, httpx.RemoteProtocolError):
            continue
    return await lay_table(client, **wish)


async def lay_table(client: httpx.AsyncClient, **wish: Any) -> tuple[str, Person, Person]:
    """Two people and a table between them."""
    one, two = await Person.arrive(client), await Person.arrive(client)
    table = await one.post(client, "/api/tables", {"opponent": "link", "colour": "light", **wish})
    await two.post(client, "/api/join", {"secret": table["invite"].partition("#")[2]})
    return table["id"], one, two


def random_game(game: Game, dice: random.Random) -> list[tuple[int, int]]:
    """A game at random: the seat and number of each move."""
    state, moves = game.start(), []
    while not state.is_over:
        move = dice.choice(state.legal())
        moves.append((int(state.seat_to_move), move.action))
        state = state.play(move)
    return moves


async def pong(socket: ClientConnection, frame: dict[str, Any]) -> None:
    """Answer a ping as a browser does."""
    await socket.send(json.dumps({"type": "pong", "n": frame["n"]}))


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of all lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def in_batches(coroutines: list[Any], at_once: int) -> Any:
    """Run many, but not all at once."""
    gate = asyncio.Semaphore(at_once)

    async def one(coroutine: Any) -> Any:
        async with gate:
            return await coroutine

    return asyncio.gather(*(one(coroutine) for coroutine in coroutines))
