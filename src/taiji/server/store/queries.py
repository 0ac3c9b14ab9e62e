"""Reading and writing rows: plain functions of a connection, run by the writer or a reader."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, or_, select, union_all, update

from taiji.rules import MatchRule
from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.events import EVENT_FORMAT
from taiji.server.contract.tables import MatchResult
from taiji.server.domain.clocks import Clock
from taiji.server.domain.matches import mirror
from taiji.server.domain.table import Event, MatchSlot, Table, TableSettings, optional_seat_name
from taiji.server.domain.thumbnails import thumbnail
from taiji.server.domain.views import seats_view
from taiji.server.domain.visibility import PUBLIC_OPPONENTS
from taiji.server.store.schema import events, heartbeats, rating_queue, seat_links, tables
from taiji.server.store.schema_tournaments import tournaments
from taiji.server.store.shards import shard_column
from taiji.server.store.upgrades import read_event_data
from taiji.server.store.writer import BatchableJob, StoreError

if TYPE_CHECKING:
    from sqlalchemy import CompoundSelect, Connection, Insert, RowMapping, Update

Row = dict[str, Any]

STATUSES = ("waiting", "playing", "over")
_LISTED = [
    tables.c[name]
    for name in (
        "id", "version", "status", "game", "edition", "opponent", "clock_rule", "rated", "seats", "ply",
        "turn", "deadline", "scores", "result", "thumbnail", "first_id", "second_id", "creator_id",
        "challenged_id", "clock", "tournament_id",
        "match_id", "match_game_no", "created_at", "updated_at",
    )
]  # fmt: skip
"""What lists show; the other columns cost more to read."""
_LISTED_TOURNAMENTS = select(tournaments.c.id).where(tournaments.c.public.is_(True))
MAX_UNION = 400
"""SQLite joins at most 500 queries to one."""
_MOVED = ("version", "ply", "turn", "scores", "clock", "deadline", "thumbnail", "updated_at")
_REST = ("status", "first_id", "second_id", "seats", "result", "match_result", "match_other")
_THIS = update(tables).where(tables.c.id == bindparam("b_id"), tables.c.version == bindparam("b_before"))
"""Changes a table only from the version that the writer knew; see `OutOfOrder`."""
_UPDATE_MOVED = _THIS.values({name: bindparam(name) for name in _MOVED})
_UPDATE_ALL = _THIS.values({name: bindparam(name) for name in (*_MOVED, *_REST)})
_ADD_EVENT = insert(events)


class OutOfOrder(StoreError):
    """The database does not hold the version that a table's events follow: nothing of them is written."""


def settings_row(table: Table) -> Row:
    """Return the settings of a table as columns."""
    settings, slot = table.settings, table.match
    return {
        "id": table.id,
        "game": settings.game,
        "edition": settings.edition,
        "match_rule": settings.match_rule.value,
        "opponent": settings.opponent,
        "clock_rule": None if settings.clock is None else settings.clock.model_dump(),
        "takebacks": settings.takebacks,
        "rated": settings.rated,
        "creator_id": settings.creator,
        "challenged_id": settings.challenged,
        "match_id": slot.id if slot else None,
        "match_game_no": slot.game_no if slot else None,
        "match_carried": list(slot.carried_points) if slot else None,
        "previous": table.previous,
        "tournament_id": settings.tournament,
        "created_at": table.created_at,
    }


def moved_row(table: Table) -> Row:
    """Return the columns that a move changes."""
    return {
        "version": table.version,
        "ply": len(table.moves),
        "turn": optional_seat_name(table.turn),
        "scores": table.scores.model_dump(),
        "clock": None if table.clock is None else table.clock.to_json(),
        "deadline": table.deadline,
        "thumbnail": thumbnail(table.state, table.last_move),
        "updated_at": table.updated_at,
    }


def projection_row(table: Table) -> Row:
    """Return the current state of a table as columns."""
    first, second = table.seats
    return {
        **moved_row(table),
        "status": table.status,
        "first_id": first.id if first else None,
        "second_id": second.id if second else None,
        "seats": seats_view(table).model_dump(),
        "result": table.result and table.result.model_dump(),
        "match_result": table.match_result and table.match_result.model_dump(),
        "match_other": table.match.other if table.match else None,
    }


def event_row(table_id: str, event: Event) -> Row:
    """Return an event as columns."""
    return {
        "table_id": table_id,
        "version": event.version,
        "event_type": event.event_type,
        "format": EVENT_FORMAT,
        "at": event.at,
        "data": event.data.model_dump(),
        "clock": None if event.clock is None else event.clock.to_json(),
        "request_id": event.request_id,
    }


def add_table(connection: Connection, row: Row) -> None:
    """Write a new table."""
    connection.execute(insert(tables), [row])


def add_events(connection: Connection, table_id: str, projection: Row, rows: Sequence[Row]) -> None:
    """Write new events of a table and its new state."""
    run_many(connection, _ADD_EVENT, rows)
    before = rows[0]["version"] - 1 if rows else projection["version"]
    _update_tables(connection, _UPDATE_ALL, [{"b_id": table_id, "b_before": before, **projection}])


