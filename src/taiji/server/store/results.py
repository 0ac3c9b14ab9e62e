"""Results of the public games of accounts: written with the end of each game, read by player and opponent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import case, delete, func, insert, select

from taiji.rules import Seat
from taiji.server.domain.table import Table, seat_name
from taiji.server.domain.visibility import PUBLIC_OPPONENTS, is_public
from taiji.server.store.queries import run_many
from taiji.server.store.schema import accounts, tables
from taiji.server.store.schema_people import game_results
from taiji.server.store.schema_tournaments import tournaments

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

LISTED = (*sorted(PUBLIC_OPPONENTS), "tournament")
"""How the opponents of listed games met; of tournaments the public ones."""
MAX_OPPONENTS = 30


def add_results(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Write the rows of a game that has ended, unless its tournament is private."""
    if rows and not in_private_tournament(connection, table):
        run_many(connection, insert(game_results), rows)


def in_private_tournament(connection: Connection, table: Table) -> bool:
    """Return whether a game belongs to a tournament that is not listed."""
    tournament_id = table.settings.tournament
    if tournament_id is None:
        return False
    return not connection.execute(
        select(tournaments.c.public).where(tournaments.c.id == tournament_id)
    ).scalar()


def forget_tournament(connection: Connection, tournament_id: str) -> None:
    """Delete the results of a tournament's games from the pages of its players."""
    games = select(tables.c.id).where(tables.c.tournament_id == tournament_id)
    connection.execute(delete(game_results).where(game_results.c.table_id.in_(games)))


def result_rows(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a game that has ended, one for each account; none if it is private or aborted."""
    result, settings = table.result, table.settings
    if result is None or result.ended_by == "aborted":
        return []
    if not is_public(table) and settings.tournament is None:
        return []
    rows = []
    for seat in Seat:
        player, other = table.seats[seat], table.seats[seat.other]
        if player is not None and _is_account(player.account_type, player.guest):
            rows.append(
                {
                    "account_id": player.id,
                    "table_id": table.id,
                    "game": settings.game,
                    "opponent_id": other.id
                    if other and _is_account(other.account_type, other.guest)
                    else None,
                    "points": 0.5 if result.winner is None else float(result.winner == seat_name(seat)),
                    "at": table.updated_at,
                }
            )
    return rows


def _is_account(account_type: str, guest: bool) -> bool:
    return account_type != "computer" and not guest


class Tally(NamedTuple):
    """How many games were won, drawn and lost."""

    won: int
    drawn: int
    lost: int


_SUMS: tuple[ColumnElement[int], ...] = tuple(
    func.sum(case((game_results.c.points == points, 1), else_=0)) for points in (1.0, 0.5, 0.0)
)


def tallies_by_game(connection: Connection, account_id: str) -> list[tuple[str, Tally]]:
    """Return an account's results at each game, the most played first."""
    query = (
        select(game_results.c.game, *_SUMS)
        .where(game_results.c.account_id == account_id)
        .group_by(game_results.c.game)
        .order_by(func.count().desc(), game_results.c.game)
    )
    return [(row[0], Tally(*map(int, row[1:]))) for row in connection.execute(query)]


def tallies_by_opponent(connection: Connection, account_id: str) -> list[tuple[str | None, str, Tally]]:
    """Return an account's results against each opponent, the most frequent first: name, type and results.

    The name is None for all guests and deleted accounts together.
    """
    opponent = game_results.c.opponent_id
    sums = (
        select(opponent, *(column.label(name) for column, name in zip(_SUMS, Tally._fields, strict=True)))
        .where(game_results.c.account_id == account_id)
        .group_by(opponent)
        .order_by(func.count().desc(), opponent)
        .limit(MAX_OPPONENTS)
        .subquery()
    )
    query = select(accounts.c.name, accounts.c.account_type, sums.c.won, sums.c.drawn, sums.c.lost).join_from(
        sums, accounts, accounts.c.id == sums.c.opponent_id, isouter=True
    )
    known: dict[tuple[str | None, str], Tally] = {}
    for name, account_type, *counts in connection.execute(query):
        key = (name or None, account_type if name else "person")
        before = known.get(key, Tally(0, 0, 0))
        known[key] = Tally(*(one + int(more) for one, more in zip(before, counts, strict=True)))
    ordered = sorted(known.items(), key=lambda entry: -sum(entry[1]))
    return [(name, account_type, tally) for (name, account_type), tally in ordered]


def finished_ids(connection: Connection, account_id: str, before: int | None, limit: int) -> list[str]:
    """Return the finished public games of an account, latest first."""
    query = select(game_results.c.table_id).where(game_results.c.account_id == account_id)
    if before is not None:
        query = query.where(game_results.c.at < before)
    return list(connection.execute(query.order_by(game_results.c.at.desc()).limit(limit)).scalars())


def last_between(connection: Connection, ids: frozenset[str], account_id: str) -> str | None:
    """Return the last public game between a user and an account."""
    query = (
        select(game_results.c.table_id)
        .where(game_results.c.account_id.in_(sorted(ids)), game_results.c.opponent_id == account_id)
        .order_by(game_results.c.at.desc())
        .limit(1)
    )
    return connection.execute(query).scalar()
