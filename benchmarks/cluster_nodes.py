"""Three servers on one PostgreSQL and one NATS for the chaos and load runs, and what can happen to them."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from server_clients import ServerProcess
from tests.server.nats import Nats
from tests.server.postgres import Postgres

from taiji.server.store.database import parse_url

WATCH_WRITERS = """
CREATE TABLE chaos_writes (process text, owner text, table_id text, version int);
CREATE FUNCTION chaos_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos_writes (process, owner, table_id, version)
  SELECT current_setting('application_name'), n.process, NEW.table_id, NEW.version
  FROM (SELECT ascii(substr(NEW.table_id, 1, 1)) AS one, ascii(substr(NEW.table_id, 2, 1)) AS two) AS id
  LEFT JOIN shards s ON s.shard = (one * 59 + two) % 256
  LEFT JOIN nodes n ON n.id = s.node_id AND NOT n.dead;
  RETURN NULL;
END $$;
CREATE TRIGGER chaos_note AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION chaos_note();
"""
"""For every event: the process that wrote it, and the one that owned the table in the same transaction."""
FOREIGN_WRITES = """
SELECT count(*) FILTER (WHERE split_part(owner, '/', 2) IS DISTINCT FROM split_part(process, ' ', 2)),
  count(*)
FROM chaos_writes
"""


class Proxy:
    """A TCP proxy between one server and the bus, to cut it off alone."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Let nothing through; the connections stay open, as when a cable is pulled."""
        self._open.clear()

    def mend(self) -> None:
        """Let everything through."""
        self._open.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._open.wait()
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, back}
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        self._writers -= {writer, back}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    async def close(self) -> None:
        """Stop."""
        if self._server is not None:
            self._server.close()
        self._open.set()
        for writer in list(self._writers):
            writer.close()


class Node:
    """A server that is killed and stopped."""

    def __init__(self, database_url: str, proxy: Proxy, *options: str) -> None:
        self._arguments = (database_url, proxy, options)
        self.proxy = proxy
        self.server = self._start(0)

    def _start(self, port: int) -> ServerProcess:
        url, proxy, options = self._arguments
        return ServerProcess(url, port, f"--cluster=nats://127.0.0.1:{proxy.port}", "--engines=0", *options)

    @property
    def url(self) -> str:
        """The server's address, the same after a restart."""
        return self.server.url

    def signal(self, number: int) -> None:
        """Send a signal."""
        self.server.process.send_signal(number)

    def restart(self) -> None:
        """Start it again after it was killed."""
        self.server = self._start(self.server.port)

    def stop(self) -> None:
        """End it kindly, whatever state it is in."""
        with contextlib.suppress(ProcessLookupError):
            self.signal(signal.SIGCONT)
            self.server.stop()


@contextmanager
def private_services() -> Iterator[tuple[Postgres, Nats]]:
    """A PostgreSQL and a NATS for this run."""
    cluster = Postgres.start()
    if cluster is None:
        sys.exit("PostgreSQL is not installed (tools/debian-packages installs it)")
    nats = Nats()
    try:
        yield cluster, nats
    finally:
        nats.down()
        cluster.stop()


def connect(url: str) -> psycopg.Connection[tuple[object, ...]]:
    """Connect to the database, with patience."""
    address = parse_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    end = time.monotonic() + 30
    while True:
        try:
            return psycopg.connect(address, autocommit=True)
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def wait_until_shared(url: str, count: int, patience_s: float = 30.0) -> None:
    """Wait until this many servers share the games equally, so that each fault meets all of them."""
    query = "SELECT coalesce(node_id, ''), count(*) FROM shards GROUP BY 1"
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        try:
            with connect(url) as connection:
                owned = dict(connection.execute(query).fetchall())
        except psycopg.OperationalError:
            owned = {}
        if len(owned) == count and "" not in owned and max(owned.values()) - min(owned.values()) <= 1:
            return
        time.sleep(0.2)
    raise TimeoutError(f"{count} servers did not share the games within {patience_s:.0f} s")
