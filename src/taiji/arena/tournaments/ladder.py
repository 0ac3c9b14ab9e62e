"""Ladders: whoever beats somebody higher up takes their rung."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.models import Pairing, TournamentError

if TYPE_CHECKING:
    from taiji.arena.tournaments.tournament import Tournament


def rungs(tournament: Tournament) -> list[int]:
    """Return the entrants from the top rung down; the first come first, late entries at the foot.

    A winner from below takes the loser's rung, and everybody between moves one down.
    """
    order: list[int] = []
    for number in range(1, len(tournament.rounds) + 2):
        fresh = (entrant for entrant in tournament.entrants if entrant.since == number)
        order += [entrant.entrant_no for entrant in sorted(fresh, key=lambda e: (-e.rating, e.entrant_no))]
        if number > len(tournament.rounds):
            break
        for table, pairing in enumerate(tournament.rounds[number - 1], 1):
            if pairing.second is None:
                continue
            points = tournament.points(number, table)
            above, below = sorted(pairing.players, key=order.index)
            if points[pairing.players.index(below)] > points[pairing.players.index(above)]:
                order.remove(below)
                order.insert(order.index(above), below)
    return order


def ladder_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Draw neighbours: in odd rounds the first meets the second, in even rounds the second the third."""
    active = {entrant.entrant_no for entrant in tournament.active} - set(tournament.byes)
    order = [number for number in rungs(tournament) if number in active]
    start = len(tournament.rounds) % 2 if len(order) > 2 else 0
    pairings = []
    for place in range(start, len(order) - 1, 2):
        upper, lower = order[place], order[place + 1]
        # The higher rung is defended as Dark in game one, and every second time as Light.
        swapped = (len(tournament.rounds) // 2) % 2 == 1
        pairings.append(Pairing(upper, lower) if swapped else Pairing(lower, upper))
    return tuple(pairings)


def challenge(tournament: Tournament, challenger: int, defender: int) -> Pairing:
    """Return the pairing of a challenge, which must go up the ladder; the challenger begins as Light."""
    order = rungs(tournament)
    if order.index(challenger) <= order.index(defender):
        raise TournamentError(
            f"{tournament.entrant(challenger).name} stands above {tournament.entrant(defender).name}: "
            "a challenge goes up the ladder"
        )
    return Pairing(challenger, defender)