def run_many(connection: Connection, statement: Insert | Update, rows: Sequence[Row]) -> int:
    """Execute a statement for each row, and return how many rows it changed.

    On PostgreSQL one by one: the driver would send many in a pipeline, and the time limit of an idle
    transaction does not count within one. A server that is frozen there would keep its locks.
    """
    if not rows:
        return 0
    if connection.dialect.name == "postgresql":
        return sum(connection.execute(statement, [row]).rowcount for row in rows)
    return connection.execute(statement, rows).rowcount


def _update_tables(connection: Connection, statement: Update, rows: list[Row]) -> None:
    """Update tables, each from the version before; raise `OutOfOrder` unless all were."""
    if run_many(connection, statement, rows) != len(rows):
        raise OutOfOrder("a table is not at the version that its new events follow")


class AddMove(BatchableJob):
    """Writes one move; all queued moves are written by two statements."""

    def __init__(self, table: Table, event: Event) -> None:
        self.event = event_row(table.id, event)
        self.moved = {"b_id": table.id, "b_before": event.version - 1, **moved_row(table)}

    @classmethod
    def execute_many(cls, connection: Connection, jobs: Sequence[AddMove]) -> None:
        """Write all of these moves."""
        run_many(connection, _ADD_EVENT, [job.event for job in jobs])
        _update_tables(connection, _UPDATE_MOVED, [job.moved for job in jobs])


def set_match_result(connection: Connection, table_id: str, result: MatchResult | None) -> None:
    """Write the result of a match, by its own seats, to the table of the other game."""
    other = mirror(result)
    value = None if other is None else other.model_dump()
    connection.execute(update(tables).where(tables.c.id == table_id).values(match_result=value))


def queue_rating(connection: Connection, table_id: str) -> None:
    """Queue a game that has ended, until it is rated."""
    connection.execute(insert(rating_queue), [{"table_id": table_id}])


def load_table(connection: Connection, table_id: str) -> tuple[Table, list[Event], str | None] | None:
    """Rebuild a table from its row and events; return also the secret of its join link."""
    row = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().first()
    if row is None:
        return None
    table = _empty(row)
    rows = connection.execute(
        select(events).where(events.c.table_id == table_id).order_by(events.c.version)
    ).mappings()
    loaded = [read_event(table, entry) for entry in rows]
    for event in loaded:
        table.apply(event)
    result = row["match_result"]
    table.match_result = None if result is None else MatchResult.model_validate(result)
    wanted = (seat_links.c.table_id == table_id, seat_links.c.link_type == "join")
    invite = connection.execute(select(seat_links.c.secret).where(*wanted)).scalar()
    return table, loaded, invite


def load_events(connection: Connection, table: Table, after: int) -> list[Event]:
    """Return a table's events after a version."""
    wanted = (events.c.table_id == table.id, events.c.version > after)
    rows = connection.execute(select(events).where(*wanted).order_by(events.c.version)).mappings()
    return [read_event(table, row) for row in rows]


def _empty(row: RowMapping) -> Table:
    clock = row["clock_rule"]
    settings = TableSettings(
        game=row["game"],
        edition=row["edition"],
        match_rule=MatchRule(row["match_rule"]),
        opponent=row["opponent"],
        clock=None if clock is None else CLOCK_CHOICE.validate_python(clock),
        takebacks=row["takebacks"],
        rated=row["rated"],
        creator=row["creator_id"],
        challenged=row["challenged_id"],
        tournament=row["tournament_id"],
    )
    slot = None
    if row["match_id"] is not None:
        first, second = row["match_carried"]
        slot = MatchSlot(row["match_id"], row["match_game_no"], row["match_other"], (first, second))
    return Table.new(row["id"], settings, row["created_at"], slot, row["previous"])


def read_event(table: Table, row: Mapping[str, Any] | RowMapping) -> Event:
    """Return the event of a row; the table knows its time control."""
    clock = None
    if row["clock"] is not None and table.clock is not None:
        clock = Clock.from_json(table.clock.rule, row["clock"])
    data = read_event_data(row["event_type"], row["data"], row["format"])
    return Event(row["version"], row["at"], data, clock, row["request_id"])


def list_tables(
    connection: Connection,
    *,
    status: str | tuple[str, ...] | None = None,
    opponents: Collection[str] = (),
    ids: Collection[str] | None = None,
    before: int | None = None,
    after: int | None = None,
    limit: int = 50,
) -> list[Row]:
    """Return rows of tables, latest first; `ids` selects those where one of them plays or is challenged.

    `opponents` selects by how the opponents met; of tournaments only the public ones. `before` and `after`
    bound the time of their last change.
    """
    statuses = STATUSES if status is None else (status,) if isinstance(status, str) else status
    wanted: list[tuple[str, str, str]]
    if ids is None:
        wanted = [("opponent", other, one) for one in statuses for other in sorted(opponents)]
    else:
        seats = [(column, one) for column in ("first_id", "second_id") for one in statuses]
        asked = [("challenged_id", "waiting")] if "waiting" in statuses else []
        wanted = [(column, identity, one) for identity in sorted(ids) for column, one in [*seats, *asked]]
    times: dict[str, int] = {}
    for start in range(0, len(wanted), MAX_UNION):
        times.update(_latest_ids(connection, wanted[start : start + MAX_UNION], before, after, limit))
    latest = sorted(times, key=lambda one: (-times[one], one))[:limit]
    return rows_by_id(connection, latest)


