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

import psycopg

from tests.server.databases import migrate_database

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class Postgres:
    """A running cluster; it does not wait for the disk, which no test takes away."""

    _numbers = itertools.count()
    _migrated: str | None = None
    """The database with the current schema that new ones are copies of."""

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
        cluster._run(
            "initdb", "-D", str(folder / "data"), "-U", "taiji", "--auth=trust", "-E", "UTF8", "--no-sync"
        )
        cluster.up()
        return cluster

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, str(self._binaries / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder)

    def up(self) -> None:
        """Start the cluster."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c fsync=off"
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

    def _address(self, name: str) -> str:
        return f"postgresql://taiji@/{name}?host={self._folder}"

    def _create(self, template: str) -> str:
        name = f"taiji{next(self._numbers)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def empty_database(self) -> str:
        """Make a database without tables and return its address."""
        return self._address(self._create("template1"))

    def new_database(self) -> str:
        """Make a database with the current schema and without rows, and return its address."""
        if self._migrated is None:
            self._migrated = self._create("template1")
            migrate_database(self._address(self._migrated))
        return self._address(self._create(self._migrated))
