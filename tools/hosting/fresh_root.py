"""The install steps of the image in a fresh Debian root, and its server with a read-only root file system."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
from tools.hosting import DEPLOY, ROOT
from tools.hosting.proxies import ENDED, free_port
from tools.hosting.visitor import PATIENCE_S, Front, check

RELEASE = "bookworm"


def check_fresh_root(folder: Path) -> None:
    """Install into a new root, run the server there as the image would, play, and stop it."""
    if os.geteuid():
        raise SystemExit("hosting-check: a fresh root needs root rights (or --only proxies)")
    root, wheels = folder / "root", folder / "wheels"
    if not (root / "etc" / "debian_version").exists():
        _run("debootstrap", "--variant=minbase", "--include=python3,python3-venv", RELEASE, str(root))
    base = _megabytes(root)
    _build_wheels(wheels)
    inside = root / "tmp" / "taiji"
    _run("rm", "-rf", str(inside))
    _run("cp", "-r", str(wheels), str(inside))
    _run("cp", str(DEPLOY / "install"), str(ROOT / "constraints.txt"), str(inside))
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/tmp/taiji", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    _run("chroot", str(root), "/tmp/taiji/install", "/tmp/taiji", env=offline)
    _run("chroot", str(root), "/tmp/taiji/install", "/tmp/taiji", env=offline)  # again, as an upgrade
    _run("rm", "-rf", str(inside))
    print(f"fresh root: {base:.0f} MB before, {_megabytes(root):.0f} MB after the install")
    _serve(root)


def _build_wheels(wheels: Path) -> None:
    """Build the wheel unless it is there, and those it needs, so that the root needs no network."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    if not list(wheels.glob("taiji-*.whl")):
        _run(*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT))
    wheel = next(wheels.glob("taiji-*.whl"))
    wanted = f"taiji[server,push,bus,render,terminal] @ file://{wheel}"
    # Wheels of everything: http-ece is published as source only, and the root has nothing to build it with.
    _run(*pip, "wheel", "--wheel-dir", str(wheels), "--constraint", str(ROOT / "constraints.txt"), wanted)


def _serve(root: Path) -> None:
    """Run the image's command in a mount namespace: read-only root, a volume for data, an empty /tmp."""
    image = (ROOT / "Dockerfile").read_text()
    probe = re.search(r"urlopen\('http://127.0.0.1:8321(/\S+)'", image)
    assert probe is not None
    port = free_port()
    serve = f"serve --host 127.0.0.1 --port {port} --no-open --engines 1 --public-url http://localhost:{port}"
    environment = "PATH=/opt/taiji/bin:/usr/bin:/bin TAIJI_DATABASE_URL=sqlite:////var/lib/taiji/games.sqlite"
    place = shlex.quote(str(root))
    script = f"""
        mount --bind {place} {place} && mount -o remount,ro,bind {place}
        mount -t tmpfs -o mode=1777 tmpfs {place}/tmp
        mount -t tmpfs -o uid=$(stat -c %u {place}/var/lib/taiji),mode=750 tmpfs {place}/var/lib/taiji
        mount --rbind /dev {place}/dev && mount -t proc proc {place}/proc
        user="chroot --userspec=taiji:taiji {place}"
        $user sh -c '! touch /opt/taiji/x && ! touch /etc/x' 2>/dev/null || exit 70
        exec $user env -i {environment} taiji {serve}
    """
    process = subprocess.Popen(["unshare", "--mount", "sh", "-euc", script], stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}{probe[1]}", process)
        print("read-only root:", ", ".join(check(Front(port))))
    finally:
        process.send_signal(signal.SIGTERM)
        status = process.wait(PATIENCE_S)
    assert status in ENDED, f"the server ended with status {status}"
    print("read-only root: ended by SIGTERM")


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        assert process.poll() is None, f"the server ended with status {process.returncode}"
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            assert time.monotonic() < end, f"{url} does not answer"
        time.sleep(0.2)


def _run(*command: str, env: dict[str, str] | None = None) -> None:
    found = subprocess.run(command, check=False, env=env, capture_output=True, text=True)
    if found.returncode:
        raise SystemExit(f"hosting-check: {shlex.join(command)}: {(found.stderr or found.stdout)[-2000:]}")


def _megabytes(root: Path) -> float:
    size = subprocess.run(["du", "-sxk", str(root)], check=True, capture_output=True, text=True).stdout
    return int(size.split()[0]) / 1000
