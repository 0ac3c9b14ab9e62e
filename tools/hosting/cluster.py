"""The cluster file with real programs: PostgreSQL, NATS, three nodes, an engine node, and Caddy in front."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import yaml
from tests.server.nats import Nats
from tests.server.postgres import Postgres
from tools.hosting import DEPLOY
from tools.hosting.proxies import ENDED, free_port, running
from tools.hosting.visitor import PATIENCE_S, Front, check

TAIJI = Path(sys.executable).with_name("taiji")


def check_cluster(folder: Path) -> None:
    """Run the commands of deploy/compose.cluster.yaml on this machine; play, kill a node, play on."""
    services = yaml.safe_load((DEPLOY / "compose.cluster.yaml").read_text())["services"]
    nodes = [name for name, service in services.items() if str(service.get("command")).startswith("serve ")]
    postgres = Postgres.start()
    if postgres is None:
        raise SystemExit("hosting-check: PostgreSQL is missing (apt-get install postgresql)")
    front = free_port()
    with ExitStack() as stack:
        stack.callback(postgres.stop)
        bus = Nats()
        stack.callback(bus.down)
        ports = {name: free_port() for name in nodes}
        here = {
            "https://${TAIJI_HOST:-localhost}": f"http://localhost:{front}",
            "nats://bus:4222": bus.address,
            "172.31.0.0/24": "127.0.0.1",
        }
        database = {"TAIJI_DATABASE_URL": postgres.new_database()}
        started = {
            name: _start(
                stack, services[name]["command"], {**here, "0.0.0.0": f"127.0.0.1 --port {port}"}, database
            )
            for name, port in ports.items()
        }
        _start(stack, services["engines"]["command"], here, {})
        for name, port in ports.items():
            _wait_until_ready(port, started[name])
        settings = {
            "TAIJI_HOST": f"http://localhost:{front}",
            "TAIJI_NODES": " ".join(f"127.0.0.1:{port}" for port in ports.values()),
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
        stack.enter_context(running(command, front, settings))
        print(f"{len(nodes)} nodes:", ", ".join(check(Front(front))))
        started[nodes[0]].kill()
        started[nodes[0]].wait()
        print("one node killed:", ", ".join(check(Front(front))))


def _start(
    stack: ExitStack, command: str, here: dict[str, str], settings: dict[str, str]
) -> subprocess.Popen[bytes]:
    """Run a command of a service on this machine until the stack is closed."""
    for there, address in here.items():
        command = command.replace(there, address)
    process = subprocess.Popen(
        [str(TAIJI), *shlex.split(command)],
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    stack.callback(_stop, process)
    return process


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    status = process.wait(PATIENCE_S)
    assert status in (*ENDED, -signal.SIGKILL), f"{process.args!r} ended with status {status}"


def _wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        assert process.poll() is None, f"a node ended with status {process.returncode}"
        try:
            if httpx.get(f"http://127.0.0.1:{port}/api/ready", timeout=PATIENCE_S).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < end, f"the node at port {port} is not ready"
        time.sleep(0.2)
