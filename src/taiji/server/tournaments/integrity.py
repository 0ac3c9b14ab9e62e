"""The integrity of tournaments: their events against the columns that lists and the schedule read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlalchemy import select

from taiji.server.store.schema_tournaments import tournament_events, tournament_players, tournaments
from taiji.server.tournaments.hosted import UserEntered, event_from_stored, tournament_state
from taiji.server.tournaments.listing import summary_row
from taiji.server.tournaments.store import load_tournament

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping


def find_problems(connection: Connection) -> Iterator[str]:
    """Yield each problem in words."""
    for row in connection.execute(select(tournaments).order_by(tournaments.c.id)).mappings().all():
        for problem in _problems(connection, row):
            yield f"tournament {row['id']}: {problem}"


def _problems(connection: Connection, row: RowMapping) -> Iterator[str]:
    mine = tournament_events.c.tournament_id == row["id"]
    query = select(tournament_events).where(mine).order_by(tournament_events.c.version)
    stored = connection.execute(query).mappings().all()
    versions = [event["version"] for event in stored]
    if versions != list(range(1, len(versions) + 1)):
        yield f"its events have the versions {versions} (expected them without a gap)"
        return
    try:
        events = [event_from_stored(event["data"]) for event in stored]
        hosted = load_tournament(connection, row["id"])
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the events is what is reported
        yield f"the events cannot be replayed: {type(error).__name__}: {error}"
        return
    if hosted is None or hosted.tournament is None:
        yield "it has no events"
        return
    state = tournament_state(hosted.tournament, is_cancelled=hosted.cancelled is not None)
    expected = {
        "over": state in ("finished", "cancelled"),
        "state": state,
        "summary": summary_row(hosted.tournament),
    }
    for name, value in expected.items():
        if row["summary"] is None and name != "over":
            continue  # a tournament of an earlier version, which has not changed since
        if row[name] != value:
            yield f"column {name} is {row[name]!r} (expected {value!r} by its events)"
    entered = {event.user_id for event in events if isinstance(event, UserEntered)}
    known = select(tournament_players.c.user_id).where(tournament_players.c.tournament_id == row["id"])
    missing = entered - set(connection.execute(known).scalars())
    if missing:
        yield f"{len(missing)} of its players do not find it in their lists"
