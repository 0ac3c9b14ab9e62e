"""A PostgreSQL cluster for the tests, from Debian's package, on a socket of its own."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class Postgres:
    """A running cluster."""

    _numbers = itertools.count()

    def __init__(self, binaries: Path, folder: Path, as_user: list[str]) -> None:
        self._binaries, self._folder, self._as = binaries, folder, as_user

    @classmethod
    def start(cls) -> Postgres | None:
        """Make a cluster and start it; None where there is no PostgreSQL to start."""
        if not BINARIES or not (BINARIES[-1] / "initdb").exists():
            return None
        # Not in pytest's folders, which are private to whoever runs the tests.
        folder = Path(tempfile.mkdtemp(prefix="taiji-postgres-"))
        as_user: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            try:
                account = pwd.getpwnam("postgres")
            except KeyError:
                return None
            as_user = [shutil.which("runuser") or "runuser", "-u", "postgres", "--"]
            os.chown(folder, account.pw_uid, account.pw_gid)
        cluster = cls(BINARIES[-1], folder, as_user)
        cluster._run("initdb", "-D", str(folder / "data"), "-U", "taiji", "--auth=trust", "-E", "UTF8")
        cluster.up()
        return cluster

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, str(self._binaries / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder)

    def up(self) -> None:
        """Start the cluster."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}'"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-l", log, "-o", options, "-w", "start")

    @property
    def pid(self) -> int:
        """The process of the cluster."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def down(self) -> None:
        """Stop the cluster at once, as if it crashed."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "stop")

    def restart(self, away_s: float = 0) -> None:
        """Crash the cluster and start it again."""
        self.down()
        time.sleep(away_s)
        self.up()

    def stop(self) -> None:
        """Stop the cluster."""
        self.down()
        shutil.rmtree(self._folder)

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = f"taiji{next(self._numbers)}"
        self._run("createdb", "-h", str(self._folder), "-U", "taiji", name)
        return f"postgresql://taiji@/{name}?host={self._folder}"
