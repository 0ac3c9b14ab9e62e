"""A tournament as JSON, for scripts and for the web."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments.standings import standings

if TYPE_CHECKING:
    from taiji.arena.tournaments.standings import Standing
    from taiji.arena.tournaments.tournament import Tournament


def to_dict(tournament: Tournament) -> dict[str, Any]:
    """Return settings, players, standings and every round with its results."""
    settings = tournament.settings
    return {
        "name": settings.name,
        "format": settings.format.value,
        "game": settings.game,
        "games": settings.games,
        "rule": settings.rule.value,
        "total_rounds": tournament.total_rounds,
        "over": tournament.over,
        "missing": len(tournament.missing),
        "standings": [_line(line) for line in standings(tournament)],
        "rounds": [
            [_pairing(tournament, round_no, board_no) for board_no in range(1, len(pairings) + 1)]
            for round_no, pairings in enumerate(tournament.rounds, 1)
        ],
    }


def _line(line: Standing) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "number": line.entrant.entrant_no,
        "name": line.entrant.name,
        "rating": line.entrant.rating,
        "withdrawn": line.entrant.withdrawn,
        "rounds": len(line.round_results),
        "points": line.points,
        "difference": line.difference,
        "buchholz": line.buchholz,
        "sonneborn_berger": line.sonneborn,
        "direct": line.direct,
    }


def _pairing(tournament: Tournament, round_no: int, board_no: int) -> dict[str, Any]:
    pairing = tournament.pairing(round_no, board_no)
    result = tournament.results.get((round_no, board_no))
    done = pairing.second is None or result is not None
    return {
        "table": board_no,
        "first": pairing.first,
        "second": pairing.second,
        "points": list(tournament.points(round_no, board_no)) if done else None,
        "scores": [list(game) for game in result.games] if result else [],
        "forfeit": list(result.forfeits) if result and not result.played else None,
        "ended_by": result.ended_by.value if result and result.ended_by else None,
    }
