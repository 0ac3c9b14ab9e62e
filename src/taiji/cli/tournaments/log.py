"""`taiji tournament log`: print the audit log."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._output import to_json
from taiji.cli.tournaments._common import FILE


@click.command("log", epilog="Example: taiji tournament log club.tour")
@FILE
@click.option("--json", "as_json", is_flag=True, help="Print each event as JSON.")
def command(file: Path, as_json: bool) -> None:
    """Print every event with its time; a correction shows the result that it replaced."""
    from taiji.arena.tournaments import Log, event_to_json
    from taiji.arena.tournaments.audit import audit_lines

    with Log(file) as log:
        events, times = log.events, log.times
    if as_json:
        for event, at in zip(events, times, strict=True):
            click.echo(to_json({"at": at, **event_to_json(event)}))
    else:
        for line, at in zip(audit_lines(events), times, strict=True):
            click.echo(f"{_local(at)}  {line}")


def _local(at: str) -> str:
    """Return an ISO time in the local time zone."""
    from datetime import datetime

    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
