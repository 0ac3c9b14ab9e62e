"""`taiji engine`: speak UGI on the standard streams."""

from __future__ import annotations

import sys

import click


@click.command(epilog="Example: printf 'ugi\\ngo movetime 500\\n' | taiji engine")
def command() -> None:
    """Run as an engine: speak UGI, the Universal Game Interface, on standard input and output.

    Option Game sets the game; Level (1 to 10) a level for people; Threads, Seed and Memory (MB) the search.
    """
    from taiji import __version__
    from taiji.protocol.engine import serve

    serve(sys.stdin, sys.stdout, __version__)
