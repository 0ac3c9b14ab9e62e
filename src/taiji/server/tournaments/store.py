"""The store of tournaments: events are written before they are applied."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, union, update

from taiji.arena.tournaments import Tournament, TournamentError
from taiji.server.contract.clocks import CLOCK_CHOICE
from taiji.server.contract.errors import ApiError
from taiji.server.store.schema_tournaments import tournament_events, tournament_players, tournaments
from taiji.server.tournaments.hosted import (
    TOURNAMENT_EVENT_FORMAT,
    Cancelled,
    HostedTournament,
    UserEntered,
    arena_event,
    event_from_stored,
    event_to_stored,
    tournament_state,
)
from taiji.server.tournaments.listing import summary_row

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
        """Return the tournaments that are not over, latest change first."""
        unfinished = select(tournaments.c.id).where(tournaments.c.over.is_(False))
        query = unfinished.order_by(tournaments.c.updated_at.desc())
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def latest(self, ids: frozenset[str], limit: int) -> list[str]:
        """Return the tournaments of an organiser or player, latest change first."""
        mine = sorted(ids)
        entered = select(tournament_players.c.tournament_id).where(tournament_players.c.user_id.in_(mine))
        organised = select(tournaments.c.id).where(tournaments.c.organiser_id.in_(mine))
        wanted = tournaments.c.id.in_(union(entered, organised))
        query = select(tournaments.c.id).where(wanted).order_by(tournaments.c.updated_at.desc()).limit(limit)
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def candidates(self, organiser_id: str, prefix: str) -> list[str]:
        """Return the tournaments of an organiser whose ids begin with some characters, latest first."""
        wanted = (
            tournaments.c.organiser_id == organiser_id,
            tournaments.c.id.startswith(prefix, autoescape=True),
        )
        query = select(tournaments.c.id).where(*wanted).order_by(tournaments.c.updated_at.desc())
        return await self._store.read(lambda connection: list(connection.execute(query.limit(20)).scalars()))

    async def due(self, now: int) -> list[str]:
        """Return the tournaments whose start time has come."""
        wanted = (tournaments.c.state == "upcoming", tournaments.c.starts_at <= now)
        query = select(tournaments.c.id).where(*wanted).order_by(tournaments.c.starts_at)
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def version(self, tournament_id: str) -> int:
        """Return the version of a tournament, 0 if there is none."""
        query = select(func.max(tournament_events.c.version)).where(
            tournament_events.c.tournament_id == tournament_id
        )
        return await self._store.read(lambda connection: connection.execute(query).scalar() or 0)

    async def load(self, tournament_id: str) -> HostedTournament | None:
        """Rebuild a tournament from its events."""
        return await self._store.read(partial(load_tournament, tournament_id=tournament_id))

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
            "public": hosted.public,
            "starts_at": hosted.starts_at,
            "min_players": hosted.min_players,
            "recurring_id": hosted.recurring_id,
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
                if known is not None:
                    after = Tournament.of([known]) if after is None else after.after(known)
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
        changes: Row = {"updated_at": now}
        if after is not None:
            cancelled = hosted.cancelled is not None or any(isinstance(one, Cancelled) for one in events)
            state = tournament_state(after, is_cancelled=cancelled)
            over = state in ("finished", "cancelled")
            changes |= {"over": over, "state": state, "summary": summary_row(after)}
        changed = update(tournaments).where(tournaments.c.id == hosted.id).values(changes)

        players = [
            {"user_id": event.user_id, "tournament_id": hosted.id}
            for event in events
            if isinstance(event, UserEntered)
        ]

        def write(connection: Connection) -> None:
            connection.execute(insert(tournament_events), rows)
            connection.execute(changed)
            if players:
                connection.execute(insert(tournament_players), players)

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


def load_tournament(connection: Connection, tournament_id: str) -> HostedTournament | None:
    """Rebuild a tournament from its events; None if there is none."""
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
        row["public"],
        row["starts_at"],
        row["min_players"],
        row["recurring_id"],
        updated_at=row["updated_at"],
    )
    query = select(tournament_events).where(tournament_events.c.tournament_id == tournament_id)
    for event in connection.execute(query.order_by(tournament_events.c.version)).mappings():
        hosted.apply(event_from_stored(event["data"]), event["at"])
    return hosted if hosted.tournament is not None else None
