"""Background tasks are restarted after any failure, and health and readiness show it."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from taiji.server.live.supervisor import RESTART_DELAYS_S, STABLE_MS, Supervisor
from taiji.server.live.timers import MIN_COMPACTED, Timers
from taiji.server.store.writer import Writer
from tests.server.inside import Inside
from tests.server.test_rooms import SetTimes
from tests.waiting import eventually, wait_until


def health(inside: Inside) -> Any:
    return inside.client("192.0.2.3", "http", "localhost:8321").get("/api/health").json()


class Pauses(SetTimes):
    """A clock that writes the pauses down, and does not wait."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await asyncio.sleep(0)


def test_a_failed_loop_starts_again_after_longer_and_longer_pauses(caplog: pytest.LogCaptureFixture) -> None:
    times = Pauses()
    runs = 0

    async def loop() -> None:
        nonlocal runs
        runs += 1
        if runs == 8:
            times._now += STABLE_MS
        if runs < 10:
            raise ValueError(f"no {runs}")
        await asyncio.Event().wait()

    async def main() -> None:
        supervisor = Supervisor(times)
        supervisor.start("example", loop)
        await eventually(lambda: runs == 10, "the loop is not restarted")
        health = supervisor.health()["example"]
        assert (health.running, health.failures, health.error) == (True, 9, None)
        await supervisor.close()

    asyncio.run(main())
    last = RESTART_DELAYS_S[-1]
    assert times.pauses == [*RESTART_DELAYS_S, last, last, *RESTART_DELAYS_S[:2]]
    assert "ValueError: no 9" in caplog.text  # the cause


def test_a_loop_that_ends_is_a_failure_and_one_that_waits_is_shown() -> None:
    times = SetTimes()

    async def loop() -> None:
        pass

    async def main() -> None:
        supervisor = Supervisor(times)
        supervisor.start("example", loop)
        await eventually(lambda: not supervisor.health()["example"].running, "nobody notices the end")
        assert supervisor.health()["example"].error == "RuntimeError"
        await supervisor.close()

    asyncio.run(main())


def test_after_failed_writes_every_task_runs_again(
    alone: Inside, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ada, bob = alone.browser(), alone.browser("192.0.2.2")
    clock = {"clock_type": "fischer", "main_s": 600, "increment_s": 5}
    table = ada.table(clock=clock)
    bob.post(f"/api/tables/{table['id']}/join")
    commit = Writer._commit

    def fail(*_: object) -> None:
        raise OperationalError("INSERT", {}, OSError(28, "No space left on device"))

    monkeypatch.setattr(Writer, "_commit", fail)

    def failed() -> Any:
        """Return the health of one moment: the task is restarted, and fails again."""
        seen = health(alone)
        return seen if not seen["tasks"]["heartbeat"]["running"] else None

    broken = wait_until(failed, "nothing fails")
    assert broken["status"] == "degraded"
    assert broken["tasks"]["heartbeat"]["error"] == "OperationalError"
    monkeypatch.setattr(Writer, "_commit", commit)
    wait_until(lambda: health(alone)["status"] == "ok", "a task is not restarted")
    assert health(alone)["tasks"]["heartbeat"]["failures"] > 0
    failure = next(entry for entry in caplog.records if "task heartbeat failed" in entry.getMessage())
    assert "No space left on device" in failure.getMessage()
    assert failure.exc_info is None  # one line per task: the database fails all of them
    assert ada.get(f"/api/tables/{table['id']}")["status"] == "playing"


def test_a_purge_that_fails_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    server = Inside(f"sqlite:///{tmp_path / 'x.sqlite'}")
    purged = []

    async def fail() -> None:
        raise RuntimeError("no")

    async def purge() -> None:
        purged.append(1)

    server.context.sessions.purge = fail  # type: ignore[method-assign]
    server.context.pushes.purge = purge  # type: ignore[method-assign]
    with server.running():
        wait_until(lambda: health(server)["tasks"]["purge of sessions"]["failures"], "nothing fails")
        wait_until(lambda: purged, "pushes are not purged")
        tasks = health(server)["tasks"]
        assert tasks["purge of sessions"]["error"] in ("RuntimeError", None)
        for name in ("links", "pairings", "notifications", "pushes", "games"):
            assert tasks[f"purge of {name}"] == {"running": True, "failures": 0, "error": None}


def test_ready_reads_and_writes_and_live_needs_no_database(
    alone: Inside, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    client = alone.client("192.0.2.1", "http", "localhost:8321")
    assert client.get("/api/ready").json() == {"status": "ok"}

    def fail(*_: object) -> None:
        raise OperationalError("UPDATE", {}, OSError(28, "No space left on device"))

    with monkeypatch.context() as patched:
        patched.setattr(Writer, "_commit", fail)
        assert client.get("/api/ready").status_code == 200  # for a second the last result counts
        alone.time.advance(seconds=2)
        answer = client.get("/api/ready")
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "unavailable"
        patched.setattr(alone.context.store, "_read", fail)
        assert client.get("/api/live").json() == {"status": "ok", "tables": []}
    alone.time.advance(seconds=2)
    assert client.get("/api/ready").status_code == 200
    alone.context.readiness.is_draining = True
    assert client.get("/api/ready").status_code == 503


def test_a_timer_leaves_with_its_game() -> None:
    times = SetTimes()
    fired: list[tuple[str, int]] = []

    def fire(table: str, version: int) -> None:
        fired.append((table, version))

    async def main() -> None:
        timers = Timers(times, fire)
        day = times.now() + 86_400_000
        for version in range(10_000):
            timers.schedule(day + version, "long", version)
        assert len(timers) == 1
        assert len(timers._heap) <= MIN_COMPACTED + 1
        for number in range(1000):
            timers.schedule(day, f"t{number}", 1)
        for number in range(1000):
            timers.cancel(f"t{number}")
        assert len(timers) == 1
        assert len(timers._heap) <= MIN_COMPACTED + 1
        times._now = day + 20_000
        timers._fire_due()

    asyncio.run(main())
    assert fired == [("long", 9999)]


def test_a_callback_that_fails_does_not_stop_the_clocks(caplog: pytest.LogCaptureFixture) -> None:
    times = SetTimes()
    fired: list[str] = []

    def fire(table: str, version: int) -> None:
        fired.append(table)
        if fired == ["bad"]:
            raise KeyError(table)

    async def main() -> None:
        timers = Timers(times, fire)
        timers.schedule(times.now() + 1, "bad", 1)
        timers.schedule(times.now() + 2, "good", 1)
        times._now += 2
        timers._fire_due()
        times._now += 1000
        timers._fire_due()
        assert len(timers) == 0

    asyncio.run(main())
    assert fired == ["bad", "good", "bad"]
    assert "KeyError" in caplog.text


def test_timers_of_finished_games_are_gone(tmp_path: Path) -> None:
    with Inside(f"sqlite:///{tmp_path / 'x.sqlite'}").running() as server:
        ada, bob = server.browser(), server.browser("192.0.2.2")
        table = ada.table(clock={"clock_type": "sudden", "main_s": 600})
        bob.post(f"/api/tables/{table['id']}/join")
        assert server.context.rooms.timer_count == 1
        ada.post(f"/api/tables/{table['id']}/resign", {"id": "r"})
        second = ada.get("/api/my/tables?status=playing")["tables"]
        for one in second:
            ada.post(f"/api/tables/{one['id']}/resign", {"id": "r2"})
        assert server.context.rooms.timer_count == 0
