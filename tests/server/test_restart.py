"""A server that dies in the middle of games: nothing acknowledged is lost, nobody pays for the downtime."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, text

from taiji.server.store.database import parse_url
from tests.cli.base_cases import OWN_GAME
from tests.server.running import Running, Visitor
from tests.server.test_play import by_link
from tests.waiting import PATIENCE_S, slowdown, wait_until


def wait_until_unused(database_url: str) -> None:
    """Wait until a database has done what a killed server had asked of it: until then it counts as alive."""
    if database_url.startswith("sqlite"):
        return
    engine = create_engine(parse_url(database_url), isolation_level="AUTOCOMMIT")
    others = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    with engine.connect() as connection:
        wait_until(lambda: connection.execute(others).scalar() == 0, "the database is still used")
    engine.dispose()


def test_games_go_on_after_a_kill(database_url: str) -> None:
    running = Running(database_url, "--engines=0")
    ada, bob = Visitor(running.url), Visitor(running.url)
    clock = {"clock_type": "sudden", "main_s": 3600}  # no flag falls while a busy machine starts a server
    table = by_link(ada, bob, clock=clock, game="taiji:size=5")
    identity = table["id"]
    with ada.open(identity) as one, bob.open(identity) as two:
        assert one.ask("move", ply=0, move="a1/a2")["type"] == "ack"
        assert two.ask("move", ply=1, move="c1/c2")["type"] == "ack"
        sent = time.monotonic()
        acknowledged = one.ask("move", id="again", ply=2, move="e1/e2")
        assert acknowledged["type"] == "ack"
        before = two.wait_move(2)["clock"]["second"]["remaining_ms"]
        running.kill()
        wait_until_unused(database_url)
        lived_ms = (time.monotonic() - sent) * 1000
    time.sleep(1)
    began = time.monotonic()
    running = Running(database_url, "--engines=0", port=running.port)
    with bob.open(identity, after=acknowledged["version"]) as two, ada.open(identity) as one:
        resumed = two.wait("resume")
        # Under two seconds on a dedicated machine; tests share theirs.
        assert time.monotonic() - began < 20 * slowdown()
        assert resumed["version"] == acknowledged["version"] + 1
        assert resumed["data"]["downtime_ms"] >= 1000
        assert resumed["clock"]["running"] == "second"
        # The server noted every second that it lived: the side to move may gain that much, and loses nothing.
        assert before - resumed["clock"]["second"]["remaining_ms"] <= lived_ms
        moves = one.wait("snapshot")["table"]["moves"]
        assert [move["text"] for move in moves] == ["a1/a2", "c1/c2", "e1/e2"]
        # A frame whose answer was lost is sent again, and not done twice.
        assert one.ask("move", id="again", ply=2, move="e1/e2") == acknowledged
        assert two.ask("move", ply=3, move="b4/b5")["type"] == "ack"
    assert running.stop() == 0
    assert running.errors == []
    ada.close()
    bob.close()


def test_the_computer_moves_on_after_a_kill(database_url: str) -> None:
    running = Running(database_url, "--engines=1")
    ada = Visitor(running.url)
    table = ada.table(colour="light", game="taiji:size=6", level=1)
    ada.act(table["id"], "move", ply=0, move=0)
    running.kill()
    running = Running(database_url, "--engines=1", port=running.port)
    with ada.open(table["id"]) as watching:
        if len(watching.wait("snapshot")["table"]["moves"]) == 1:
            watching.wait_move(1)
    assert running.stop() == 0
    ada.close()


def test_ctrl_c_ends_the_server_in_good_order(database_url: str) -> None:
    running = Running(database_url, "--engines=1")
    ada = Visitor(running.url)
    ada.table(game="taiji:size=3", level=1)  # the server compiles the game, and must free it at exit
    table = ada.table(opponent="open")
    with (
        ada.open(table["id"]) as watching,
        ada.client.stream("GET", f"/api/tables/{table['id']}/stream") as lines,
    ):
        watching.wait("snapshot")
        next(lines.iter_lines())
        began = time.monotonic()
        assert running.stop() == 0
        assert time.monotonic() - began < 4 * slowdown()
        assert watching.closed() == 1012
    assert running.errors == []
    ada.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGHUP")
def test_a_closed_terminal_ends_the_server_in_good_order(tmp_path: Path) -> None:
    running = Running(f"sqlite:///{tmp_path}/x.sqlite", "--engines=0")
    ada = Visitor(running.url)
    with ada.open(ada.table(opponent="open")["id"]) as watching:
        watching.wait("snapshot")
        assert running.stop(signal.SIGHUP) == 0
        assert watching.closed() == 1012
    assert running.errors == []
    ada.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGHUP")
def test_a_server_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        running = Running(f"sqlite:///{tmp_path}/x.sqlite", "--engines=0", forked=False)
    finally:
        signal.signal(signal.SIGHUP, before)
    running.process.send_signal(signal.SIGHUP)
    for _ in range(3):
        assert httpx.get(f"{running.url}/api/live", timeout=PATIENCE_S).status_code == 200
    assert running.stop() == 0


@contextmanager
def visits(url: str) -> Iterator[list[float]]:
    """Ask again and again on new connections, and note how long each answer takes.

    Some visitors connect and ask later, as busy machines and browsers do.
    """
    seconds: list[float] = []
    ended = threading.Event()
    failures: list[str] = []

    def visit() -> None:
        while not ended.is_set():
            began = time.monotonic()
            try:
                httpx.get(f"{url}/api/games", timeout=PATIENCE_S).raise_for_status()
            except httpx.HTTPError as error:
                failures.append(f"{error!r} after {time.monotonic() - began:.3f} s")
            seconds.append(time.monotonic() - began)

    def visit_slowly(first_pause_s: float) -> None:
        where, pause_s = httpx.URL(url), first_pause_s
        request = f"GET /api/games HTTP/1.0\r\nHost: {where.netloc.decode()}\r\n\r\n".encode()
        while not ended.is_set():
            try:
                with socket.create_connection((where.host, where.port), PATIENCE_S) as visitor:
                    time.sleep(pause_s)
                    visitor.sendall(request)
                    with visitor.makefile("rb") as answers:
                        answer = answers.readline()
            except OSError as error:
                answer = repr(error).encode()
            if b" 200 " not in answer:
                failures.append(f"{answer!r} to a visitor who asks {pause_s} s after connecting")
            pause_s = 0.5

    threads = [threading.Thread(target=visit)]
    threads += [threading.Thread(target=visit_slowly, args=(n / 8,)) for n in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield seconds
    finally:
        ended.set()
        for thread in threads:
            thread.join(PATIENCE_S)
    assert failures == []


def processes_of(database_url: str) -> list[int]:
    """Return the servers of a database."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (folder / "cmdline").read_text().split("\0")
        except OSError:
            continue
        if f"--database-url={database_url}" in arguments:
            found.append(int(folder.name))
    return found


