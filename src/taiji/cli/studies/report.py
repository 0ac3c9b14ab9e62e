"""`taiji study report`: the report of a study again, also while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._output import say_written
from taiji.cli.studies import _options


@click.command(epilog="Example: taiji study report study-balance-lagoon --parquet games.parquet")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--parquet", type=click.Path(dir_okay=False, path_type=Path), help="Write the games as Parquet too."
)
@_options.JSON
def command(folder: Path, parquet: Path | None, as_json: bool) -> None:
    """Write summary, page and Markdown of the study in DIR from the games played so far."""
    from taiji.cli.studies._running import report
    from taiji.study.studies import load_summary, write_parquet, write_reports

    summary = load_summary(folder)
    paths = write_reports(summary, folder)
    if parquet is not None:
        write_parquet(summary, folder, parquet)
        paths.append(parquet)
    report(summary, as_json)
    say_written(paths)
