"""What one visitor asks for does not stop the others: costs, queues, sockets, slow requests, memory."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import connect

from taiji.rules import catalogue, parse_game
from taiji.server.contract.errors import ApiError
from taiji.server.domain.byte_cache import ByteCache
from taiji.server.identity import limits, passwords
from taiji.server.identity.limits import CPU_LIMIT, RateLimiter
from taiji.server.identity.passwords import Passwords
from taiji.server.jobs import tasks
from taiji.server.jobs.tasks import TaskKind, Tasks
from taiji.server.live import orders
from taiji.server.settings import ServerSettings
from taiji.server.web import protocols, request_checks
from taiji.server.web.request_checks import RequestCheckMiddleware
from tests.server.inside import Inside, SetTime
from tests.waiting import wait_until

COSTLY = "".join(f'[Game "battle-of-lits:board={i},size=11"]\n\n*\n\n' for i in range(430))
"""A text of 20 kB that takes many seconds to read: every game has a board of its own."""


def test_a_costly_record_is_ended_and_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tasks.KINDS, "read-record", TaskKind(cpu_s=0.5, queue=4))
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", task_workers=1).running() as server:
        eve = server.browser()
        began = time.process_time()
        assert len(COSTLY) < 20_000
        assert eve.ask("POST", "/api/records", {"text": COSTLY}) == (413, "too-costly")
        assert time.process_time() - began < 3  # another process did the work
        small = {"game": "taiji:size=3", "moves": [0]}
        assert eve.ask("POST", "/api/records", small)[0] == 201  # a new process has taken its place
        limiter = server.context.rate_limiter
        limiter.add(CPU_LIMIT, "192.0.2.1/32", 60_000)
        assert eve.ask("POST", "/api/records", small) == (429, "too-many-requests")
        assert server.browser("192.0.2.2").ask("POST", "/api/records", small)[0] == 201


def test_imports_that_hang_delay_neither_sign_in_nor_pictures_nor_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", task_workers=1).running() as server:
        pool = server.context.tasks.pools["read-record"]
        monkeypatch.setattr(pool, "_module", "tests.server.hanging_worker")
        ada = server.browser("192.0.2.2")
        ada.register("ada")
        eves = [server.browser(f"198.51.100.{i}") for i in range(7)]
        body = {"game": "taiji:size=3", "moves": [0]}
        threads = [threading.Thread(target=eve.ask, args=("POST", "/api/records", body)) for eve in eves]
        for thread in threads:
            thread.start()
        wait_until(lambda: pool.stats() == {"workers": 1, "busy": 1, "queued": 6}, "the imports do not queue")
        assert server.browser("192.0.2.3").sign_in("ada")[0] == 200
        table = ada.table()
        assert ada.get("/api/game-definition?game=taiji:size=5")["game"] == "taiji:size=5"
        assert ada.request("GET", f"/api/tables/{table['id']}/board.svg").status_code == 200
        assert pool.stats()["busy"] == 1
        server.run(pool.close)
        for thread in threads:
            thread.join()


def test_a_password_that_takes_long_to_judge_delays_no_sign_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", task_workers=1).running() as server:
        pool = server.context.tasks.pools["judge-password"]
        server.browser("192.0.2.2").register("ada")
        strange = {"name": "eve", "password": "4@8({[<3691!|70$5+%2" * 2}
        assert server.browser("192.0.2.3").ask("POST", "/api/account", strange)[0] == 201
        server.run(pool.close)
        pool._closed, pool._idle = False, []
        monkeypatch.setattr(pool, "_module", "tests.server.hanging_worker")
        eves = [server.browser(f"198.51.100.{i}") for i in range(4)]
        threads = [threading.Thread(target=eve.ask, args=("POST", "/api/account", strange)) for eve in eves]
        for thread in threads:
            thread.start()
        wait_until(lambda: pool.stats()["queued"] == 3, "the registrations do not queue")
        assert server.browser("192.0.2.4").sign_in("ada")[0] == 200
        assert pool.stats()["busy"] == 1
        server.run(pool.close)
        for thread in threads:
            thread.join()


def test_passwords_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(passwords, "MAX_WAITING", 2)
    monkeypatch.setattr(passwords, "_verify", lambda *_: go_on.wait())

    async def count_guesses(password: str, name: str) -> float:
        return 0.0

    async def main() -> None:
        service = Passwords(count_guesses, at_once=1)
        verified = [asyncio.create_task(service.verify(None, "x")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError, match="at once"):
            await service.verify(None, "x")
        verified.pop().cancel()  # who leaves makes place
        while service._running == 3:
            await asyncio.sleep(0)
        last = asyncio.create_task(service.verify(None, "x"))
        await asyncio.sleep(0)
        go_on.set()
        assert await asyncio.gather(*verified, last) == [True, True, True]
        while service._running:
            await asyncio.sleep(0)

    asyncio.run(main())


def test_new_games_are_charged_to_the_address_and_known_ones_are_not(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits.LIMITS, CPU_LIMIT, (20, 600_000))
    inside.context.rate_limiter._sketches.pop(CPU_LIMIT, None)
    eve, ada = inside.browser("198.51.100.7"), inside.browser("198.51.100.8")
    wish = {"opponent": "open", "match": False}
    games = [f"battle-of-lits:board={board},size=11" for board in range(7000, 7040)]
    for game in games:
        status, code = eve.ask("POST", "/api/tables", {**wish, "game": game})
        if status != 201:
            break
    assert (status, code) == (429, "too-many-requests")
    assert game != games[0]
    for path in ("/api/tournaments", "/api/pair", "/api/analyse"):
        body = {"id": "p1", "name": "Cup", "format": "swiss", "seconds": 0.1, "moves": []}
        wanted = {
            "/api/tournaments": ("name", "format"),
            "/api/pair": ("id",),
            "/api/analyse": ("seconds", "moves"),
        }
        asked = {key: body[key] for key in wanted[path]}
        assert eve.ask("POST", path, {**asked, "game": games[-1]}) == (429, "too-many-requests")
    assert eve.ask("POST", "/api/tables", {**wish, "game": games[0]})[0] == 201
    assert ada.ask("POST", "/api/tables", {**wish, "game": games[-1]})[0] == 201
    inside.context.rate_limiter._sketches.pop(CPU_LIMIT, None)


def test_the_queue_of_tasks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "WORKER", "tests.server.hanging_worker")
    monkeypatch.setitem(tasks.KINDS, "draw", TaskKind(cpu_s=9, queue=2))

    async def main() -> None:
        runner = Tasks(1, RateLimiter(SetTime()))
        waiting = [asyncio.create_task(runner.run("draw", f"a{i}", {})) for i in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError, match="busy"):
            await runner.run("draw", "b", {})
        assert runner.queued()["draw"] == 2
        await runner.close()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(main())


def test_many_sockets_at_once_stay_within_the_limit(tmp_path: Path) -> None:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", rate_limit_scale=0.02).running() as server:
        guests = [server.browser() for _ in range(16)]  # 500 × 0.02 = 10 sockets for one address
        ready, held = threading.Barrier(len(guests)), threading.Event()

        def visit(number: int) -> int:
            ready.wait()
            with guests[number].socket("/ws/lobby") as socket:
                if socket.receive()["type"] == "websocket.close":
                    return 4429
                accepted.append(number)
                held.wait()
                return 0

        accepted: list[int] = []
        with ThreadPoolExecutor(len(guests)) as pool:
            results = [pool.submit(visit, number) for number in range(len(guests))]
            try:
                wait_until(lambda: sum(one.done() for one in results) == 6, "not six are refused")
                wait_until(lambda: len(accepted) == 10, "not ten are accepted")
                streams = server.browser().request("GET", "/api/stream/events")
                assert (streams.status_code, streams.json()["error"]["code"]) == (429, "too-many-requests")
                with server.browser("2001:db8::1").socket("/ws/lobby") as other:
                    assert other.receive_json()["type"] == "lobby"
            finally:
                held.set()
        assert server.context.connections.count == 0
        assert server.context.rate_limiter.refused["too-many-sockets"] == 6


def test_requests_and_bytes_of_an_address_are_limited(tmp_path: Path) -> None:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}").running() as server:
        eve = server.browser("2001:db8::1")
        limiter = server.context.rate_limiter
        limiter.add("body bytes from one address", "2001:db8::/64", 100_000_000)
        assert eve.ask("POST", "/api/tables", {"game": "taiji"}) == (429, "too-many-requests")
        assert eve.request("GET", "/api/me").status_code == 200
        limiter.add("requests from one address", "2001:db8::/64", 20_000)
        neighbour = server.client("2001:db8::2", "http", "localhost:8321").get("/api/games")
        assert neighbour.status_code == 429
        assert int(neighbour.headers["retry-after"]) >= 1
        server.browser("2001:db8:0:1::1")


def test_a_body_that_does_not_arrive_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_checks, "BODY_TIMEOUT_S", 0.05)
    sent: list[dict[str, Any]] = []

    async def never() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    async def main() -> None:
        limiter = RateLimiter(SetTime())
        middleware = RequestCheckMiddleware(send, ServerSettings(), limiter)
        scope = {
            "type": "http", "path": "/api/tables", "query_string": b"", "client": ("192.0.2.1", 1),
            "headers": [(b"host", b"localhost"), (b"content-length", b"10")],
        }  # fmt: skip
        await middleware(scope, never, send)
        assert limiter.refused == {"too-slow": 1}

    asyncio.run(main())
    assert sent[0]["status"] == 408


def test_a_head_that_does_not_arrive_ends_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "HEADER_TIMEOUT_S", 0.1)

    async def hello(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await asyncio.sleep(0.3)  # longer than a head may take
        await send({"type": "http.response.body", "body": b"hi"})

    async def main() -> None:
        config = uvicorn.Config(hello, lifespan="off", log_config=None, timeout_keep_alive=60)
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: protocols.HttpProtocol(config, state, {}), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        for first in (b"", b"GET / HTTP/1.1\r\nHost: loc"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(first)
            assert await reader.read() == b""
            writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await reader.readuntil(b"hi")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET")  # the next request of a kept connection
        assert await reader.read() == b""
        writer.close()
        server.close()
        await server.wait_closed()

    asyncio.run(main())


def test_a_socket_outlives_the_time_of_a_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "HEADER_TIMEOUT_S", 0.1)

    async def echo(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        while (frame := await receive())["type"] != "websocket.disconnect":
            if "text" in frame:
                await send({"type": "websocket.send", "text": frame["text"]})

    async def main() -> None:
        config = uvicorn.Config(echo, lifespan="off", log_config=None, ws=protocols.SocketProtocol)
        config.load()
        loop = asyncio.get_running_loop()
        make = partial(protocols.HttpProtocol, config, ServerState(), {})
        server = await loop.create_server(make, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}") as socket:
            await asyncio.sleep(0.5)
            await socket.send("hello")
            assert await socket.recv() == "hello"
        server.close()
        await server.wait_closed()

    asyncio.run(main())


def test_the_events_of_a_table_are_bounded(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "MAX_OPTIONAL_EVENTS", 6)
    ada, bob = inside.browser(), inside.browser("192.0.2.2")
    table = ada.table(takebacks=True)
    bob.post(f"/api/tables/{table['id']}/join")
    light, dark = (ada, bob) if ada.get(f"/api/tables/{table['id']}")["your_seat"] == "first" else (bob, ada)
    assert light.move(table["id"], 0, 0)[0] == 200
    path = f"/api/tables/{table['id']}"
    assert light.ask("POST", f"{path}/takeback", {"id": "t1"})[0] == 200
    assert dark.ask("POST", f"{path}/takeback-answer", {"id": "t2", "accept": False})[0] == 200
    assert light.ask("POST", f"{path}/takeback", {"id": "t3"}) == (409, "too-late")
    moves = parse_game("taiji:size=4").start()
    reply = moves.play(moves.legal()[0]).legal()[0].action
    assert dark.move(table["id"], 1, reply)[0] == 200


def test_games_in_memory_are_bounded_and_known_by_value() -> None:
    assert parse_game(" taiji:size=7 ") is parse_game("TAIJI: size = 7")
    for board in range(catalogue.MAX_GAMES + 30):
        _ = parse_game(f"battle-of-lits:board={board},size=11").placements
    assert len(catalogue._games) <= catalogue.MAX_GAMES
    held = sum(map(catalogue._placement_count, catalogue._games.values()))
    assert held <= catalogue.MAX_PLACEMENTS + len(parse_game("battle-of-lits:size=11").placements)
    assert len(catalogue._canonical) <= catalogue.MAX_TEXTS


def test_definitions_are_kept_by_value_within_their_bytes(inside: Inside) -> None:
    ada = inside.browser()
    cache = inside.context.definitions
    before = cache.size_bytes
    first = ada.request("GET", "/api/game-definition?game=taiji:size=6")
    size = cache.size_bytes - before
    assert size == len(first.content)
    for text in ("TAIJI:size=6", " taiji:size=6", "taiji:size=06"):
        assert ada.request("GET", "/api/game-definition", params={"game": text}).status_code in (200, 400)
    assert cache.size_bytes == before + size
    small = ByteCache(10)
    for key in "abc":
        small.put(key, b"12345")
    assert (small.get("a"), small.get("c"), small.size_bytes) == (None, b"12345", 10)
    small.put("d", b"x" * 11)
    assert (small.get("d"), small.size_bytes) == (None, 0)
