"""Knockouts: the strongest meet last, and whoever loses a tie is out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.models import Pairing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments.tournament import Tournament


def bracket(seeds: Sequence[int]) -> list[int | None]:
    """Return the order of the first round: the best seed meets the last, byes go to the best."""
    order = [0]
    while len(order) < len(seeds):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [seeds[place] if place < len(seeds) else None for place in order]


def knockout_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Draw the next round from who is left; a winner who withdrew leaves their next opponent a bye."""
    from taiji.arena.tournaments.swiss import seeded

    if not tournament.rounds:
        active = {entrant.entrant_no for entrant in tournament.active}
        line = bracket([number for number in seeded(tournament) if number in active])
    else:
        line = winners(tournament)
    pairings = []
    for place in range(0, len(line), 2):
        one, two = line[place : place + 2]
        if one is None:
            one, two = two, None
        if one is None:
            continue
        # Whoever began the fewer ties as Light begins this one.
        if two is not None and _lights(tournament, one) > _lights(tournament, two):
            one, two = two, one
        pairings.append(Pairing(one, two))
    return tuple(pairings)


def winners(tournament: Tournament) -> list[int | None]:
    """Return who won each tie of the last round, None for those that withdrew since."""
    line: list[int | None] = []
    number = len(tournament.rounds)
    for table, pairing in enumerate(tournament.rounds[-1], 1):
        first, second = tournament.points(number, table)
        winner = pairing.first if pairing.second is None or first > second else pairing.second
        line.append(None if tournament.entrant(winner).withdrawn else winner)
    return line


def _lights(tournament: Tournament, player: int) -> int:
    return sum(p.first == player and p.second is not None for pairings in tournament.rounds for p in pairings)
