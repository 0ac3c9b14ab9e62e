"""The command `taiji serve`: what it refuses, each in one clear line."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from taiji.server.web.serve import has_display, listen
from tests.cli.run import refusal
from tests.server.running import TAIJI, Running
from tests.waiting import PATIENCE_S, wait_until


def serve(*options: str) -> tuple[int, str]:
    done = subprocess.run(
        [str(TAIJI), "serve", "--no-open", *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stderr


def test_one_server_a_database_and_a_port(server: Running, tmp_path: Path) -> None:
    code, said = serve(f"--database-url={server.database_url}", "--port=0")
    assert (code, said.count("\n")) == (2, 1)
    assert "another server is using" in said
    code, said = serve(f"--database-url=sqlite:///{tmp_path}/x.sqlite", f"--port={server.port}")
    assert (code, said.count("\n")) == (2, 1)
    assert "cannot listen" in said


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("nonsense", "not a database address"),
        ("mysql://x/y", "unsupported database"),
        ("postgresql://nobody@127.0.0.1:9/x", "cannot open the database"),
    ],
)
def test_a_database_that_cannot_be_used_is_one_line(url: str, expected: str) -> None:
    code, said = serve(f"--database-url={url}", "--port=0")
    assert (code, said.count("\n")) == (2, 1)
    assert expected in said


def test_a_public_url_needs_scheme_and_host() -> None:
    for address in ("nonsense", "games.example", "ftp://games.example", "https://"):
        said = refusal("serve", "--public-url", address)
        assert f"--public-url {address!r}: not an address (expected https://HOST" in said


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada,\n" * 100)
    code, said = serve(f"--database-url=sqlite:///{path}", "--port=0")
    assert code == 2
    assert "not a database" in said
    assert path.read_text() == "Dear Ada,\n" * 100


def test_visitors_wait_for_a_lone_server_and_not_for_one_among_several() -> None:
    with listen("127.0.0.1", 0, visitors_wait=True) as alone:
        socket.create_connection(alone.getsockname()).close()
    with listen("127.0.0.1", 0, visitors_wait=False) as one, pytest.raises(ConnectionRefusedError):
        socket.create_connection(one.getsockname())


def test_a_second_server_waits_for_nobody_on_postgresql(postgres: object) -> None:
    url = postgres.new_database()  # type: ignore[attr-defined]
    running = Running(url, "--engines=0")
    code, said = serve(f"--database-url={url}", "--port=0")
    assert code == 2
    assert "another server is using" in said
    assert running.stop() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_display()


def test_the_browser_is_sent_to_the_address(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    process = subprocess.Popen(
        [str(TAIJI), "serve", "--open", "--port=0", f"--database-url=sqlite:///{tmp_path}/x.sqlite"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROWSER": f"{browser} %s"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    opened = tmp_path / "opened"
    try:
        address = wait_until(lambda: opened.exists() and opened.read_text().strip(), "no browser was opened")
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
        process.stdout.close()
    assert address in line
