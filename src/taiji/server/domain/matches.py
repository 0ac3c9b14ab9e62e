"""The two-game match as a table sees it: points brought along, running totals, and who has won."""

from __future__ import annotations

from typing import Any

from taiji.rules import Match, Scores, Seat
from taiji.server.domain.table import MatchSlot, Table, seat_name


def totals(table: Table) -> dict[str, float]:
    """Return the running totals by the seats of this table."""
    carried = table.match.carried_points if table.match else (0, 0)
    return {"first": table.scores["first"] + carried[0], "second": table.scores["second"] + carried[1]}


def match_result(table: Table, game_result: dict[str, Any]) -> dict[str, Any] | None:
    """Return how the match ends with this game's result, or None where it goes on.

    A resignation or a lost clock forfeits the match: an early one would otherwise save points.
    """
    if table.match is None or game_result["by"] == "aborted":
        return None
    if game_result["by"] != "score":
        return {"winner": game_result["winner"], "by": "forfeit", "totals": totals(table)}
    if table.match.game_no == 1:
        return None
    rule = Match(table.game, table.settings.match_rule)
    first, second = table.match.carried_points
    # The carried points are by the seats of this second game; in the first one they sat the other way round.
    decided = rule.result(Scores(second, first), Scores(*table.state.scores()))
    winner = None if decided.winner is None else rule.seat(decided.winner, 1)
    by = "rule" if winner is not None and decided.totals[0] == decided.totals[1] else "total"
    return {"winner": None if winner is None else seat_name(winner), "by": by, "totals": totals(table)}


def next_slot(table: Table) -> MatchSlot:
    """Return the place of the match's second game, in which the seats are exchanged."""
    assert table.match is not None
    scores = table.state.scores()
    return MatchSlot(table.match.id, 2, table.id, (scores.second, scores.first))


def match_view(table: Table) -> dict[str, Any] | None:
    """Return the match as it is sent."""
    place = table.match
    if place is None:
        return None
    tables = [table.id, place.other] if place.game_no == 1 else [place.other, table.id]
    return {
        "id": place.id,
        "number": place.game_no,
        "tables": tables,
        "totals": totals(table),
        "result": table.match_result,
    }


def game_result(table: Table, winner: Seat | None, ended_by: str) -> dict[str, Any]:
    """Return a game's result as it is stored and sent."""
    return {
        "winner": None if winner is None else seat_name(winner),
        "by": ended_by,
        "scores": table.scores,
    }


def mirror(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a match result by the seats of the match's other game."""
    if result is None:
        return None
    other = {"first": "second", "second": "first", None: None}
    totals_there = {other[seat]: value for seat, value in result["totals"].items()}
    return {
        **result,
        "winner": other[result["winner"]],
        "totals": {"first": totals_there["first"], "second": totals_there["second"]},
    }
