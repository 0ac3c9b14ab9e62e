"""The two-game match as a table sees it: carried points, running totals, and the winner."""

from __future__ import annotations

from taiji.rules import Match, Scores, Seat
from taiji.server.contract.messages import SeatName, SeatScores
from taiji.server.contract.tables import EndedBy, GameResult, MatchInfo, MatchResult
from taiji.server.domain.table import MatchSlot, Table, optional_seat_name

_OTHER: dict[SeatName | None, SeatName | None] = {"first": "second", "second": "first", None: None}


def totals(table: Table) -> SeatScores:
    """Return the running totals by the seats of this table."""
    first, second = table.match.carried_points if table.match else (0, 0)
    return SeatScores(first=table.scores.first + first, second=table.scores.second + second)


def match_result(table: Table, result: GameResult) -> MatchResult | None:
    """Return how the match ends with this game's result, or None if it continues.

    A resignation or a lost clock loses the match: resigning early would otherwise save points.
    """
    if table.match is None or result.ended_by == "aborted":
        return None
    if result.ended_by != "score":
        return MatchResult(winner=result.winner, ended_by=result.ended_by, totals=totals(table))
    if table.match.game_no == 1:
        return None
    rule = Match(table.game, table.settings.match_rule)
    first, second = table.match.carried_points
    # Carried points are by the seats of this second game; in the first game the seats were exchanged.
    decided = rule.result(Scores(second, first), Scores(*table.state.scores()))
    winner = None if decided.winner is None else rule.seat(decided.winner, 1)
    tied = winner is not None and decided.totals[0] == decided.totals[1]
    return MatchResult(
        winner=optional_seat_name(winner), ended_by="rule" if tied else "total", totals=totals(table)
    )


def next_slot(table: Table) -> MatchSlot:
    """Return the slot of the match's second game, in which the seats are exchanged."""
    assert table.match is not None
    scores = table.state.scores()
    return MatchSlot(table.match.id, 2, table.id, (scores.second, scores.first))


def match_view(table: Table, result: MatchResult | None) -> MatchInfo | None:
    """Return the match of a table as clients see it, or None for a single game."""
    slot = table.match
    if slot is None:
        return None
    tables = (table.id, slot.other) if slot.game_no == 1 else (slot.other, table.id)
    return MatchInfo(id=slot.id, game_no=slot.game_no, tables=tables, totals=totals(table), result=result)


def game_result(table: Table, winner: Seat | None, ended_by: EndedBy) -> GameResult:
    """Return a game's result as it is stored and sent."""
    return GameResult(winner=optional_seat_name(winner), ended_by=ended_by, scores=table.scores)


def mirror(result: MatchResult | None) -> MatchResult | None:
    """Return a match result by the seats of the match's other game."""
    if result is None:
        return None
    totals = SeatScores(first=result.totals.second, second=result.totals.first)
    return MatchResult(winner=_OTHER[result.winner], ended_by=result.ended_by, totals=totals)
