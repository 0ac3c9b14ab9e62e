"""Ladder pairings: a player who beats a higher one takes their rung."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.models import Pairing, TournamentError

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament


def rungs(tournament: Tournament) -> list[int]:
    """Return the entrants from the top rung down; late entries begin at the bottom.

    A winner from below takes the loser's rung, and all players in between move one rung down.
    """
    order: list[int] = []
    for round_no in range(1, len(tournament.rounds) + 2):
        joined = (entrant for entrant in tournament.entrants if entrant.since == round_no)
        order += [entrant.entrant_no for entrant in sorted(joined, key=lambda e: (-e.rating, e.entrant_no))]
        if round_no > len(tournament.rounds):
            break
        for board_no, pairing in enumerate(tournament.rounds[round_no - 1], 1):
            if pairing.second is None:
                continue
            points = tournament.points(round_no, board_no)
            above, below = sorted(pairing.players, key=order.index)
            if points[pairing.players.index(below)] > points[pairing.players.index(above)]:
                order.remove(below)
                order.insert(order.index(above), below)
    return order


def ladder_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Pair neighbours: rungs 1 and 2 in odd rounds, 2 and 3 in even rounds, and so on."""
    active = {entrant.entrant_no for entrant in tournament.active} - set(tournament.byes)
    order = [entrant_no for entrant_no in rungs(tournament) if entrant_no in active]
    start = len(tournament.rounds) % 2 if len(order) > 2 else 0
    pairings = []
    for rung in range(start, len(order) - 1, 2):
        upper, lower = order[rung], order[rung + 1]
        # The defender is Dark in game one, and Light every second time.
        defender_is_light = (len(tournament.rounds) // 2) % 2 == 1
        pairings.append(Pairing(upper, lower) if defender_is_light else Pairing(lower, upper))
    return tuple(pairings)


def challenge(tournament: Tournament, challenger: int, defender: int) -> Pairing:
    """Return the pairing of a challenge up the ladder; the challenger is Light in game one."""
    order = rungs(tournament)
    if order.index(challenger) <= order.index(defender):
        raise TournamentError(
            f"{tournament.entrant(challenger).name} is above {tournament.entrant(defender).name} "
            "(expected a challenge up the ladder)"
        )
    return Pairing(challenger, defender)
