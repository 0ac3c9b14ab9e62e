"""Run a study from the command line: estimate, progress, report."""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._output import say_written, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.study.spec import Study
    from taiji.study.studies import OnStep
    from taiji.study.summary import StudySummary

MAX_SLUG_CHARS = 60


def run(
    study: Study,
    output: Path | None,
    *,
    workers: int | None,
    address: str | None,
    as_json: bool,
    minutes: float | None,
    may_reduce: bool,
) -> None:
    """Estimate the time, play the missing games, and write and print the report."""
    from taiji.arena.ray_pool import open_pool
    from taiji.study.studies import run_study, stored_study, write_reports

    study.check()
    folder = output or Path(default_folder(study))
    stored = stored_study(study, folder, keep_count=may_reduce)
    # A study that was started goes on, however long it takes.
    study = _fit(study, workers, address, minutes, may_reduce) if stored is None else stored
    pool = open_pool(workers or os.cpu_count() or 1, address)
    try:
        with _progress() as on_step:
            summary = run_study(study, folder, pool, on_step)
    finally:
        pool.close()
    command = shlex.join(["taiji", *sys.argv[1:]])
    paths = write_reports(summary, folder, command)
    report(summary, as_json)
    say_written(paths)


def _fit(
    study: Study, workers: int | None, address: str | None, minutes: float | None, may_reduce: bool
) -> Study:
    """Say how long the study will take; reduce or refuse it if that is more than the minutes."""
    from taiji.study.budget import estimate, fit

    if address is not None:
        if minutes is not None:
            raise click.UsageError("--minutes and --ray: the time on a cluster is not estimated")
        return study
    budget = estimate(study, workers or os.cpu_count() or 1)
    fitted = study if minutes is None else fit(study, budget, minutes, may_reduce=may_reduce)
    click.echo(f"estimate: {budget.text()} (from {budget.sampled} timed moves)", err=True)
    if fitted.count != study.count:
        click.echo(
            f"{minutes:g} minutes suffice for {fitted.count} games per strength instead of {study.count}; "
            "--minutes or --games changes that",
            err=True,
        )
    return fitted


def report(summary: StudySummary, as_json: bool) -> None:
    """Print the main figures of a study, or all of them as JSON."""
    if as_json:
        click.echo(to_json(summary.to_json()))
        return
    from rich.console import Console
    from rich.table import Table

    from taiji.study.wording import MEASURES, write_estimate

    console = Console()
    if summary.openings:
        table = Table("opening", "Light’s win prob.", "games", "Light’s score")
        for line in summary.openings:
            low, high = line["interval"]
            score = f"{100 * line['score']:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
            table.add_row(
                " ".join(line["moves"]), f"{100 * line['win_prob']:.1f} %", str(line["games"]), score
            )
        console.print(table)
    shown = [measure for measure in MEASURES if measure.key in ("starter", "ties", "komi", "length")]
    for game in summary.games:
        table = Table("playouts", "games", *(measure.name for measure in shown), title=game.entry.name)
        for cell in game.cells:
            values = (write_estimate(measure, cell.estimates[measure.key]) for measure in shown)
            table.add_row(f"{cell.playouts:,}", str(cell.games), *values)
        console.print(table)


def default_folder(study: Study) -> str:
    """Return the name of the folder of a study without `--output`."""
    names = "-".join(game.key for game in study.games)
    slug = re.sub(r"[^a-z0-9]+", "-", f"{study.kind}-{names}".lower()).strip("-")
    return f"study-{slug[:MAX_SLUG_CHARS].rstrip('-')}"


@contextmanager
def _progress() -> Iterator[OnStep]:
    """Show a bar on a terminal; say nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("")

        def on_step(name: str, done: int, total: int) -> None:
            progress.update(task, description=name, completed=done, total=total)

        yield on_step
