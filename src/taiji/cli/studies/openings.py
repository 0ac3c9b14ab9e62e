"""`taiji study openings`: balanced openings of a game."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._completions import complete_game
from taiji.cli._options import GAME_FILES, Duration
from taiji.cli.studies import _options


@click.command(epilog="Example: taiji study openings taiji:size=7 --plies 2 --keep 12")
@click.argument("game", shell_complete=complete_game)
@click.option("--plies", default=2, show_default=True, help="Moves of an opening.")
@click.option("--candidates", default=200, show_default=True, help="Maximum number of openings to screen.")
@click.option("--screen", default=1000, show_default=True, help="Playouts to screen an opening.")
@click.option("--confirm", default=20_000, show_default=True, help="Playouts to confirm an opening.")
@click.option("--keep", default=12, show_default=True, help="Openings to confirm and play.")
@click.option("--games", "count", default=40, show_default=True, help="Games from each confirmed opening.")
@click.option("--playouts", default=400, show_default=True, help="Playouts per move in these games.")
@click.option(
    "--minutes",
    default=_options.DEFAULT_MINUTES,
    show_default=True,
    type=Duration(),
    help="Maximum time, by an estimate.",
)
@_options.SEED
@_options.OUTPUT
@_options.WORKERS
@_options.RAY
@_options.JSON
@GAME_FILES
def command(
    game: str,
    plies: int,
    candidates: int,
    screen: int,
    confirm: int,
    keep: int,
    count: int,
    playouts: int,
    minutes: float,
    seed: int,
    output: Path | None,
    workers: int | None,
    address: str | None,
    as_json: bool,
) -> None:
    """Find openings of GAME after which both players have equal chances, up to symmetry.

    Screens many openings by a short search, confirms the most balanced ones by a long search and by games,
    and writes them as openings.jsonl, the most balanced by these games first.
    """
    from taiji.cli.studies._running import run
    from taiji.study.spec import OpeningSearch, Strength, Study

    settings = OpeningSearch(plies, candidates, screen, confirm, keep, count)
    study = Study(
        "openings", (_options.make_game(game),), (Strength(playouts=playouts),), seed=seed, openings=settings
    )
    run(
        study,
        output,
        workers=workers,
        address=address,
        as_json=as_json,
        minutes=None if address else minutes,
        may_reduce=False,
    )
