"""Attacks on a really started server: imports, passwords, many sockets, slow requests; what others notice.

    python benchmarks/server_attacks.py

One visitor sends seven imports of 20 kB, each with a board per game, while another signs in, and registers
eight accounts whose passwords take long to judge. Then 1,200 sockets are opened from one address, and 200
connections send half a head.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time

import httpx
from server_clients import ServerProcess
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

COSTLY = "".join(f'[Game "battle-of-lits:board={i},size=11"]\n\n*\n\n' for i in range(430))
PASSWORD = "correct horse battery"
STRANGE_PASSWORD = "4@8({[<3691!|70$5+%2" * 4
"""Each character stands for several letters, so that an estimate tries hundreds of readings."""
MAX_MEMORY_MB = 300


async def visitor(url: str) -> httpx.AsyncClient:
    """Return a client with a session."""
    client = httpx.AsyncClient(base_url=url, timeout=300)
    client.headers["X-CSRF-Token"] = (await client.get("/api/me")).json()["csrf"]
    return client


async def sign_in(url: str) -> float:
    """Return the seconds of a sign-in."""
    client = await visitor(url)
    began = time.perf_counter()
    answer = await client.post("/api/session", json={"name": "ada", "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    await client.aclose()
    return time.perf_counter() - began


async def attack_imports(url: str) -> list[str]:
    """Send seven costly imports, and sign in while they run."""
    ada = await visitor(url)
    await ada.post("/api/account", json={"name": "ada", "password": PASSWORD})
    quiet = await sign_in(url)
    eves = [await visitor(url) for _ in range(7)]
    began = time.perf_counter()
    imports = [asyncio.create_task(eve.post("/api/records", json={"text": COSTLY})) for eve in eves]
    await asyncio.sleep(1)
    busy = [await sign_in(url) for _ in range(3)]
    codes = sorted(answer.status_code for answer in await asyncio.gather(*imports))
    seconds = time.perf_counter() - began
    for client in (ada, *eves):
        await client.aclose()
    return [
        f"sign-in {quiet:.2f} s alone, at most {max(busy):.2f} s beside seven imports of {len(COSTLY)} bytes",
        f"the imports: {codes} within {seconds:.1f} s",
    ]


async def attack_passwords(url: str) -> str:
    """Register accounts with passwords that take long to judge, and sign in during that time."""
    eves = [await visitor(url) for _ in range(8)]
    began = time.perf_counter()
    bodies = [{"name": f"eve{number}", "password": STRANGE_PASSWORD} for number in range(len(eves))]
    registering = [
        asyncio.create_task(eve.post("/api/account", json=body))
        for eve, body in zip(eves, bodies, strict=True)
    ]
    await asyncio.sleep(1)
    busy = [await sign_in(url) for _ in range(3)]
    codes = sorted(answer.status_code for answer in await asyncio.gather(*registering))
    seconds = time.perf_counter() - began
    for client in eves:
        await client.aclose()
    slowest = f"at most {max(busy):.2f} s beside {len(eves)} registrations with strange passwords"
    return f"sign-in {slowest}: {codes} within {seconds:.1f} s"


async def attack_sockets(server: ServerProcess, count: int) -> str:
    """Open sockets from one address, and count those that stay open."""
    stayed = refused = 0
    release = asyncio.Event()

    async def one() -> None:
        nonlocal stayed, refused
        address = server.url.replace("http", "ws", 1) + "/ws/lobby"
        try:
            async with connect(address, origin=server.url, open_timeout=120) as socket:  # type: ignore[arg-type]
                await socket.recv()
                stayed += 1
                await release.wait()
        except (ConnectionClosed, OSError, TimeoutError):
            refused += 1

    opened = [asyncio.create_task(one()) for _ in range(count)]
    while stayed + refused < count:
        await asyncio.sleep(0.1)
    release.set()
    await asyncio.gather(*opened)
    return f"{count} sockets from one address: {stayed} stayed open, {refused} were refused"


async def attack_heads(server: ServerProcess, count: int) -> str:
    """Send half a head on many connections, and measure when they are closed."""
    began = time.perf_counter()
    pairs = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(count)]
    for _, writer in pairs:
        writer.write(b"GET / HTTP/1.1\r\nHost: loc")
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        assert (await client.get("/api/live")).status_code == 200
    for reader, writer in pairs:
        await reader.read()
        writer.close()
    return f"{count} connections with half a head: all closed after {time.perf_counter() - began:.0f} s"


async def main() -> None:
    """Attack and report."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/games.sqlite"
        server = await asyncio.to_thread(ServerProcess, url, 0, "--engines=0", "--rate-limit-scale=1")
        try:
            lines = await attack_imports(server.url)
            lines.append(await attack_passwords(server.url))
            lines.append(await attack_sockets(server, 1200))
            lines.append(await attack_heads(server, 200))
            memory = server.peak_memory()
        finally:
            await asyncio.to_thread(server.stop)
    print(*lines, f"memory of the server: {memory:.0f} MB", sep="\n")
    if memory > MAX_MEMORY_MB or not any(": 500 stayed" in line for line in lines):
        sys.exit("a limit was broken")


if __name__ == "__main__":
    asyncio.run(main())
