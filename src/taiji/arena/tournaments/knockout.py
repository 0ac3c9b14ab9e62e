"""Knockout pairings: the best seeds meet last, and a loser is out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.models import Pairing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments.tournament import Tournament


def bracket(seeds: Sequence[int]) -> list[int | None]:
    """Return the order of the first round: the best seed meets the last, byes go to the best seeds."""
    order = [0]
    while len(order) < len(seeds):
        size = 2 * len(order)
        order = [position for seed in order for position in (seed, size - 1 - seed)]
    return [seeds[position] if position < len(seeds) else None for position in order]


def knockout_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Draw the next round among the winners; a winner who withdrew leaves a bye."""
    from taiji.arena.tournaments.swiss import seeded

    if not tournament.rounds:
        active = {entrant.entrant_no for entrant in tournament.active}
        bracket_line = bracket([entrant_no for entrant_no in seeded(tournament) if entrant_no in active])
    else:
        bracket_line = winners(tournament)
    pairings = []
    for position in range(0, len(bracket_line), 2):
        one, two = bracket_line[position : position + 2]
        if one is None:
            one, two = two, None
        if one is None:
            continue
        # The player with fewer pairings as Light is Light in game one.
        if two is not None and _lights(tournament, one) > _lights(tournament, two):
            one, two = two, one
        pairings.append(Pairing(one, two))
    return tuple(pairings)


def winners(tournament: Tournament) -> list[int | None]:
    """Return the winner of each pairing of the last round, None if they withdrew since."""
    remaining: list[int | None] = []
    round_no = len(tournament.rounds)
    for board_no, pairing in enumerate(tournament.rounds[-1], 1):
        first, second = tournament.points(round_no, board_no)
        winner = pairing.first if pairing.second is None or first > second else pairing.second
        remaining.append(None if tournament.entrant(winner).withdrawn else winner)
    return remaining


def _lights(tournament: Tournament, player: int) -> int:
    return sum(p.first == player and p.second is not None for pairings in tournament.rounds for p in pairings)
