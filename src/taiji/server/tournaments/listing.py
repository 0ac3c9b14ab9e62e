"""The public list of tournaments, read from their rows without loading them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from taiji.server.contract.tournaments import PublicTournament, PublicTournaments, TournamentState
from taiji.server.store.schema_tournaments import tournaments

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from taiji.arena.tournaments import Tournament
    from taiji.server.store.store import Store

MAX_CURRENT = 3
"""Tournaments of each state on the front page."""
PAGE = 20
"""Tournaments per page."""
MAX_OFFSET = 2000
STATES: dict[TournamentState, tuple[TournamentState, ...]] = {
    "upcoming": ("upcoming",),
    "running": ("running",),
    "finished": ("finished", "cancelled"),
}
"""The lists, each with the states in it; a cancelled tournament stays visible with its note."""


def summary_row(state: Tournament) -> dict[str, Any]:
    """Return what lists show of a tournament, as it is stored: no names of players, which may change."""
    settings = state.settings
    return {
        "name": settings.name,
        "format": settings.format.value,
        "game": settings.game,
        "players": sum(not entrant.withdrawn for entrant in state.entrants),
        "round": len(state.rounds),
        "total_rounds": state.total_rounds,
    }


async def public_tournaments(store: Store, state: TournamentState, offset: int) -> PublicTournaments:
    """Return a page of the public list in one state."""
    return await store.read(partial(_listed, state=state, offset=offset))


async def current_tournaments(store: Store) -> list[PublicTournament]:
    """Return the first public tournaments that run or are still to begin."""
    pages = [await public_tournaments(store, state, 0) for state in ("running", "upcoming")]
    return [one for page in pages for one in page.tournaments[:MAX_CURRENT]]


def _listed(connection: Connection, state: TournamentState, offset: int) -> PublicTournaments:
    wanted = (tournaments.c.public.is_(True), tournaments.c.state.in_(STATES[state]))
    query = select(tournaments).where(*wanted)
    if state == "upcoming":
        # Those without a time begin when their organiser says so.
        query = query.order_by(tournaments.c.starts_at.is_(None), tournaments.c.starts_at)
    query = query.order_by(tournaments.c.updated_at.desc()).offset(offset).limit(PAGE + 1)
    rows = [row for row in connection.execute(query).mappings() if row["summary"]]
    return PublicTournaments(tournaments=[_view(row) for row in rows[:PAGE]], more=len(rows) > PAGE)


def _view(row: RowMapping) -> PublicTournament:
    return PublicTournament(
        id=row["id"],
        edition=row["edition"],
        clock=row["clock_rule"],
        rated=row["rated"],
        state=row["state"],
        starts_at=row["starts_at"],
        recurring=row["recurring_id"] is not None,
        updated=row["updated_at"],
        **row["summary"],
    )
