"""Reading and writing rows: plain functions of a connection, run by the writer or a reader."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, insert, or_, select, update

from taiji.rules import MatchRule, Seat
from taiji.server.domain.clocks import Clock
from taiji.server.domain.matches import mirror
from taiji.server.domain.table import Event, MatchSlot, Table, TableSettings, seat_name
from taiji.server.store.schema import events, heartbeats, seat_links, tables
from taiji.server.store.writer import BatchableJob

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

Row = dict[str, Any]

_MOVED = ("version", "ply", "turn", "scores", "clock", "deadline", "updated")
_REST = ("status", "first_id", "second_id", "seats", "result", "match_result", "match_other")
_THIS = update(tables).where(tables.c.id == bindparam("b_id"))
_UPDATE_MOVED = _THIS.values({name: bindparam(name) for name in _MOVED})
_UPDATE_ALL = _THIS.values({name: bindparam(name) for name in (*_MOVED, *_REST)})
_ADD_EVENT = insert(events)


def settings_row(table: Table) -> Row:
    """Return what was agreed at a table as columns."""
    terms, place = table.settings, table.match
    return {
        "id": table.id,
        "game": terms.game,
        "edition": terms.edition,
        "rule": terms.match_rule.value,
        "opponent": terms.opponent,
        "clock_rule": terms.clock,
        "takebacks": terms.takebacks,
        "rated": terms.rated,
        "maker": terms.creator,
        "challenged": terms.challenged,
        "match_id": place.id if place else None,
        "match_number": place.game_no if place else None,
        "match_carried": list(place.carried_points) if place else None,
        "previous": table.previous,
        "created": table.created_at,
    }


def moved_row(table: Table) -> Row:
    """Return the columns that a move changes."""
    return {
        "version": table.version,
        "ply": len(table.moves),
        "turn": None if table.turn is None else seat_name(table.turn),
        "scores": table.scores,
        "clock": None if table.clock is None else table.clock.to_json(),
        "deadline": table.deadline,
        "updated": table.updated_at,
    }


def projection_row(table: Table) -> Row:
    """Return what a table's events have led to as columns."""
    first, second = table.seats
    return {
        **moved_row(table),
        "status": table.status,
        "first_id": first.id if first else None,
        "second_id": second.id if second else None,
        "seats": {seat_name(s): sitter.to_wire() if (sitter := table.seats[s]) else None for s in Seat},
        "result": table.result,
        "match_result": table.match_result,
        "match_other": table.match.other if table.match else None,
    }


def event_row(table_id: str, event: Event) -> Row:
    """Return an event as columns."""
    return {
        "table_id": table_id,
        "version": event.version,
        "kind": event.event_type,
        "at": event.at,
        "data": event.data,
        "clock": None if event.clock is None else event.clock.to_json(),
        "client": event.request_id,
    }


def add_table(connection: Connection, row: Row) -> None:
    """Write a new table."""
    connection.execute(insert(tables), [row])


def add_events(connection: Connection, table_id: str, projection: Row, rows: Sequence[Row]) -> None:
    """Write new events of a table and what they led to."""
    if rows:
        connection.execute(_ADD_EVENT, rows)
    connection.execute(_UPDATE_ALL, {"b_id": table_id, **projection})


class AddMove(BatchableJob):
    """Writes one move; all moves that wait are written by two statements."""

    def __init__(self, table: Table, event: Event) -> None:
        self.event = event_row(table.id, event)
        self.moved = {"b_id": table.id, **moved_row(table)}

    @classmethod
    def merge(cls, connection: Connection, jobs: Sequence[AddMove]) -> None:
        """Write all of these moves."""
        connection.execute(_ADD_EVENT, [job.event for job in jobs])
        connection.execute(_UPDATE_MOVED, [job.moved for job in jobs])


def set_match_result(connection: Connection, table_id: str, result: Row | None) -> None:
    """Tell the other game of a match how the match ended."""
    connection.execute(update(tables).where(tables.c.id == table_id).values(match_result=mirror(result)))


def load_table(connection: Connection, table_id: str) -> tuple[Table, list[Event], str | None] | None:
    """Rebuild a table from its row and events; return also the secret by which a free seat is taken."""
    row = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().first()
    if row is None:
        return None
    table = _empty(row)
    found = connection.execute(
        select(events).where(events.c.table_id == table_id).order_by(events.c.version)
    ).mappings()
    happened = [read_event(table, entry) for entry in found]
    for event in happened:
        table.apply(event)
    table.match_result = row["match_result"]
    wanted = (seat_links.c.table_id == table_id, seat_links.c.kind == "join")
    invite = connection.execute(select(seat_links.c.plain).where(*wanted)).scalar()
    return table, happened, invite


def load_events(connection: Connection, table: Table, after: int) -> list[Event]:
    """Return a table's events after a version."""
    wanted = (events.c.table_id == table.id, events.c.version > after)
    found = connection.execute(select(events).where(*wanted).order_by(events.c.version)).mappings()
    return [read_event(table, row) for row in found]


def _empty(row: RowMapping) -> Table:
    terms = TableSettings(
        game=row["game"],
        edition=row["edition"],
        match_rule=MatchRule(row["rule"]),
        opponent=row["opponent"],
        clock=row["clock_rule"],
        takebacks=row["takebacks"],
        rated=row["rated"],
        creator=row["maker"],
        challenged=row["challenged"],
    )
    place = None
    if row["match_id"] is not None:
        carried = row["match_carried"]
        place = MatchSlot(row["match_id"], row["match_number"], row["match_other"], (carried[0], carried[1]))
    return Table.new(row["id"], terms, row["created"], place, row["previous"])


def read_event(table: Table, row: RowMapping) -> Event:
    """Return the event of a row; the table knows the rule of the clock."""
    clock = None
    if row["clock"] is not None and table.clock is not None:
        clock = Clock.from_json(table.clock.rule, row["clock"])
    return Event(row["version"], row["kind"], row["at"], row["data"], clock, row["client"])


def list_tables(
    connection: Connection,
    *,
    status: str | None = None,
    opponents: Collection[str] = (),
    ids: Collection[str] | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[Row]:
    """Return the rows of tables, the latest first; `ids` asks for those at which somebody sits."""
    query = select(tables).order_by(tables.c.updated.desc()).limit(limit)
    if status is not None:
        query = query.where(tables.c.status == status)
    if opponents:
        query = query.where(tables.c.opponent.in_(sorted(opponents)))
    if ids is not None:
        wanted = sorted(ids)
        asked = and_(tables.c.challenged.in_(wanted), tables.c.status == "waiting")
        query = query.where(or_(tables.c.first_id.in_(wanted), tables.c.second_id.in_(wanted), asked))
    if before is not None:
        query = query.where(tables.c.updated < before)
    return [dict(row) for row in connection.execute(query).mappings()]


def add_seat_link(connection: Connection, row: Row) -> None:
    """Write a secret of a join link."""
    connection.execute(insert(seat_links), [row])


def find_seat_link(connection: Connection, digest: str) -> Row | None:
    """Return what a secret opens."""
    row = connection.execute(select(seat_links).where(seat_links.c.hash == digest)).mappings().first()
    return dict(row) if row else None


def due_tables(connection: Connection, until: int) -> list[str]:
    """Return the tables whose clock runs out before a time."""
    query = select(tables.c.id).where(tables.c.status == "playing", tables.c.deadline < until)
    return list(connection.execute(query).scalars())


def write_heartbeat(connection: Connection, process: str, at: int) -> None:
    """Note that the server is alive."""
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