@pytest.mark.skipif(
    sys.platform != "linux", reason="a successor inherits the socket, which is found in /proc"
)
def test_a_successor_takes_over_without_refusing_anybody(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    running = Running(database_url, "--engines=0", forked=False)
    try:
        play_across_a_succession(running)
        (successor,) = processes_of(database_url)
        # The manager knows the successor before the server that it replaces ends.
        told = [manager.recv(100).decode() for _ in range(3)]
        assert told == ["READY=1", f"MAINPID={successor}", "READY=1"]
        os.kill(successor, signal.SIGTERM)
        wait_until(lambda: not processes_of(database_url), "the successor does not stop")
    finally:
        for process in processes_of(database_url):
            os.kill(process, signal.SIGKILL)
        manager.close()
    assert running.stop() == 0
    assert running.errors == []


def play_across_a_succession(running: Running) -> None:
    ada, bob = Visitor(running.url), Visitor(running.url)
    clock = {"clock_type": "sudden", "main_s": 3600}  # no flag falls while a busy machine starts a server
    identity = by_link(ada, bob, clock=clock, game="taiji:size=5")["id"]
    assert running.process.stdout is not None
    with ada.open(identity) as one, bob.open(identity) as two, visits(running.url) as answered:
        acknowledged = one.ask("move", ply=0, move="a1/a2")
        wait_until(lambda: len(answered) > 3, "nobody is answered")
        running.process.send_signal(signal.SIGUSR2)
        assert [one.closed(), two.closed()] == [1012, 1012]
        closed_at = time.monotonic()
        with bob.open(identity, after=acknowledged["version"]) as again:
            answer = again.ask("move", ply=1, move="c1/c2")
            assert answer["type"] == "ack", answer
        # The successor was loaded before: a start from nothing takes over a second on a dedicated machine.
        assert time.monotonic() - closed_at < 1.0 * slowdown()
        assert "taiji is at" in running.process.stdout.readline()
        assert running.process.wait(PATIENCE_S) == 0
        count = len(answered)
        wait_until(lambda: len(answered) > count + 3, "the successor answers nobody")
    table = ada.get(f"/api/tables/{identity}")
    assert [move["text"] for move in table["moves"]] == ["a1/a2", "c1/c2"]
    ada.close()
    bob.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGUSR2")
def test_a_successor_that_does_not_start_changes_nothing(tmp_path: Path) -> None:
    games = tmp_path / "corner.toml"
    games.write_text(OWN_GAME)
    database_url = f"sqlite:///{tmp_path}/x.sqlite"
    running = Running(database_url, "--engines=0", f"--game-file={games}", forked=False)
    ada = Visitor(running.url)
    table = ada.table(opponent="open")
    with ada.open(table["id"]) as watching:
        watching.wait("snapshot")
        games.write_text("no game")
        for _ in range(2):
            count = len(running.errors)
            running.process.send_signal(signal.SIGUSR2)
            wait_until(lambda: "goes on" in "".join(running.errors[count:]), "the failure is not told")  # noqa: B023
        assert ada.act(table["id"], "abort")["version"]
        assert watching.wait("end")
    assert running.stop() == 0
    ada.close()
