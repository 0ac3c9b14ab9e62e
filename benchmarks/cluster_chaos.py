"""Break three servers, their database and their bus while moves are made; no acknowledged move may be lost.

    PYTHONPATH=. python benchmarks/cluster_chaos.py [--faults 100] [--tables 12] [--kinds kill,stop,…]

The two players of each table sit at servers chosen at random, and come back to another when theirs does not
answer; nobody is sent to a server that did not answer for a while, as by a load balancer. Faults follow
each other: SIGKILL of a server, SIGSTOP for 20 s and then SIGCONT, a crash of PostgreSQL, a crash of NATS,
one server cut off from NATS, and, as in an upgrade, SIGTERM of a server and a new start. Exit status 1 if a
move is lost or done twice, a server writes for a table that another owns, a game does not go on within five
seconds, or a player pays for it. SIGTERM ends the run after the present fault.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from typing import Any

import httpx
from cluster_nodes import (
    FOREIGN_WRITES,
    WATCH_WRITERS,
    Node,
    Proxy,
    connect,
    private_services,
    wait_until_shared,
)
from server_clients import Person, lay_table, percentile, pong, random_game
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from taiji.rules import parse_game

GAME = "taiji:size=7"
CLOCK = {"clock_type": "sudden", "main_s": 3600}
KINDS = ("kill", "stop", "postgres", "bus", "partition", "restart")
GONE = (
    OSError, ConnectionClosed, InvalidHandshake, InvalidMessage, httpx.HTTPError, TimeoutError, EOFError,
)  # fmt: skip
ANSWER_S = 1.0
"""After so long without an answer a player tries another server, as behind a load balancer."""
CONNECT_S = 0.6
AVOID_S = 4.0
"""How long a load balancer sends nobody to a server that did not answer."""
MAX_RESUME_S = 5.0
MAX_CHARGE_MS = 2000
"""What a fault may cost a player: the time until a server that does not answer is left for another, and some.

