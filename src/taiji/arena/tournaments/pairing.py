"""Draw the next round of a tournament of any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments import checks
from taiji.arena.tournaments.knockout import knockout_round
from taiji.arena.tournaments.ladder import ladder_round
from taiji.arena.tournaments.models import Format, Pairing
from taiji.arena.tournaments.round_robin import berger, double_berger
from taiji.arena.tournaments.swiss import swiss_round

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament


def next_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return the pairings of the next round; raise `TournamentError` if it cannot be drawn."""
    checks.check_can_pair(tournament)
    match tournament.settings.format:
        case Format.SWISS:
            return swiss_round(tournament)
        case Format.KNOCKOUT:
            return knockout_round(tournament)
        case Format.LADDER:
            return ladder_round(tournament)
        case Format.MATCH:
            one, two = (entrant.entrant_no for entrant in tournament.active)
            return (Pairing(one, two) if len(tournament.rounds) % 2 == 0 else Pairing(two, one),)
        case _:
            return _next_round_robin_round(tournament)


def _next_round_robin_round(tournament: Tournament) -> tuple[Pairing, ...]:
    return round_robin_rounds(tournament, len(tournament.rounds))[0]


def round_robin_rounds(tournament: Tournament, start: int = 0) -> list[tuple[Pairing, ...]]:
    """Return all rounds of a round robin from index `start` on; they depend only on the players."""
    drawn = tournament.drawn or tuple(entrant.entrant_no for entrant in tournament.active)
    double = tournament.settings.format is Format.DOUBLE_ROUND_ROBIN
    rounds = (double_berger if double else berger)(len(drawn) + len(drawn) % 2)
    return [_assign_seats(tournament, drawn, pairs) for pairs in rounds[start:]]


def _assign_seats(
    tournament: Tournament, drawn: tuple[int, ...], pairs: list[tuple[int, int]]
) -> tuple[Pairing, ...]:
    """Return the pairings of a round; the opponent of a withdrawn player has a bye worth one point.

    With an odd number of players each has one bye, which is worth nothing.
    """
    withdrawn = {entrant.entrant_no for entrant in tournament.entrants if entrant.withdrawn}
    pairings, byes = [], []
    for one, two in pairs:
        if max(one, two) > len(drawn):
            player = drawn[min(one, two) - 1]
            if player not in withdrawn:
                byes.append(Pairing(player, None, 0.0))
            continue
        first, second = drawn[one - 1], drawn[two - 1]
        present = [player for player in (first, second) if player not in withdrawn]
        if len(present) == 2:
            pairings.append(Pairing(first, second))
        elif present:
            byes.append(Pairing(present[0], None, 1.0))
    return (*pairings, *byes)
