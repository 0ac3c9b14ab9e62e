"""The proxy examples in real proxies: nginx with TLS and two nodes, one of them gone, and Caddy."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from tools.hosting import DEPLOY
from tools.hosting.visitor import NAME, PATIENCE_S, Front, check

WRAPPER = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/taiji.conf;
}}
"""


ENDED = (0, -signal.SIGTERM)
"""Exit statuses after SIGTERM: some programs clean up, then raise the signal again."""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(folder: Path, public_url: str) -> Iterator[int]:
    """Run a server as behind a proxy; yield its port, and expect it to end cleanly."""
    port = free_port()
    database = f"sqlite:///{folder}/games-{port}.sqlite"
    options = [f"--port={port}", f"--database-url={database}", f"--public-url={public_url}", "--engines=1"]
    command = [str(Path(sys.executable).with_name("taiji")), "serve", "--no-open", *options]
    with running(command, port):
        yield port


def check_nginx(folder: Path) -> None:
    """Run deploy/nginx.conf in a real nginx, in front of a server and of a node that is gone."""
    certificate, key = _certificate(folder)
    plain, tls, gone = free_port(), free_port(), free_port()
    with serving(folder, f"https://{NAME}") as port:
        node = f"server 127.0.0.1:{gone} max_fails=2 fail_timeout=2s; server 127.0.0.1:{port} "
        text = (DEPLOY / "nginx.conf").read_text()
        for old, new in {
            "    listen [::]:80;\n": "",
            "    listen [::]:443 ssl http2;\n": "",
            "listen 80;": f"listen 127.0.0.1:{plain};",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{tls} ssl http2;",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(certificate),
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(key),
            "server 127.0.0.1:8321 ": node,
        }.items():
            assert old in text, f"deploy/nginx.conf: no {old!r}"
            text = text.replace(old, new)
        (folder / "taiji.conf").write_text(text)
        (folder / "nginx.conf").write_text(WRAPPER.format(folder=folder))
        with running(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], tls):
            moved = httpx.get(f"http://127.0.0.1:{plain}/game/x", headers={"Host": NAME})
            assert (moved.status_code, moved.headers["location"]) == (308, f"https://{NAME}/game/x")
            seen = check(Front(tls, certificate))
            print("nginx:", ", ".join([*seen, "redirect to https", "a node that is gone"]))


def check_caddy(folder: Path) -> None:
    """Run deploy/Caddyfile in a real Caddy; without TLS, which would need a certificate authority."""
    front, gone = free_port(), free_port()
    with serving(folder, f"http://localhost:{front}") as port:
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
        settings = {
            "TAIJI_HOST": f"http://localhost:{front}",
            "TAIJI_NODES": f"127.0.0.1:{gone} 127.0.0.1:{port}",
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }
        with running(command, front, settings):
            print("caddy:", ", ".join([*check(Front(front)), "a node that is gone"]))


def _certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    subject = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"]
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*new, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    return certificate, key


@contextmanager
def running(command: list[str], port: int, settings: dict[str, str] | None = None) -> Iterator[None]:
    """Run a proxy until the block ends; begin when it listens."""
    if shutil.which(command[0]) is None:
        raise SystemExit(f"hosting-check: {command[0]} is missing (apt-get install {command[0]})")
    process = subprocess.Popen(
        command, env={**os.environ, **(settings or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + PATIENCE_S
        while socket.socket().connect_ex(("127.0.0.1", port)):
            assert process.poll() is None, f"{command[0]} ended with status {process.returncode}"
            assert time.monotonic() < end, f"{command[0]} does not listen"
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        status = process.wait(PATIENCE_S)
    assert status in ENDED, f"{command[0]} ended with status {status}"
