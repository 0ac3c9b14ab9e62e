"""`taiji engines`: engine processes on a machine of their own, for servers that share a bus."""

from __future__ import annotations

import os
from pathlib import Path

import click

from taiji.cli._options import ENGINE_MEMORY, game_files


@click.command(epilog="Example: taiji engines --cluster nats://bus.example:4222 --engines 8")
@click.option("--cluster", required=True, metavar="ADDRESS", help="The bus of the servers: nats://HOST:4222.")
@click.option(
    "--engines", default=None, type=click.IntRange(1, 64), help="Engine processes.  [default: one per core]"
)
@ENGINE_MEMORY
@game_files(keep=True)
def command(cluster: str, engines: int | None, engine_memory: int, game_files: tuple[Path, ...]) -> None:
    """Compute moves, hints and reviews for the servers on a bus.

    The node needs neither the database nor an address of its own. Start as many as needed; a job of a node
    that ends is given to another. Ctrl-C ends it.
    """
    import asyncio
    import logging
    import sys
    from contextlib import suppress

    from taiji.cli.serve import check_bus_address

    check_bus_address(cluster)
    from taiji.server.cluster.nats_bus import NatsBus
    from taiji.server.jobs.engine_node import EngineNodeServer
    from taiji.server.jobs.engine_worker import GAME_FILES_VARIABLE

    os.environ[GAME_FILES_VARIABLE] = os.pathsep.join(str(path.resolve()) for path in game_files)
    workers = engines or os.cpu_count() or 1
    logging.basicConfig(
        level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )

    async def run() -> None:
        click.echo(f"{workers} engines work for the servers at {cluster.rpartition('@')[2]} (Ctrl-C ends it)")
        await EngineNodeServer(NatsBus(cluster), workers, engine_memory).run()

    with suppress(KeyboardInterrupt):
        asyncio.run(run())
