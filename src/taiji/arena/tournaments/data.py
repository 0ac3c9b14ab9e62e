"""A tournament as plain data, for scripts and for the web."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments.standings import standings

if TYPE_CHECKING:
    from taiji.arena.tournaments.standings import Standing
    from taiji.arena.tournaments.tournament import Tournament


def as_data(tournament: Tournament) -> dict[str, Any]:
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
            [_pairing(tournament, number, table) for table in range(1, len(pairings) + 1)]
            for number, pairings in enumerate(tournament.rounds, 1)
        ],
    }


def _line(line: Standing) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "number": line.entrant.number,
        "name": line.entrant.name,
        "rating": line.entrant.rating,
        "withdrawn": line.entrant.withdrawn,
        "rounds": len(line.bouts),
        "points": line.points,
        "difference": line.difference,
        "buchholz": line.buchholz,
        "sonneborn_berger": line.sonneborn,
        "direct": line.direct,
    }


def _pairing(tournament: Tournament, number: int, table: int) -> dict[str, Any]:
    pairing = tournament.pairing(number, table)
    result = tournament.results.get((number, table))
    done = pairing.second is None or result is not None
    return {
        "table": table,
        "first": pairing.first,
        "second": pairing.second,
        "points": list(tournament.points(number, table)) if done else None,
        "scores": [list(game) for game in result.games] if result else [],
        "forfeit": list(result.absent) if result and not result.played else None,
    }
