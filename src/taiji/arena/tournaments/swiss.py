"""Swiss pairings by FIDE's Dutch system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.models import Pairing, TournamentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments.tournament import Tournament

Cell = tuple[int, str, str]
"""One round of an entrant in the codes of FIDE's TRF: opponent, colour, result."""

_POINTS_ONLY = {"1": "F", "+": "F", "U": "F", "=": "H", "H": "H"}
"""Codes that keep the points of a round without its opponent."""


def seeded(tournament: Tournament) -> list[int]:
    """Return the entrants' numbers by strength, strongest first."""
    return [e.entrant_no for e in sorted(tournament.entrants, key=lambda e: (-e.rating, e.entrant_no))]


def swiss_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return the next round without rematches, if possible.

    Otherwise the opponents of the oldest rounds are ignored, one round after another, until it is.
    """
    order = seeded(tournament)
    cards = {entrant_no: round_cells(tournament, entrant_no) for entrant_no in order}
    for forgotten in range(len(tournament.rounds) + 1):
        pairs = _draw(tournament, order, cards, forgotten)
        if pairs is not None:
            return (*pairs, *(Pairing(player, None, points) for player, points in tournament.byes.items()))
    raise TournamentError("the next round cannot be paired")


def round_cells(tournament: Tournament, player: int) -> list[Cell]:
    """Return one cell per round of an entrant."""
    cells: list[Cell] = []
    for round_no, pairings in enumerate(tournament.rounds, 1):
        cell: Cell = (0, "-", "Z")
        for board_no, pairing in enumerate(pairings, 1):
            if player in pairing.players:
                cell = _cell(tournament, pairing, round_no, board_no, player)
        cells.append(cell)
    return cells


def _cell(tournament: Tournament, pairing: Pairing, round_no: int, board_no: int, player: int) -> Cell:
    if pairing.second is None:
        return 0, "-", {1.0: "U", 0.5: "H"}.get(pairing.bye, "Z")
    side = pairing.players.index(player)
    opponent = pairing.players[1 - side]
    colour = "wb"[side]
    result = tournament.results.get((round_no, board_no))
    if result is None:
        return opponent, colour, " "
    points = tournament.points(round_no, board_no)[side]
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
            "Swiss pairings need the package py4swiss (pip install 'taiji[tournament]')"
        ) from None
    rank = {entrant_no: position for position, entrant_no in enumerate(order, 1)}
    ranked = [
        [
            (rank.get(opponent, 0), colour, letter)
            if position >= forgotten
            else (0, "-", _POINTS_ONLY.get(letter, "Z"))
            for position, (opponent, colour, letter) in enumerate(cards[entrant_no])
        ]
        for entrant_no in order
    ]
    sitting_out = {
        rank[e.entrant_no] for e in tournament.entrants if e.withdrawn or e.entrant_no in tournament.byes
    }
    pairs = pair(ranked, tournament.total_rounds or len(tournament.rounds) + 1, sitting_out)
    if pairs is None:
        return None
    return [Pairing(order[one - 1], order[two - 1] if two else None) for one, two in pairs]
