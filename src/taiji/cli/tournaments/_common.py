"""What the desk's commands share: the file argument and how results are told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.arena.tournaments import Tournament

FILE: Callable[[Callable[..., None]], Callable[..., None]] = click.argument(
    "file", type=click.Path(path_type=Path, dir_okay=False)
)
NEW_FILE = FILE
FORMATS = ["match", "round-robin", "double-round-robin", "swiss", "knockout", "ladder"]


def describe_result(tournament: Tournament, number: int, table: int) -> str:
    """Say in a line what a result means."""
    from taiji.arena.tournaments.tables import format_points as points
    from taiji.arena.tournaments.tables import format_score

    pairing = tournament.pairing(number, table)
    assert pairing.second is not None
    one, two = (tournament.entrant(player).name for player in (pairing.first, pairing.second))
    first, second = tournament.points(number, table)
    result = tournament.results[number, table]
    line = f"round {number}, table {table}: {one} {points(first)} : {points(second)} {two}"
    how = format_score(result) if result.games else "" if result.played else "by forfeit"
    return f"{line}   {how}".rstrip()
