"""Reading and writing rows: plain functions of a connection, run by the writer or a reader."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, insert, or_, select, update

from taiji.rules import MatchRule
from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.events import EVENT_FORMAT
from taiji.server.contract.tables import MatchResult
from taiji.server.domain.clocks import Clock
from taiji.server.domain.matches import mirror
from taiji.server.domain.table import Event, MatchSlot, Table, TableSettings, optional_seat_name
from taiji.server.domain.views import seats_view
from taiji.server.store.schema import events, heartbeats, seat_links, tables
from taiji.server.store.upgrades import read_event_data
from taiji.server.store.writer import BatchableJob

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

Row = dict[str, Any]

_MOVED = ("version", "ply", "turn", "scores", "clock", "deadline", "updated_at")
_REST = ("status", "first_id", "second_id", "seats", "result", "match_result", "match_other")
_THIS = update(tables).where(tables.c.id == bindparam("b_id"))
_UPDATE_MOVED = _THIS.values({name: bindparam(name) for name in _MOVED})
_UPDATE_ALL = _THIS.values({name: bindparam(name) for name in (*_MOVED, *_REST)})
_ADD_EVENT = insert(events)


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
    if rows:
        connection.execute(_ADD_EVENT, rows)
    connection.execute(_UPDATE_ALL, {"b_id": table_id, **projection})


class AddMove(BatchableJob):
    """Writes one move; all queued moves are written by two statements."""

    def __init__(self, table: Table, event: Event) -> None:
        self.event = event_row(table.id, event)
        self.moved = {"b_id": table.id, **moved_row(table)}

    @classmethod
    def execute_many(cls, connection: Connection, jobs: Sequence[AddMove]) -> None:
        """Write all of these moves."""
        connection.execute(_ADD_EVENT, [job.event for job in jobs])
        connection.execute(_UPDATE_MOVED, [job.moved for job in jobs])


def set_match_result(connection: Connection, table_id: str, result: MatchResult | None) -> None:
    """Write the result of a match, by its own seats, to the table of the other game."""
    other = mirror(result)
    value = None if other is None else other.model_dump()
    connection.execute(update(tables).where(tables.c.id == table_id).values(match_result=value))


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
    )
    slot = None
    if row["match_id"] is not None:
        first, second = row["match_carried"]
        slot = MatchSlot(row["match_id"], row["match_game_no"], row["match_other"], (first, second))
    return Table.new(row["id"], settings, row["created_at"], slot, row["previous"])


def read_event(table: Table, row: RowMapping) -> Event:
    """Return the event of a row; the table knows its time control."""
    clock = None
    if row["clock"] is not None and table.clock is not None:
        clock = Clock.from_json(table.clock.rule, row["clock"])
    data = read_event_data(row["event_type"], row["data"], row["format"])
    return Event(row["version"], row["at"], data, clock, row["request_id"])


def list_tables(
    connection: Connection,
    *,
    status: str | None = None,
    opponents: Collection[str] = (),
    ids: Collection[str] | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[Row]:
    """Return rows of tables, latest first; `ids` selects those where one of them plays or is challenged."""
    query = select(tables).order_by(tables.c.updated_at.desc()).limit(limit)
    if status is not None:
        query = query.where(tables.c.status == status)
    if opponents:
        query = query.where(tables.c.opponent.in_(sorted(opponents)))
    if ids is not None:
        wanted = sorted(ids)
        asked = and_(tables.c.challenged_id.in_(wanted), tables.c.status == "waiting")
        query = query.where(or_(tables.c.first_id.in_(wanted), tables.c.second_id.in_(wanted), asked))
    if before is not None:
        query = query.where(tables.c.updated_at < before)
    return [dict(row) for row in connection.execute(query).mappings()]


def add_seat_link(connection: Connection, row: Row) -> None:
    """Write a link that opens a seat."""
    connection.execute(insert(seat_links), [row])


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


def running_clocks(connection: Connection) -> Iterable[RowMapping]:
    """Return the tables whose clock was running."""
    columns = (tables.c.id, tables.c.version, tables.c.clock_rule, tables.c.clock)
    return (
        connection.execute(
            select(*columns).where(tables.c.status == "playing", tables.c.deadline.is_not(None))
        )
        .mappings()
        .all()
    )
