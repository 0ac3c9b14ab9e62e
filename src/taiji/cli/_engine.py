"""The options of commands that let a player think about positions, each with one meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from taiji.cli._completions import complete_player
from taiji.cli._options import Duration

if TYPE_CHECKING:
    from taiji.players import Limit, Player

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT_PLAYER = "neural"

_OPTIONS = (
    click.option(
        "--player",
        default=DEFAULT_PLAYER,
        show_default=True,
        shell_complete=complete_player,
        help="The player that thinks.",
    ),
    click.option("--seconds", type=Duration(), help="Seconds per position."),
    click.option("--playouts", type=click.IntRange(1), help="Playouts per position."),
    click.option("--seed", default=0, show_default=True, help="Seed of the player."),
    click.option("--threads", type=click.IntRange(1), help="Threads of the player.  [default: its own]"),
)


def engine_options(command: Command) -> Command:
    """Add --player, --seconds, --playouts, --seed and --threads to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def open_engine(text: str, seed: int, threads: int | None) -> Player:
    """Make the player that the options name."""
    from taiji.players import make_player

    if threads is not None:
        text += f"{',' if ':' in text else ':'}threads={threads}"
    return make_player(text, seed=seed)


def engine_limit(seconds: float | None, playouts: int | None, default_s: float) -> Limit:
    """Return the limit per position; without an option it is `default_s` seconds."""
    from taiji.players import Limit

    return Limit(default_s if seconds is None and playouts is None else seconds, playouts)


def limit_words(limit: Limit) -> str:
    """Return a limit in words, such as `0.4 s per position`."""
    parts = [f"{limit.seconds:g} s"] if limit.seconds is not None else []
    parts += [f"{limit.playouts:,} playouts"] if limit.playouts is not None else []
    return f"{' or '.join(parts)} per position"
