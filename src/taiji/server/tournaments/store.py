"""The tournaments on disk: what happens is written first, with all that belongs to it in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from taiji.arena.tournaments import TournamentError, event_from_json
from taiji.server.contract.errors import ApiError
from taiji.server.store.schema import tournament_events, tournaments
from taiji.server.tournaments.hosted import SEATED, HostedTournament

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

Work = Callable[["Connection"], None]
Data = dict[str, Any]


class TournamentStore:
    """Reads tournaments and writes their events."""

    def __init__(self, store: Store, times: TimeSource) -> None:
        self._store = store
        self._times = times

    async def unfinished(self) -> list[str]:
        """Return the tournaments that are not over."""
        query = select(tournaments.c.id).where(tournaments.c.over.is_(False))
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def latest(self, limit: int) -> list[str]:
        """Return the tournaments in which something happened last."""
        query = select(tournaments.c.id).order_by(tournaments.c.updated.desc()).limit(limit)
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def load(self, contest_id: str) -> HostedTournament | None:
        """Rebuild a tournament from its events."""
        return await self._store.read(partial(_load, contest_id=contest_id))

    async def events(self, contest_id: str) -> list[Data]:
        """Return everything that happened in a tournament: when, who and what."""
        query = select(tournament_events).where(tournament_events.c.tournament_id == contest_id)
        ordered = query.order_by(tournament_events.c.version)
        return await self._store.read(lambda c: [dict(row) for row in c.execute(ordered).mappings()])

    async def create(self, contest: HostedTournament, created: Data, who: str) -> None:
        """Write down a new tournament."""
        row = {
            "id": contest.id,
            "organiser": contest.organiser,
            "invite": contest.invite,
            "edition": contest.edition,
            "clock_rule": contest.clock,
            "rated": contest.rated,
            "over": False,
            "created": contest.created,
            "updated": contest.created,
        }
        writing, happen = self.entry(contest, [created], who)

        def write(connection: Connection) -> None:
            connection.execute(insert(tournaments), [row])
            writing(connection)

        await self._store.write(write)
        happen()

    async def add(self, contest: HostedTournament, happened: Sequence[Data], who: str) -> None:
        """Write events down, all or none, then let them happen: nothing is seen that is not on disk."""
        writing, happen = self.entry(contest, happened, who)
        await self._store.write(writing)
        happen()

    def entry(
        self, contest: HostedTournament, happened: Sequence[Data], who: str
    ) -> tuple[Work, Callable[[], None]]:
        """Return what writes events down, and what lets them happen after that; refuse what the rules refuse.

        Whoever has more to write does it in the same transaction.
        """
        now = self._times.now()
        after = contest.tournament
        try:
            for data in happened:
                if data["event"] != SEATED and after is not None:
                    after = after.after(event_from_json(data))
        except TournamentError as error:
            raise ApiError("tournament", str(error)) from error
        rows = [
            {
                "tournament_id": contest.id,
                "version": contest.version + place,
                "at": now,
                "who": who,
                "data": data,
            }
            for place, data in enumerate(happened, 1)
        ]
        over = after is not None and after.over
        changed = update(tournaments).where(tournaments.c.id == contest.id).values(updated=now, over=over)

        def write(connection: Connection) -> None:
            connection.execute(insert(tournament_events), rows)
            connection.execute(changed)

        def happen() -> None:
            for data in happened:
                contest.apply(data, now)

        return write, happen


def _load(connection: Connection, contest_id: str) -> HostedTournament | None:
    row = connection.execute(select(tournaments).where(tournaments.c.id == contest_id)).mappings().first()
    if row is None:
        return None
    contest = HostedTournament(
        row["id"],
        row["organiser"],
        row["invite"],
        row["edition"],
        row["clock_rule"],
        row["rated"],
        row["created"],
        updated=row["updated"],
    )
    query = select(tournament_events).where(tournament_events.c.tournament_id == contest_id)
    for event in connection.execute(query.order_by(tournament_events.c.version)).mappings():
        contest.apply(event["data"], event["at"])
    return contest if contest.tournament is not None else None
