"""`taiji engine`: run as a UGI engine."""

from __future__ import annotations

import sys

import click

from taiji.cli._options import GAME_FILES


@click.command(epilog="Example: printf 'ugi\\ngo movetime 500\\n' | taiji engine")
@GAME_FILES
def command() -> None:
    """Run as an engine that speaks UGI, the Universal Game Interface, on standard input and output.

    Option Game sets the game, Level (1 to 10) the playing strength, and Threads, Seed and Memory (MiB) the
    search.
    """
    from taiji import __version__
    from taiji.protocol.engine import serve

    serve(sys.stdin, sys.stdout, __version__)
