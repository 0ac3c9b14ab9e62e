"""The store of tournaments: events are written before they are applied."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from taiji.arena.tournaments import TournamentError
from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.errors import ApiError
from taiji.server.store.schema import tournament_events, tournaments
from taiji.server.tournaments.hosted import (
    TOURNAMENT_EVENT_FORMAT,
    HostedTournament,
    arena_event,
    event_from_stored,
    event_to_stored,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.arena.tournaments import Created
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.hosted import HostedEvent

Work = Callable[["Connection"], None]
Row = dict[str, Any]


class TournamentStore:
    """Reads tournaments and writes their events."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time

    async def unfinished(self) -> list[str]:
        """Return the tournaments that are not over."""
        query = select(tournaments.c.id).where(tournaments.c.over.is_(False))
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def latest(self, limit: int) -> list[str]:
        """Return the tournaments, latest change first."""
        query = select(tournaments.c.id).order_by(tournaments.c.updated_at.desc()).limit(limit)
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def load(self, tournament_id: str) -> HostedTournament | None:
        """Rebuild a tournament from its events."""
        return await self._store.read(partial(_load, tournament_id=tournament_id))

    async def event_rows(self, tournament_id: str) -> list[Row]:
        """Return the stored events of a tournament, oldest first."""
        query = select(tournament_events).where(tournament_events.c.tournament_id == tournament_id)
        ordered = query.order_by(tournament_events.c.version)
        return await self._store.read(lambda c: [dict(row) for row in c.execute(ordered).mappings()])

    async def create(self, hosted: HostedTournament, created: Created, actor_id: str) -> None:
        """Write a new tournament."""
        row = {
            "id": hosted.id,
            "organiser_id": hosted.organiser,
            "invite": hosted.invite,
            "edition": hosted.edition,
            "clock_rule": None if hosted.clock is None else hosted.clock.model_dump(),
            "rated": hosted.rated,
            "over": False,
            "created_at": hosted.created_at,
            "updated_at": hosted.created_at,
        }
        write_events, apply = self.prepare(hosted, [created], actor_id)

        def write(connection: Connection) -> None:
            connection.execute(insert(tournaments), [row])
            write_events(connection)

        await self._store.write(write)
        apply()

    async def append(self, hosted: HostedTournament, events: Sequence[HostedEvent], actor_id: str) -> None:
        """Write events, all or none, then apply them."""
        write, apply = self.prepare(hosted, events, actor_id)
        with writing(hosted):
            await self._store.write(write)
        apply()

    def prepare(
        self, hosted: HostedTournament, events: Sequence[HostedEvent], actor_id: str
    ) -> tuple[Work, Callable[[], None]]:
        """Return what writes the events, and what applies them after that; raise `ApiError` if refused.

        A caller with more to write does it in the same transaction.
        """
        now = self._time.now()
        after = hosted.tournament
        try:
            for event in events:
                known = arena_event(event)
                if known is not None and after is not None:
                    after = after.after(known)
        except TournamentError as error:
            raise ApiError("tournament", str(error)) from error
        rows = [
            {
                "tournament_id": hosted.id,
                "version": version,
                "at": now,
                "format": TOURNAMENT_EVENT_FORMAT,
                "actor_id": actor_id,
                "data": event_to_stored(event),
            }
            for version, event in enumerate(events, hosted.version + 1)
        ]
        over = after is not None and after.over
        changed = update(tournaments).where(tournaments.c.id == hosted.id).values(updated_at=now, over=over)

        def write(connection: Connection) -> None:
            connection.execute(insert(tournament_events), rows)
            connection.execute(changed)

        def apply() -> None:
            for event in events:
                hosted.apply(event, now)

        return write, apply


@contextmanager
def writing(hosted: HostedTournament) -> Iterator[None]:
    """Mark a tournament as stale if writing its events fails or is cancelled: it is loaded again before use.

    The database accepts each version once: it refuses a change of stale data, so no result counts twice.
    """
    try:
        yield
    except ApiError:
        raise
    except asyncio.CancelledError:
        hosted.is_stale = True
        raise
    except Exception as error:
        hosted.is_stale = True
        raise ApiError("unavailable", "the change could not be stored: try again") from error


def _load(connection: Connection, tournament_id: str) -> HostedTournament | None:
    row = connection.execute(select(tournaments).where(tournaments.c.id == tournament_id)).mappings().first()
    if row is None:
        return None
    clock = row["clock_rule"]
    hosted = HostedTournament(
        row["id"],
        row["organiser_id"],
        row["invite"],
        row["edition"],
        None if clock is None else CLOCK_CHOICE.validate_python(clock),
        row["rated"],
        row["created_at"],
        updated_at=row["updated_at"],
    )
    query = select(tournament_events).where(tournament_events.c.tournament_id == tournament_id)
    for event in connection.execute(query.order_by(tournament_events.c.version)).mappings():
        hosted.apply(event_from_stored(event["data"]), event["at"])
    return hosted if hosted.tournament is not None else None
