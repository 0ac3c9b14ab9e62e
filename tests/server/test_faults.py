"""Faults: disk full, failing reads, no database, no engine, no file descriptors, a clock that steps back.

After each of them the server works again without a restart.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from taiji.server.jobs import engines as engine_pool
from taiji.server.store.leased_ownership import LeasedOwnership
from taiji.server.store.store import Store
from taiji.server.time_source import SystemTimeSource
from tests.server.inside import Browser, Inside
from tests.server.postgres import Postgres
from tests.server.running import Running
from tests.waiting import PATIENCE_S, wait_until

CLOCK = {"clock_type": "fischer", "main_s": 600, "increment_s": 5}


class Play:
    """A game between two browsers, which play their first legal moves."""

    def __init__(self, server: Inside) -> None:
        self.server = server
        self.players: dict[str, Browser] = {}
        ada, bob = server.browser(), server.browser("192.0.2.2")
        self.id = ada.table(clock=CLOCK, game="taiji:size=7")["id"]
        bob.post(f"/api/tables/{self.id}/join")
        for one in (ada, bob):
            self.players[one.get(f"/api/tables/{self.id}")["your_seat"]] = one

    @property
    def table(self) -> Any:
        return self.players["first"].get(f"/api/tables/{self.id}")

    def move(self) -> tuple[int, Any]:
        room = self.server.run(self.server.context.rooms.get, self.id)
        state = room.table.state
        seat = state.seat_to_move.name.lower()
        return self.players[seat].move(self.id, state.ply, state.legal()[0].action)

    def moves_again(self) -> bool:
        return bool(self.move()[0] == 200)


def is_well(server: Inside) -> bool:
    client = server.client("192.0.2.9", "http", "localhost:8321")
    server.time.advance(seconds=2)
    ready = client.get("/api/ready").status_code == 200
    return ready and client.get("/api/health").json()["status"] == "ok"


def fail_with(error: Exception) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@contextmanager
def full_disk(server: Inside) -> Iterator[None]:
    """Let SQLite itself answer that the disk is full."""

    def limit(pages: int | None) -> Any:
        def work(connection: Any) -> None:
            count = pages or connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={count}")

        return work

    server.run(server.context.store.write, limit(None))
    yield
    server.run(server.context.store.write, limit(1 << 30))


def test_a_full_disk_refuses_moves_and_loses_none(alone: Inside, caplog: pytest.LogCaptureFixture) -> None:
    play = Play(alone)
    assert play.move()[0] == 200
    known = play.table["moves"]
    with full_disk(alone):
        refused = []
        while not refused or refused[-1][0] == 200:  # the last page has room for a few
            refused.append(play.move())
        assert refused[-1] == (503, "unavailable")
        known = play.table["moves"]
        assert len(known) == len(refused)  # those that were acknowledged and no other
    assert play.moves_again()
    assert play.table["moves"][: len(known)] == known
    wait_until(lambda: is_well(alone), "a task does not come back")
    assert "disk is full" in caplog.text  # the cause, not what followed from it


def test_failing_reads_are_503_and_pass(alone: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(alone)
    broken = OperationalError("SELECT", {}, OSError(5, "Input/output error"))
    with monkeypatch.context() as patched:
        patched.setattr(Store, "_read", fail_with(broken))
        alone.context.rooms.drop(play.id)
        ada = play.players["first"]
        assert ada.ask("GET", f"/api/tables/{play.id}") == (503, "unavailable")
        assert ada.ask("GET", "/api/my/tables") == (503, "unavailable")
        assert ada.ask("GET", "/api/challenges") == (503, "unavailable")
    assert play.moves_again()
    wait_until(lambda: is_well(alone), "a task does not come back")


def test_without_a_database_for_five_seconds(alone: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(alone)
    assert play.move()[0] == 200
    before = play.table["clock"]
    gone = OperationalError("", {}, OSError(111, "Connection refused"))
    store = alone.context.store
    with monkeypatch.context() as patched:
        patched.setattr(store._writing, "connect", fail_with(gone))
        patched.setattr(store._writer, "_commit", fail_with(gone))
        patched.setattr(store._reading, "connect", fail_with(gone))
        assert play.move() == (503, "unavailable")
        alone.time.advance(seconds=5)
        client = alone.client("192.0.2.9", "http", "localhost:8321")
        assert client.get("/api/ready").status_code == 503
        assert client.get("/api/live").status_code == 200
    wait_until(play.moves_again, "moves are still refused")
    after = play.table["clock"]
    assert after["second"]["remaining_ms"] >= before["second"]["remaining_ms"] - 60_000
    wait_until(lambda: is_well(alone), "a task does not come back")


def test_an_engine_that_is_killed_or_hangs_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Inside(f"sqlite:///{tmp_path / 'x.sqlite'}", engines=1, computer_pace_s=0.0)
    with server.running():
        ada = server.browser()
        table = ada.table(opponent="computer", level=1, colour="light")
        room = server.run(server.context.rooms.get, table["id"])
        pool: Any = getattr(server.context.engines, "local", server.context.engines)

        def answered(ply: int) -> None:
            assert ada.move(table["id"], ply, room.table.state.legal()[0].action)[0] == 200
            wait_until(lambda: len(room.table.moves) == ply + 2, "the computer does not move")

        answered(0)
        (engine,) = pool._idle
        os.kill(engine._process.pid, signal.SIGKILL)
        answered(2)
        (engine,) = pool._idle
        os.kill(engine._process.pid, signal.SIGSTOP)
        monkeypatch.setattr(engine_pool, "OVERTIME_S", -4.9)
        answered(4)


def test_without_file_descriptors_the_server_comes_back(tmp_path: Path) -> None:
    server = Running(f"sqlite:///{tmp_path / 'x.sqlite'}", "--engines=0")
    assert httpx.get(f"{server.url}/api/ready", timeout=PATIENCE_S).status_code == 200
    used = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
    before = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (used + 8, before[1]))
    with ExitStack() as opened:
        for _ in range(40):
            opened.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S))
        wait_until(lambda: any("Too many open files" in line for line in server.errors), "nothing is used up")
        assert server.process.poll() is None

    def answers() -> bool:
        try:
            return httpx.get(f"{server.url}/api/ready", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    wait_until(answers, "the server does not come back")
    server.process.terminate()  # as systemd and Docker do: it drains and ends well
    assert server.process.wait(PATIENCE_S) == 0
    server.stop()
    assert len(server.errors) < 100, "the log would fill the disk"


def test_a_system_clock_that_steps_back_changes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SystemTimeSource()
    before = source.now()
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 3600)
    assert before <= source.now() < before + 3_000_000


def test_a_move_waits_until_a_lease_is_renewed(postgres: Postgres) -> None:
    with Inside(postgres.new_database()).running() as inside:
        play, ownership = Play(inside), inside.context.store.ownership
        assert isinstance(ownership, LeasedOwnership)
        ownership._gap = ownership._renewed  # the machine was too busy for a while
        assert play.move()[0] == 200


def test_a_database_that_answers_slowly_changes_no_time() -> None:
    source = SystemTimeSource()
    now, at = source.now(), time.monotonic()
    source.adjust(now, at - 3, at)  # asked three seconds ago, and it was as late when it answered
    source.adjust(now, at, at + 3)
    assert now <= source.now() <= now + (time.monotonic() - at) * 1000 + 1
    source.adjust(now + 3_600_000, at, at + 0.01)  # its clock is another
    assert now + 3_599_000 < source.now()


def test_a_restart_with_an_earlier_clock_charges_nobody(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    first = Inside(url)
    with first.running():
        play = Play(first)
        assert play.move()[0] == 200
        before = play.table["clock"]
    second = Inside(url)
    second.time.at = first.time.at - 3_600_000
    with second.running():
        for player in play.players.values():
            player.client = second.client("192.0.2.1", "http", "localhost:8321")
            player.visit()
        play.server = second
        assert play.table["clock"]["second"]["remaining_ms"] >= before["second"]["remaining_ms"]
        assert play.moves_again()
        assert is_well(second)
