"""`taiji study run`: a study that a TOML file declares."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._options import GAME_FILES, Duration
from taiji.cli.studies import _options


@click.command(epilog="Example: taiji study run docs/studies/family.toml -o family")
@click.argument("spec", type=click.Path(dir_okay=False, path_type=Path), metavar="SPEC.toml")
@click.option(
    "--minutes",
    type=Duration(),
    help="Refuse a study that an estimate puts above this time.",
)
@_options.OUTPUT
@_options.WORKERS
@_options.RAY
@_options.JSON
@GAME_FILES
def command(
    spec: Path,
    minutes: float | None,
    output: Path | None,
    workers: int | None,
    address: str | None,
    as_json: bool,
) -> None:
    """Run the study that SPEC.toml declares, or go on with it.

    The number of workers does not change any figure. More games or strengths may be added to the file later.
    """
    from taiji.cli.studies._running import run
    from taiji.study.spec_file import read_study

    folder = output or Path(f"study-{spec.stem}")
    study = read_study(spec)
    run(
        study,
        folder,
        workers=workers,
        address=address,
        as_json=as_json,
        minutes=minutes,
        may_reduce=False,
    )
