"""Options that the studies share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._options import MAX_SEED, MAX_WORKERS, Duration

if TYPE_CHECKING:
    from taiji.study.spec import Strength, StudiedGame

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
DEFAULT_PLAYOUTS = "100,400,1600"
DEFAULT_SIMULATIONS = "16,64,256"
"""A quarter, one and four times the simulations of the net's games."""
DEFAULT_MINUTES = 10.0

OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the study; an earlier run there is resumed.  [default: study-KIND-GAME]",
)
WORKERS = click.option(
    "--workers", type=click.IntRange(1, MAX_WORKERS), help="Processes.  [default: one per processor core]"
)
RAY = click.option(
    "--ray", "address", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
SEED = click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(0, MAX_SEED), help="Seed of all games."
)


def apply(*options: Decorator) -> Decorator:
    """Return one decorator for several options."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


PLAY = apply(
    click.option(
        "--games",
        "count",
        type=click.IntRange(1),
        help="Games per game and strength.  [default: 200, or fewer to keep the minutes]",
    ),
    click.option("--player", help="The player of both seats.  [default: mcts:endgame=no]"),
    click.option(
        "--playouts",
        metavar="N,N,…",
        help=f"Playouts or evaluations per move, one per strength.  [default: {DEFAULT_PLAYOUTS}]",
    ),
    click.option(
        "--jax",
        is_flag=True,
        help="Play with the game's net in JAX, many games at a time, on a GPU if there is one; --playouts "
        f"are simulations.  [default: {DEFAULT_SIMULATIONS}]",
    ),
    click.option("--batch", default=256, show_default=True, help="Games at a time with --jax."),
    click.option(
        "--random-plies", default=0, show_default=True, help="Random moves before the players begin."
    ),
    click.option("--boards", default=0, help="Play on this number of seeded boards (battle-of-lits)."),
    click.option(
        "--minutes",
        type=Duration(),
        help="Maximum time, by an estimate: fewer games if they suffice, else an error.  [default: 10]",
    ),
    SEED,
    OUTPUT,
    WORKERS,
    RAY,
    JSON,
)
"""The options of a study by games."""


def parse_playouts(text: str) -> list[int]:
    """Parse the numbers of `--playouts`."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(
            f"--playouts {text[:40]}: invalid (expected integers, such as {DEFAULT_PLAYOUTS})"
        ) from None


def make_strengths(player: str | None, playouts: str | None, jax: bool) -> tuple[Strength, ...]:
    """Return the strengths that the options name."""
    from taiji.study.spec import BATCH_PLAYER, FAST_PLAYER, Strength

    if jax and player is not None:
        raise click.UsageError("--jax and --player: give one of them")
    name = BATCH_PLAYER if jax else player or FAST_PLAYER
    numbers = parse_playouts(playouts or (DEFAULT_SIMULATIONS if jax else DEFAULT_PLAYOUTS))
    return tuple(Strength(name, number) for number in numbers)


def make_game(text: str, boards: int = 0) -> StudiedGame:
    """Return the game that a text or a TOML file names."""
    from taiji.arena.custom_game import read_game
    from taiji.cli._games import with_declaration
    from taiji.study.spec import StudiedGame

    game, declaration = read_game(with_declaration(text))
    return StudiedGame(game, declaration=declaration, boards=boards)
