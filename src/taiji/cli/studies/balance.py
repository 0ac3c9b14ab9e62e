"""`taiji study balance`: how fair games are, at several strengths."""

from __future__ import annotations

from pathlib import Path

import click

from taiji.cli._completions import complete_game
from taiji.cli._options import GAME_FILES
from taiji.cli.studies import _options


@click.command(
    epilog="Example: taiji study balance taiji:size=7 taiji:size=7,groups=2 --minutes 5   "
    "Your own game: taiji study balance lagoon.toml"
)
@click.argument("games", nargs=-1, required=True, shell_complete=complete_game)
@_options.PLAY
@GAME_FILES
def command(games: tuple[str, ...], **options: object) -> None:
    """Play each of GAMES at several strengths and measure how fair it is.

    Measures the first player's score, ties, margins, fair komi, length, choices, lead changes and how early
    games are decided, all with 95 % intervals. Writes the games, a summary and one HTML page into a folder.
    """
    run_games("balance", games, **options)  # type: ignore[arg-type]


def run_games(
    kind: str,
    games: tuple[str, ...],
    *,
    count: int | None,
    player: str | None,
    playouts: str | None,
    jax: bool,
    batch: int,
    random_plies: int,
    boards: int,
    minutes: float | None,
    seed: int,
    output: Path | None,
    workers: int | None,
    address: str | None,
    as_json: bool,
) -> None:
    """Run a study of games by its options."""
    from taiji.cli.studies._running import run
    from taiji.study.spec import Study

    default = Study(kind, (), ())
    study = Study(
        kind,
        tuple(_options.make_game(text, boards) for text in games),
        _options.make_strengths(player, playouts, jax),
        count=default.count if count is None else count,
        seed=seed,
        random_plies=random_plies,
        batch=batch,
    )
    if minutes is None and address is None and not jax:
        minutes = _options.DEFAULT_MINUTES
    run(
        study,
        output,
        workers=workers,
        address=address,
        as_json=as_json,
        minutes=minutes,
        may_reduce=count is None,
    )
