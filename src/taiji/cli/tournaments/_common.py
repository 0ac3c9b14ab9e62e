"""What the tournament commands share: arguments, options and the text of a result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._options import AliasedOption
from taiji.cli._output import to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.arena.tournaments import Tournament

FILE: Callable[[Callable[..., None]], Callable[..., None]] = click.argument(
    "file", type=click.Path(path_type=Path, dir_okay=False)
)
SINGLE_GAME = click.option(
    "--single-game",
    cls=AliasedOption,
    aliases=("--single",),
    is_flag=True,
    help="Play single games instead of matches of two.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print the tournament as JSON.")
FORMATS = ["match", "round-robin", "double-round-robin", "swiss", "knockout", "ladder"]


def show_json(tournament: Tournament) -> None:
    """Print the settings, standings and rounds as one JSON object."""
    from taiji.arena.tournaments.data import to_dict

    click.echo(to_json(to_dict(tournament)))


def describe_result(tournament: Tournament, round_no: int, board_no: int) -> str:
    """Return a result as a line of text."""
    from taiji.arena.tournaments.tables import format_points as points
    from taiji.arena.tournaments.tables import format_score

    pairing = tournament.pairing(round_no, board_no)
    assert pairing.second is not None
    one, two = (tournament.entrant(player).name for player in (pairing.first, pairing.second))
    first, second = tournament.points(round_no, board_no)
    result = tournament.results[round_no, board_no]
    line = f"round {round_no}, board {board_no}: {one} {points(first)} : {points(second)} {two}"
    how = format_score(result) if result.games else "" if result.played else "by forfeit"
    return f"{line}   {how}".rstrip()
