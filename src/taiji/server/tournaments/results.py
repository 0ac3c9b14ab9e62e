"""Results of pairings from the rows of their tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select

from taiji.arena.tournaments import Adjudication, EarlyEnd, PairingResult
from taiji.server.store.schema import tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

Row = dict[str, Any]


def table_rows(connection: Connection, boards: Sequence[str]) -> list[Row]:
    """Return the tables of matches, or of single games, in the order of their creation."""
    query = select(tables).where(or_(tables.c.match_id.in_(boards), tables.c.id.in_(boards)))
    return [
        dict(row) for row in connection.execute(query.order_by(tables.c.created_at, tables.c.id)).mappings()
    ]


def was_cancelled(rows: Sequence[Row], board: str) -> bool:
    """Return whether a board's game was aborted, so that the pairing needs another."""
    played = [row for row in rows if board in (row["match_id"], row["id"])]
    return any(row["result"] is not None and row["result"]["ended_by"] == "aborted" for row in played)


def pairing_result(rows: Sequence[Row], boards: Sequence[str]) -> PairingResult | None:
    """Return the result of a pairing's boards, the first-named player's score first; None while it is open.

    The first-named player has the first seat in the first game of each match and the second in the other.
    """
    games: list[tuple[float, float]] = []
    for board in boards:
        if was_cancelled(rows, board):
            continue
        played = sorted(
            (row for row in rows if board in (row["match_id"], row["id"])),
            key=lambda row: row["match_game_no"] or 1,
        )
        for row in played:
            result = row["result"]
            if result is None:
                return None
            exchanged = (row["match_game_no"] or 1) == 2
            if result["ended_by"] != "score":
                won_first = (result["winner"] == "first") != exchanged
                winner = Adjudication.FIRST if won_first else Adjudication.SECOND
                return PairingResult(decision=winner, ended_by=EarlyEnd(result["ended_by"]))
            first, second = result["scores"]["first"], result["scores"]["second"]
            games.append((second, first) if exchanged else (first, second))
        if not played or (played[0]["match_id"] is not None and len(played) < 2):
            return None
    if not games:
        return None
    decision = None
    if len(games) == 1 and games[0][0] == games[0][1]:
        seat = next(row for row in rows if row["id"] == boards[-1])["result"]["winner"]
        decision = {"first": Adjudication.FIRST, "second": Adjudication.SECOND, None: Adjudication.DRAW}[seat]
    return PairingResult(tuple((_as_int(one), _as_int(two)) for one, two in games), decision)


def _as_int(value: float) -> int | float:
    return int(value) if value == int(value) else value