_ROWS_BY_ID = select(*_LISTED).where(tables.c.id.in_(bindparam("ids", expanding=True)))


def rows_by_id(connection: Connection, ids: Sequence[str]) -> list[Row]:
    """Return the rows of these tables, in this order."""
    result = connection.execute(_ROWS_BY_ID, {"ids": list(ids)})
    names = tuple(result.keys())
    rows = {row[0]: dict(zip(names, row, strict=True)) for row in result}  # by its id, the first column
    return [rows[one] for one in ids if one in rows]


def public_rows(connection: Connection, rows: list[Row]) -> list[Row]:
    """Return those of these rows that strangers may be shown."""
    entered = {row["tournament_id"] for row in rows} - {None}
    public: set[str] = set()
    if entered:
        query = _LISTED_TOURNAMENTS.where(tournaments.c.id.in_(sorted(entered)))
        public = set(connection.execute(query).scalars())
    return [row for row in rows if row["opponent"] in PUBLIC_OPPONENTS or row["tournament_id"] in public]


def _latest_ids(
    connection: Connection,
    wanted: Sequence[tuple[str, str, str]],
    before: int | None,
    after: int | None,
    limit: int,
) -> dict[str, int]:
    """Return the latest tables of each condition (a column, its value, a status) with their times."""
    columns = tuple(column for column, _, _ in wanted)
    query = _latest_query(columns, before is not None, after is not None)
    values = {f"value_{n}": value for n, (_, value, _) in enumerate(wanted)}
    statuses = {f"status_{n}": status for n, (_, _, status) in enumerate(wanted)}
    bounds = {name: at for name, at in (("before", before), ("after", after)) if at is not None}
    rows = connection.execute(query, {**values, **statuses, **bounds, "most": limit})
    return {row[0]: row[1] for row in rows}


@lru_cache(maxsize=500)
def _latest_query(columns: tuple[str, ...], has_before: bool, has_after: bool) -> CompoundSelect[Any]:
    """Build the query of `_latest_ids`, once: each of its parts reads one range of an index."""
    parts = []
    for n, column in enumerate(columns):
        query = select(tables.c.id, tables.c.updated_at).where(
            tables.c[column] == bindparam(f"value_{n}"), tables.c.status == bindparam(f"status_{n}")
        )
        if column == "opponent":
            query = query.where(
                or_(tables.c.opponent != "tournament", tables.c.tournament_id.in_(_LISTED_TOURNAMENTS))
            )
        if has_before:
            query = query.where(tables.c.updated_at < bindparam("before"))
        if has_after:
            query = query.where(tables.c.updated_at > bindparam("after"))
        part = query.order_by(tables.c.updated_at.desc()).limit(bindparam("most")).subquery()
        parts.append(select(part.c.id, part.c.updated_at))
    return union_all(*parts)


def add_seat_link(connection: Connection, row: Row) -> None:
    """Write a link that opens a seat."""
    connection.execute(insert(seat_links), [row])


def table_versions(connection: Connection, ids: Collection[str]) -> dict[str, int]:
    """Return the version of each of these tables."""
    query = select(tables.c.id, tables.c.version).where(tables.c.id.in_(ids))
    return {row.id: row.version for row in connection.execute(query)}


def due_tables(connection: Connection, until: int) -> list[str]:
    """Return the tables whose clock runs out before a time."""
    query = select(tables.c.id).where(tables.c.status == "playing", tables.c.deadline < until)
    return list(connection.execute(query).scalars())


def write_heartbeat(connection: Connection, process: str, at: int) -> None:
    """Write the time at which the server was alive."""
    changed = connection.execute(update(heartbeats).where(heartbeats.c.process == process).values(at=at))
    if not changed.rowcount:
        connection.execute(insert(heartbeats), [{"process": process, "at": at}])


def last_heartbeat(connection: Connection, process: str) -> int | None:
    """Return when the server was last known to be alive."""
    return connection.execute(select(heartbeats.c.at).where(heartbeats.c.process == process)).scalar()


def has_running_clock(connection: Connection) -> bool:
    """Return whether the clock of any table runs."""
    query = select(tables.c.id).where(tables.c.status == "playing", tables.c.deadline > 0).limit(1)
    return connection.execute(query).first() is not None


def running_clocks(connection: Connection, shards: Collection[int] | None = None) -> Iterable[RowMapping]:
    """Return the tables whose clock was running, all or those of some shards."""
    columns = (tables.c.id, tables.c.version, tables.c.clock_rule, tables.c.clock)
    query = select(*columns).where(tables.c.status == "playing", tables.c.deadline.is_not(None))
    if shards is not None:
        query = query.where(shard_column(tables.c.id).in_(sorted(shards)))
    return connection.execute(query).mappings().all()
