"""The integrity of a database: its events against the columns that lists, clocks and ratings read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlalchemy import and_, case, func, or_, select

from taiji.server.store import queries
from taiji.server.store.results import in_private_tournament, result_rows
from taiji.server.store.schema import (
    accounts,
    events,
    opening_queue,
    openings,
    rating_history,
    rating_queue,
    ratings,
    tables,
)
from taiji.server.store.schema_people import game_results, puzzle_results, puzzle_tries

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.domain.table import Table

BATCH = 500
NOT_EVENTS = ("updated_at", "match_result")
"""A resumed clock does not count as a change; the other game of a match writes its result."""


def find_problems(connection: Connection, limit: int | None = None) -> Iterator[str]:
    """Yield each problem in words; with a limit only the games changed last are replayed."""
    yield from _broken_pages(connection)
    yield from _gaps(connection)
    yield from _wrong_columns(connection, limit)
    yield from _wrong_ratings(connection)
    yield from _wrong_queues(connection)
    yield from _wrong_counts(connection)


def _broken_pages(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        for row in connection.exec_driver_sql("PRAGMA quick_check(20)"):
            if row[0] != "ok":
                yield f"file: {row[0]}"
        for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            yield f"{row[0]}: row {row[1]} refers to a row of {row[2]} that does not exist"


def _gaps(connection: Connection) -> Iterator[str]:
    """Versions count from 1 without a gap, and the last is that of the table."""
    counted = (
        select(events.c.table_id, func.count().label("count"), func.max(events.c.version).label("last"))
        .group_by(events.c.table_id)
        .subquery()
    )
    joined = tables.outerjoin(counted, counted.c.table_id == tables.c.id)
    count, last = func.coalesce(counted.c.count, 0), func.coalesce(counted.c.last, 0)
    wrong = select(tables.c.id, tables.c.version, count, last).select_from(joined)
    for row in connection.execute(wrong.where((count != last) | (last != tables.c.version))):
        yield f"table {row[0]}: version {row[1]} with {row[2]} events up to version {row[3]}"


def _wrong_columns(connection: Connection, limit: int | None) -> Iterator[str]:
    latest = select(tables.c.id).order_by(tables.c.updated_at.desc()).limit(limit)
    for table_id in list(connection.execute(latest).scalars()):
        try:
            loaded = queries.load_table(connection, table_id)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the events is what is reported
            yield f"table {table_id}: the events cannot be replayed: {type(error).__name__}: {error}"
            continue
        assert loaded is not None
        table = loaded[0]
        row = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().one()
        columns = {**queries.settings_row(table), **queries.projection_row(table)}
        for name, value in columns.items():
            if name == "thumbnail" and row[name] is None:
                continue  # a game of an earlier version
            if name not in NOT_EVENTS and row[name] != value:
                yield f"table {table_id}: column {name} is {row[name]!r} (expected {value!r} by its events)"
        yield from _wrong_results(connection, table)


def _wrong_results(connection: Connection, table: Table) -> Iterator[str]:
    """Each account has one row for its public game, unless it was deleted."""
    names = ("account_id", "game", "points")
    rows = [] if in_private_tournament(connection, table) else result_rows(table)
    expected = {tuple(row[name] for name in names) for row in rows}
    columns = [game_results.c[name] for name in names]
    query = select(*columns).where(game_results.c.table_id == table.id)
    known = {tuple(row) for row in connection.execute(query)}
    living = accounts.c.deleted_at.is_(None) & accounts.c.id.in_(sorted(row[0] for row in expected))
    left = set(connection.execute(select(accounts.c.id).where(living)).scalars()) if expected else set()
    for row in sorted(known ^ expected):
        if row in known or row[0] in left:
            problem = "a result that does not follow" if row in known else "no result as it follows"
            yield f"table {table.id}: {row[0]} has {problem} from its events"


def _wrong_ratings(connection: Connection) -> Iterator[str]:
    same = and_(rating_history.c.account_id == ratings.c.account_id, rating_history.c.game == ratings.c.game)
    counted = select(func.count()).select_from(rating_history).where(same).scalar_subquery()
    query = select(ratings.c.account_id, ratings.c.game, ratings.c.games, counted.label("known"))
    for row in connection.execute(query.where(ratings.c.games != counted)):
        yield f"rating of {row[0]} at {row[1]}: {row[2]} games (expected {row[3]} by the history)"


def _wrong_queues(connection: Connection) -> Iterator[str]:
    """Only finished games wait to be rated or for their opening to be counted."""
    for queue, what in ((rating_queue, "rated"), (opening_queue, "explored")):
        joined = queue.outerjoin(tables, tables.c.id == queue.c.table_id)
        wrong = func.coalesce(tables.c.status, "") != "over"
        for table_id in connection.execute(
            select(queue.c.table_id).select_from(joined).where(wrong)
        ).scalars():
            yield f"table {table_id}: waits to be {what} but is not over"


def _wrong_counts(connection: Connection) -> Iterator[str]:
    """The counts of puzzles and openings fit each other; tries of guests who are gone are still counted."""
    solved = func.sum(case((puzzle_tries.c.solved, 1), else_=0))
    query = select(puzzle_tries.c.puzzle_id, func.count(), solved).group_by(puzzle_tries.c.puzzle_id)
    known = {row[0]: (row[1], row[2]) for row in connection.execute(query)}
    for row in connection.execute(select(puzzle_results)).mappings():
        tries, wins = known.pop(row["puzzle_id"], (0, 0))
        if not tries <= row["tries"] or not wins <= row["solved"] <= row["tries"]:
            yield f"puzzle {row['puzzle_id']}: its counts do not fit its tries"
    for puzzle_id in known:
        yield f"puzzle {puzzle_id}: its tries are not counted"
    count = openings.c.games
    bad = or_(count < 1, openings.c.scored > count, openings.c.light_wins > count, openings.c.light_wins < 0)
    for game, key in connection.execute(select(openings.c.game, openings.c.key).where(bad)):
        yield f"opening {key} of {game}: its counts do not fit each other"
