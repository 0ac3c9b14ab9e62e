"""Standings: match points, then score difference, Buchholz, Sonneborn-Berger and the direct encounter."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from taiji.arena.tournaments.ladder import rungs
from taiji.arena.tournaments.models import Entrant, Format, Points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.arena.tournaments.tournament import Tournament


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One round of one entrant: the opponent (None for a round that was not played), points, difference."""

    round_no: int
    board_no: int
    opponent: int | None
    points: float
    difference: Points
    first: bool
    """Whether they began game one as Light."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the table."""

    rank: int
    entrant: Entrant
    points: float
    difference: Points
    buchholz: float
    sonneborn: float
    direct: float | None
    """Points against those who are level in everything before, where all of them have met."""
    round_results: tuple[RoundResult, ...]

    @property
    def wins(self) -> int:
        """The pairings won at the board."""
        return sum(bout.opponent is not None and bout.points == 1 for bout in self.round_results)


def round_results(tournament: Tournament) -> dict[int, list[RoundResult]]:
    """Return everybody's rounds; a forfeit and a bye have no opponent, an open pairing is left out.

    So is the free round of a round robin with an odd number of players: everybody has it.
    """
    free = tournament.settings.format in (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN)
    found: dict[int, list[RoundResult]] = {entrant.entrant_no: [] for entrant in tournament.entrants}
    for number, pairings in enumerate(tournament.rounds, 1):
        for table, pairing in enumerate(pairings, 1):
            points = tournament.points(number, table)
            if pairing.second is None:
                if pairing.bye or not free:
                    found[pairing.first].append(RoundResult(number, table, None, pairing.bye, 0, first=True))
                continue
            result = tournament.results.get((number, table))
            if result is None:
                continue
            difference = result.difference
            one, two = (pairing.second, pairing.first) if result.played else (None, None)
            found[pairing.first].append(RoundResult(number, table, one, points[0], difference, first=True))
            found[pairing.second].append(RoundResult(number, table, two, points[1], -difference, first=False))
    return found


def standings(tournament: Tournament) -> list[Standing]:
    """Return the table, the best first; those level in everything share a rank."""
    bouts = round_results(tournament)
    points = {player: sum(bout.points for bout in played) for player, played in bouts.items()}
    lines = [
        Standing(
            0,
            entrant,
            points[entrant.entrant_no],
            sum(bout.difference for bout in bouts[entrant.entrant_no]),
            *_tie_breaks(entrant.entrant_no, bouts, points),
            None,
            tuple(bouts[entrant.entrant_no]),
        )
        for entrant in tournament.entrants
    ]
    if tournament.settings.format is Format.LADDER:
        order = rungs(tournament)
        lines.sort(key=lambda line: order.index(line.entrant.entrant_no))
        return [_with_rank(line, rank, line.direct) for rank, line in enumerate(lines, 1)]
    return list(_ranked(tournament, lines))


def _tie_breaks(
    player: int, bouts: dict[int, list[RoundResult]], points: dict[int, float]
) -> tuple[float, float]:
    """Return Buchholz and Sonneborn-Berger; an unplayed round counts as one against an equal."""
    buchholz = sonneborn = 0.0
    for bout in bouts[player]:
        against = points[player if bout.opponent is None else bout.opponent]
        buchholz += against
        sonneborn += against * bout.points
    return buchholz, sonneborn


def _ranked(tournament: Tournament, lines: list[Standing]) -> Iterator[Standing]:
    knockout = tournament.settings.format is Format.KNOCKOUT
    level = {
        line.entrant.entrant_no: _last_round_reached(tournament, line) if knockout else 0 for line in lines
    }

    def key(line: Standing) -> tuple[float, ...]:
        return (
            -level[line.entrant.entrant_no],
            -line.points,
            -float(line.difference),
            -line.buchholz,
            -line.sonneborn,
        )

    rank = 1
    for _, tied in groupby(sorted(lines, key=lambda line: (key(line), line.entrant.entrant_no)), key=key):
        group = list(tied)
        direct = _direct(group)
        group.sort(key=lambda line: -(direct[line.entrant.entrant_no] or 0))
        for _, level_group in groupby(group, key=lambda line: direct[line.entrant.entrant_no]):
            same = list(level_group)
            yield from (_with_rank(line, rank, direct[line.entrant.entrant_no]) for line in same)
            rank += len(same)


def _direct(group: list[Standing]) -> dict[int, float | None]:
    """Return the points of a tied group among themselves, where all of them have met."""
    numbers = {line.entrant.entrant_no for line in group}
    inner = {
        line.entrant.entrant_no: [bout for bout in line.round_results if bout.opponent in numbers]
        for line in group
    }
    met = all({b.opponent for b in played} == numbers - {player} for player, played in inner.items())
    if len(group) < 2 or not met:
        return dict.fromkeys(numbers)
    return {player: sum(bout.points for bout in played) for player, played in inner.items()}


def _last_round_reached(tournament: Tournament, line: Standing) -> int:
    """Return the last round of a knockout that somebody won or is still in."""
    number = line.entrant.entrant_no
    reached = 0
    for place, pairings in enumerate(tournament.rounds, 1):
        for table, pairing in enumerate(pairings, 1):
            if number in pairing.players:
                won = tournament.points(place, table)[pairing.players.index(number)] == 1
                reached = 2 * place + won
    return reached


def _with_rank(line: Standing, rank: int, direct: float | None) -> Standing:
    return Standing(
        rank,
        line.entrant,
        line.points,
        line.difference,
        line.buchholz,
        line.sonneborn,
        direct,
        line.round_results,
    )
