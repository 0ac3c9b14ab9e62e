"""Views of a table: in full, or as a summary in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from taiji.rules import Seat
from taiji.server.contract.messages import PROTOCOL
from taiji.server.contract.tables import (
    MatchGame,
    MoveInfo,
    Offers,
    Presence,
    SeatPlayers,
    TableInfo,
    TableSummary,
)
from taiji.server.domain.matches import match_view
from taiji.server.domain.table import Table, optional_seat_name, seat_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_SUMMARIES: TypeAdapter[list[TableSummary]] = TypeAdapter(list[TableSummary])


def table_view(
    table: Table,
    now: int,
    *,
    your_seat: Seat | None,
    presence: Presence,
    thinking: bool,
    joinable: bool = False,
    invite: str | None = None,
) -> TableInfo:
    """Return a table as one visitor sees it."""
    settings = table.settings
    return TableInfo(
        id=table.id,
        protocol=PROTOCOL,
        version=table.version,
        status=table.status,
        game=settings.game,
        edition=settings.edition,
        match_rule=settings.match_rule.value,
        opponent=settings.opponent,
        clock_rule=settings.clock,
        takebacks=settings.takebacks or settings.opponent == "computer",
        rated=settings.rated,
        hints=settings.opponent == "computer",
        seats=seats_view(table),
        your_seat=optional_seat_name(your_seat),
        joinable=joinable,
        moves=moves_view(table),
        turn=optional_seat_name(table.turn),
        clock=None if table.clock is None else table.clock.view(now),
        scores=table.scores,
        result=table.result,
        offers=Offers(
            takeback=optional_seat_name(table.takeback_offer),
            rematch=optional_seat_name(table.rematch_offer),
        ),
        match=match_view(table, table.match_result),
        rematch=table.rematch,
        previous=table.previous,
        presence=presence,
        thinking=thinking,
        invite=invite,
        created=table.created_at,
        updated=table.updated_at,
    )


def seats_view(table: Table) -> SeatPlayers:
    """Return the players on the seats."""
    first, second = (player.info() if player else None for player in table.seats)
    return SeatPlayers(first=first, second=second)


def moves_view(table: Table) -> list[MoveInfo]:
    """Return the moves so far."""
    return [
        MoveInfo(
            ply=ply,
            action=played.action,
            text=played.text,
            seat=seat_name(played.seat),
            elapsed_ms=played.elapsed_ms,
            at=played.at,
        )
        for ply, played in enumerate(table.moves)
    ]


def summary_views(
    rows: Sequence[dict[str, Any]], ids: Collection[str], watchers: Iterable[int]
) -> list[TableSummary]:
    """Return rows of the database as summaries, checked all at once; `watchers` has one number per row."""
    return _SUMMARIES.validate_python(
        [
            {
                **row,
                "your_seat": _seat_of(row, ids),
                "match": MatchGame(game_no=row["match_game_no"]) if row["match_id"] else None,
                "watchers": count,
                "created": row["created_at"],
                "updated": row["updated_at"],
            }
            for row, count in zip(rows, watchers, strict=True)
        ]
    )


def _seat_of(row: dict[str, Any], ids: Collection[str]) -> str | None:
    if row["first_id"] in ids:
        return "first"
    return "second" if row["second_id"] in ids else None