Also half a second between two signs of life of a server, and one without a resume.
"""
STOP_S = 20.0


class Problems(list[str]):
    """What went wrong, shown as it is found."""

    def append(self, problem: str) -> None:
        """Add a problem and show it."""
        print(f"problem: {problem}", file=sys.stderr)
        super().append(problem)


class Chaos:
    """What all tables share."""

    def __init__(self, nodes: list[Node], seed: int) -> None:
        self.nodes = nodes
        self.dice = random.Random(seed)
        self.acknowledged = self.repeated = self.games = 0
        self.problems = Problems()
        self.charged: list[float] = []
        self.since = 0.0
        """The last loss of a server, or when PostgreSQL or NATS came back."""
        self.resumed: dict[int, float] = {}
        """For each table, when its first move that was sent after that was acknowledged."""
        self.slowest: dict[int, float] = {}
        """For each table, the longest time from sending a move to its acknowledgement since the fault."""
        self.stop = False
        self._avoided: dict[Node, float] = {}

    def choose(self, dice: random.Random) -> Node:
        """Choose a server as a load balancer does."""
        now = time.monotonic()
        good = [node for node in self.nodes if self._avoided.get(node, 0) < now]
        return dice.choice(good or self.nodes)

    def avoid(self, node: Node) -> None:
        """Note that a server did not answer."""
        self._avoided[node] = time.monotonic() + AVOID_S


class TableUnderFire:
    """One game after another, both sides played from here."""

    def __init__(self, chaos: Chaos, number: int) -> None:
        self.chaos, self.number = chaos, number
        self.dice = random.Random(number)

    async def play(self) -> None:
        """Play games until it is enough."""
        while not self.chaos.stop:
            node = self.chaos.choose(self.dice)
            try:
                async with httpx.AsyncClient(base_url=node.url, timeout=ANSWER_S) as client:
                    table, one, two = await lay_table(client, game=GAME, clock=CLOCK, match=False)
            except GONE as error:
                if isinstance(error, TimeoutError | httpx.TimeoutException):
                    self.chaos.avoid(node)
                await asyncio.sleep(0.05)
                continue
            moves = random_game(parse_game(GAME), self.dice)
            await Game(self, table, (one, two), moves).play()


class Game:
    """One game, and what is known to be on disk."""

    def __init__(
        self, place: TableUnderFire, table: str, people: tuple[Person, Person], moves: list[tuple[int, int]]
    ) -> None:
        self.place, self.chaos, self.table, self.people, self.moves = place, place.chaos, table, people, moves
        self.known = 0
        self.sockets: list[ClientConnection | None] = [None, None]
        self.left: dict[str, int] = {}
        """The time that each seat had after its last move."""
        self.sent_at = 0.0

    async def play(self) -> None:
        """Play to the end, over any number of faults."""
        try:
            while self.known < len(self.moves) and not self.chaos.stop:
                seat, move = self.moves[self.known]
                self.sent_at = self.sent_at or time.monotonic()
                try:
                    socket = self.sockets[seat] or await self._come_back(seat)
                    frame = {"type": "move", "id": str(self.known), "ply": self.known, "move": move}
                    await socket.send(json.dumps(frame))
                    answer = await self._until(socket, "ack", "error")
                except GONE:
                    self._leave(seat)
                    await asyncio.sleep(0.02)
                    continue
                if answer["type"] == "error":
                    if answer["error"]["code"] == "unavailable":
                        self._leave(seat)
                        continue
                    self.chaos.problems.append(f"{self.table}: {answer['error']}")
                    return
                self.known += 1
                self.chaos.acknowledged += 1
                now, number = time.monotonic(), self.place.number
                self.chaos.slowest[number] = max(self.chaos.slowest.get(number, 0.0), now - self.sent_at)
                if self.sent_at > self.chaos.since:
                    self.chaos.resumed.setdefault(number, now)
                self.sent_at = 0.0
                await asyncio.sleep(self.place.dice.uniform(0.0, 0.2))
            self.chaos.games += self.known == len(self.moves)
        finally:
            for seat in (0, 1):
                self._leave(seat)

    def _leave(self, seat: int) -> None:
        socket, self.sockets[seat] = self.sockets[seat], None
        if socket is not None:
            socket.transport.abort()

    async def _come_back(self, seat: int) -> ClientConnection:
        node = self.chaos.choose(self.place.dice)
        try:
            async with asyncio.timeout(CONNECT_S):
                socket = await self.people[seat].socket(node.url, self.table)
                self.sockets[seat] = socket
                self._compare((await self._until(socket, "snapshot"))["table"])
        except TimeoutError:
            self.chaos.avoid(node)
            raise
        return socket

    def _compare(self, table: dict[str, Any]) -> None:
        """Hold what a server shows against what was acknowledged; a replica may be a moment behind."""
        found = [move["action"] for move in table["moves"]]
        if found[: self.known] != [move for _, move in self.moves[: self.known]]:
            self.chaos.problems.append(f"{self.table}: lost {self.known - len(found)} acknowledged moves")
        if len(found) > self.known + 1 or found != [move for _, move in self.moves[: len(found)]]:
            self.chaos.problems.append(f"{self.table}: moves that nobody made")
        self.chaos.repeated += len(found) == self.known + 1
        self._judge(table["clock"])

    def _judge(self, clock: dict[str, Any]) -> None:
        """Find out what a move has cost; a clock that runs may still be resumed."""
        for seat in {"first", "second"} - {clock["running"]}:
            left = clock[seat]["remaining_ms"]
            charge = self.left.get(seat, left) - left
            self.left[seat] = left
            self.chaos.charged.append(charge)
            if charge > MAX_CHARGE_MS:
                self.chaos.problems.append(f"{self.table}: a player was charged {charge} ms")

    async def _until(self, socket: ClientConnection, *kinds: str) -> dict[str, Any]:
        async with asyncio.timeout(ANSWER_S):
            while True:
                frame: dict[str, Any] = json.loads(await socket.recv())
                if frame["type"] == "event" and frame["event_type"] == "move" and frame["clock"]:
                    if frame["data"]["ply"] >= self.known:
                        self._judge(frame["clock"])
                elif frame["type"] == "ping":
                    await pong(socket, frame)
                if frame["type"] in kinds:
                    return frame


class Faults:
    """Breaks one thing after another, and waits until all tables play again."""

    def __init__(self, chaos: Chaos, cluster: Any, nats: Any, url: str, kinds: list[str]) -> None:
        self._chaos, self._cluster, self._nats, self._url = chaos, cluster, nats, url
        self._kinds = itertools.cycle(kinds)
        self.resumes: dict[str, list[float]] = {kind: [] for kind in kinds}
        self.done: Counter[str] = Counter()

    async def next(self, tables: int) -> tuple[str, float]:
        """Do one fault, and return its kind and how long the last table waited for its next move."""
        chaos, kind = self._chaos, next(self._kinds)
        await asyncio.sleep(chaos.dice.uniform(0.5, 1.5))
        node = chaos.dice.choice(chaos.nodes)
        began = time.monotonic()
        chaos.slowest.clear()
        mend = await getattr(self, f"_{kind}")(node)
        chaos.since = time.monotonic() if kind in ("postgres", "bus") else began
        chaos.resumed.clear()
        await self._all_play(tables)
        waits = [at - chaos.since for at in chaos.resumed.values()]
        if kind == "restart":  # a server that stops goes on for a moment: what counts is the longest wait
            await mend()
            mend = _nothing
            waits = list(chaos.slowest.values())
        self.resumes[kind] += waits
        if len(waits) < tables or max(waits) > MAX_RESUME_S:
            chaos.problems.append(
                f"{kind}: {len(waits)} of {tables} tables went on, worst {max(waits, default=0):.1f} s"
            )
        self.done[kind] += 1
        await mend()
        await asyncio.to_thread(wait_until_shared, self._url, len(chaos.nodes))
        return kind, max(waits, default=0.0)

    async def _all_play(self, tables: int) -> None:
        end = time.monotonic() + 30
        while len(self._chaos.resumed) < tables and time.monotonic() < end:
            await asyncio.sleep(0.02)

    async def _kill(self, node: Node) -> Any:
        node.server.kill()

        async def mend() -> None:
            await asyncio.to_thread(node.restart)

        return mend

    async def _restart(self, node: Node) -> Any:
        node.signal(signal.SIGTERM)

        async def mend() -> None:
            await asyncio.to_thread(node.server.process.wait, 60)
            await asyncio.to_thread(node.restart)

        return mend

    async def _stop(self, node: Node) -> Any:
        node.signal(signal.SIGSTOP)
        began = time.monotonic()

        async def mend() -> None:
            await asyncio.sleep(max(0.0, STOP_S - (time.monotonic() - began)))
            node.signal(signal.SIGCONT)

        return mend

    async def _postgres(self, _: Node) -> Any:
        await asyncio.to_thread(self._cluster.restart)
        return _nothing

    async def _bus(self, _: Node) -> Any:
        await asyncio.to_thread(self._nats.down)
        await asyncio.sleep(1)
        await asyncio.to_thread(self._nats.up)
        return _nothing

    async def _partition(self, node: Node) -> Any:
        node.proxy.cut()

        async def mend() -> None:
            await asyncio.sleep(3)
            node.proxy.mend()

        return mend


async def _nothing() -> None:
    """Mend nothing: it works again."""


async def run(options: argparse.Namespace, cluster: Any, nats: Any) -> tuple[dict[str, Any], list[str]]:
    """Break things while tables play."""
    url = cluster.new_database()
    proxies = [Proxy(nats.port) for _ in range(3)]
    for proxy in proxies:
        await proxy.start()
    nodes = [await asyncio.to_thread(Node, url, proxy) for proxy in proxies]
    connection = await asyncio.to_thread(connect, url)
    connection.execute(WATCH_WRITERS)
    connection.close()
    chaos = Chaos(nodes, options.seed)
    faults = Faults(chaos, cluster, nats, url, options.kinds.split(","))
    interrupted = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, interrupted.set)
    began = time.monotonic()
    load = [os.getloadavg()[0]]
    try:
        await asyncio.to_thread(wait_until_shared, url, len(nodes))
        tasks = [asyncio.create_task(TableUnderFire(chaos, n).play()) for n in range(options.tables)]
        for fault in range(options.faults):
            if interrupted.is_set():
                break
            kind, worst = await faults.next(options.tables)
            load.append(os.getloadavg()[0])
            print(
                f"{fault + 1} faults, {kind}: resumed after {worst:.1f} s at most, load {load[-1]:.0f}, "
                f"{chaos.acknowledged} moves, {len(chaos.problems)} problems",
                file=sys.stderr,
            )
        await asyncio.sleep(2)
        chaos.stop = True
        await asyncio.gather(*tasks)
        connection = await asyncio.to_thread(connect, url)
        foreign, written = connection.execute(FOREIGN_WRITES).fetchone() or (0, 0)
        connection.close()
        if foreign:
            chaos.problems.append(f"{foreign} events were written by a server that did not own the table")
    finally:
        for node in nodes:
            await asyncio.to_thread(node.stop)
        for proxy in proxies:
            await proxy.close()
    waits = [wait for waits in faults.resumes.values() for wait in waits]
    result = {
        "nodes": 3,
        "faults": dict(faults.done),
        "seconds": round(time.monotonic() - began),
        "tables": options.tables,
        "acknowledged_moves": chaos.acknowledged,
        "sent_again": chaos.repeated,
        "games_finished": chaos.games,
        "events_written": written,
        "events_written_by_another_than_the_owner": foreign,
        "resume_seconds": {
            kind: {"median": round(percentile(found, 0.5), 2), "worst": round(max(found, default=0), 2)}
            for kind, found in {**faults.resumes, "all": waits}.items()
        },
        "load_average": {"median": round(percentile(load, 0.5), 1), "worst": round(max(load), 1)},
        "charged_ms_worst": max(chaos.charged, default=0),
        "problems": len(chaos.problems),
    }
    return result, chaos.problems


def main() -> None:
    """Run the chaos, and judge it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with private_services() as (cluster, nats):
        result, problems = asyncio.run(run(options, cluster, nats))
    print(json.dumps(result, indent=1))
    if problems:
        sys.exit("\n".join(problems[:10]))


if __name__ == "__main__":
    main()
