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
    """One round of one entrant; `opponent` is None if the round was not played."""

    round_no: int
    board_no: int
    opponent: int | None
    points: float
    difference: Points
    first: bool
    """Whether the entrant was Light in game one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the standings."""

    rank: int
    entrant: Entrant
    points: float
    difference: Points
    buchholz: float
    sonneborn: float
    direct: float | None
    """Points against the tied entrants, if all of them have met; else None."""
    round_results: tuple[RoundResult, ...]

    @property
    def wins(self) -> int:
        """Number of pairings won at the board."""
        return sum(result.opponent is not None and result.points == 1 for result in self.round_results)


def round_results(tournament: Tournament) -> dict[int, list[RoundResult]]:
    """Return the rounds of each entrant; forfeits and byes have no opponent, open pairings are left out.

    The bye of a round robin with an odd number of players is left out too, as everyone has one.
    """
    free = tournament.settings.format in (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN)
    results: dict[int, list[RoundResult]] = {entrant.entrant_no: [] for entrant in tournament.entrants}
    for round_no, pairings in enumerate(tournament.rounds, 1):
        for board_no, pairing in enumerate(pairings, 1):
            points = tournament.points(round_no, board_no)
            if pairing.second is None:
                if pairing.bye or not free:
                    results[pairing.first].append(
                        RoundResult(round_no, board_no, None, pairing.bye, 0, first=True)
                    )
                continue
            result = tournament.results.get((round_no, board_no))
            if result is None:
                continue
            difference = result.difference
            one, two = (pairing.second, pairing.first) if result.played else (None, None)
            results[pairing.first].append(
                RoundResult(round_no, board_no, one, points[0], difference, first=True)
            )
            results[pairing.second].append(
                RoundResult(round_no, board_no, two, points[1], -difference, first=False)
            )
    return results


def standings(tournament: Tournament) -> list[Standing]:
    """Return the standings, best first; entrants tied in everything share a rank."""
    results = round_results(tournament)
    points = {player: sum(result.points for result in played) for player, played in results.items()}
    lines = [
        Standing(
            0,
            entrant,
            points[entrant.entrant_no],
            sum(result.difference for result in results[entrant.entrant_no]),
            *_tie_breaks(entrant.entrant_no, results, points),
            None,
            tuple(results[entrant.entrant_no]),
        )
        for entrant in tournament.entrants
    ]
    if tournament.settings.format is Format.LADDER:
        order = rungs(tournament)
        lines.sort(key=lambda line: order.index(line.entrant.entrant_no))
        return [_with_rank(line, rank, line.direct) for rank, line in enumerate(lines, 1)]
    return list(_ranked(tournament, lines))


def _tie_breaks(
    player: int, results: dict[int, list[RoundResult]], points: dict[int, float]
) -> tuple[float, float]:
    """Return Buchholz and Sonneborn-Berger; an unplayed round counts as one against an equal opponent."""
    buchholz = sonneborn = 0.0
    for result in results[player]:
        against = points[player if result.opponent is None else result.opponent]
        buchholz += against
        sonneborn += against * result.points
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
    """Return the points of tied entrants against each other, None unless all of them have met."""
    numbers = {line.entrant.entrant_no for line in group}
    inner = {
        line.entrant.entrant_no: [result for result in line.round_results if result.opponent in numbers]
        for line in group
    }
    met = all({b.opponent for b in played} == numbers - {player} for player, played in inner.items())
    if len(group) < 2 or not met:
        return dict.fromkeys(numbers)
    return {player: sum(result.points for result in played) for player, played in inner.items()}


def _last_round_reached(tournament: Tournament, line: Standing) -> int:
    """Return a key that orders entrants of a knockout by the last round they reached and won."""
    entrant_no = line.entrant.entrant_no
    reached = 0
    for round_no, pairings in enumerate(tournament.rounds, 1):
        for board_no, pairing in enumerate(pairings, 1):
            if entrant_no in pairing.players:
                won = tournament.points(round_no, board_no)[pairing.players.index(entrant_no)] == 1
                reached = 2 * round_no + won
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
