"""Swiss pairings by FIDE's Dutch system, as the library py4swiss computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.models import Pairing, TournamentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments.tournament import Tournament

Cell = tuple[int, str, str]
"""How a round went for somebody, in the letters of FIDE's report: opponent, colour, result."""

_POINTS_ONLY = {"1": "F", "+": "F", "U": "F", "=": "H", "H": "H"}
"""What keeps the points of a round and forgets its opponent."""


def seeded(tournament: Tournament) -> list[int]:
    """Return the entrants' numbers in the order of their strength, the order of pairing."""
    return [e.entrant_no for e in sorted(tournament.entrants, key=lambda e: (-e.rating, e.entrant_no))]


def swiss_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Draw the next round: nobody meets again where that can be avoided.

    Where it cannot, the oldest rounds are forgotten one by one, their points kept, until it can.
    """
    order = seeded(tournament)
    cards = {number: round_cells(tournament, number) for number in order}
    for forgotten in range(len(tournament.rounds) + 1):
        pairs = _draw(tournament, order, cards, forgotten)
        if pairs is not None:
            return (*pairs, *(Pairing(player, None, points) for player, points in tournament.byes.items()))
    raise TournamentError("the next round cannot be paired")


def round_cells(tournament: Tournament, player: int) -> list[Cell]:
    """Return how each round went for an entrant."""
    cells: list[Cell] = []
    for number, pairings in enumerate(tournament.rounds, 1):
        cell: Cell = (0, "-", "Z")
        for table, pairing in enumerate(pairings, 1):
            if player in pairing.players:
                cell = _cell(tournament, pairing, number, table, player)
        cells.append(cell)
    return cells


def _cell(tournament: Tournament, pairing: Pairing, number: int, table: int, player: int) -> Cell:
    if pairing.second is None:
        return 0, "-", {1.0: "U", 0.5: "H"}.get(pairing.bye, "Z")
    side = pairing.players.index(player)
    opponent = pairing.players[1 - side]
    colour = "wb"[side]
    result = tournament.results.get((number, table))
    if result is None:
        return opponent, colour, " "
    points = tournament.points(number, table)[side]
    if not result.played:
        return opponent, colour, "+" if points else "-"
    return opponent, colour, {1.0: "1", 0.5: "="}.get(points, "0")


def _draw(
    tournament: Tournament, order: Sequence[int], cards: dict[int, list[Cell]], forgotten: int
) -> list[Pairing] | None:
    try:
        from taiji.arena.tournaments.dutch import pair
    except ModuleNotFoundError:
        raise TournamentError(
            "Swiss pairings need the package py4swiss: pip install 'taiji[tournament]'"
        ) from None
    rank = {number: place for place, number in enumerate(order, 1)}
    ranked = [
        [
            (rank.get(opponent, 0), colour, letter)
            if place >= forgotten
            else (0, "-", _POINTS_ONLY.get(letter, "Z"))
            for place, (opponent, colour, letter) in enumerate(cards[number])
        ]
        for number in order
    ]
    sitting_out = {
        rank[e.entrant_no] for e in tournament.entrants if e.withdrawn or e.entrant_no in tournament.byes
    }
    found = pair(ranked, tournament.total_rounds or len(tournament.rounds) + 1, sitting_out)
    if found is None:
        return None
    return [Pairing(order[one - 1], order[two - 1] if two else None) for one, two in found]
