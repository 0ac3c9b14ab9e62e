"""The export: everything the server stores about a user, as one JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select

from taiji.notation import format_record
from taiji.server.identity.recovery import count_unused
from taiji.server.jobs.record_store import table_record
from taiji.server.store import audit, queries
from taiji.server.store.follows import followed_by
from taiji.server.store.player_names import find_tables, find_tournaments
from taiji.server.store.schema import (
    accounts,
    rating_history,
    ratings,
    records,
    reviews,
    seat_links,
    sessions,
    tokens,
    visitors,
)
from taiji.server.store.schema_people import puzzle_ratings, puzzle_tries
from taiji.server.store.schema_talk import (
    blocks,
    notification_settings,
    notifications,
    push_subscriptions,
    reports,
    vacations,
)
from taiji.server.store.schema_tournaments import tournament_events, tournaments

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

    from taiji.server.identity.users import User

EXPORT_FORMAT = 1
SECRETS = {
    "password", "hash", "secret", "invite", "look_key", "name_key", "endpoint", "p256dh", "auth",
    "blocked_id", "reported_id",
}  # fmt: skip
"""Columns that are hashes, secrets or keys for comparison."""


def export_user(connection: Connection, user: User, now: int) -> dict[str, Any]:
    """Return what is stored about a user; secrets are stored as hashes and left out."""
    mine = sorted(user.ids)
    document: dict[str, Any] = {
        "format": EXPORT_FORMAT,
        "exported_at": now,
        "name": user.name,
        "guests": _rows(connection, select(visitors).where(visitors.c.id.in_(mine))),
        "games": [_game(connection, table_id, user) for table_id in find_tables(connection, mine)],
        "records": _rows(connection, select(records).where(records.c.owner_id.in_(mine))),
        "reviews": _rows(connection, select(reviews).where(reviews.c.owner_id.in_(mine))),
        "seat_links": _rows(connection, select(seat_links).where(seat_links.c.creator_id.in_(mine))),
        "puzzle_tries": _rows(connection, select(puzzle_tries).where(puzzle_tries.c.user_id.in_(mine))),
        "tournaments": _tournaments(connection, mine),
        "following": [{"name": one.name} for one in followed_by(connection, mine)],
    }
    owners: list[ColumnElement[bool]] = [sessions.c.visitor_id.in_(mine)]
    if user.account is not None:
        identity = user.account.id
        owners.append(sessions.c.account_id == identity)
        document["account"] = _rows(connection, select(accounts).where(accounts.c.id == identity))[0]
        document["recovery_codes_left"] = count_unused(connection, identity)
        for name, table in (
            ("tokens", tokens),
            ("ratings", ratings),
            ("rating_history", rating_history),
            ("puzzles", puzzle_ratings),
        ):
            document[name] = _rows(connection, select(table).where(table.c.account_id == identity))
        document["log"] = [
            {"at": entry.at, "action": entry.action, "by_operator": entry.actor != audit.OWNER}
            for entry in audit.latest_entries(connection, 1000, identity)
            if entry.action != "close-report"
        ]
    document["sessions"] = _rows(connection, select(sessions).where(or_(*owners)))
    document |= _talk(connection, mine)
    pushed = push_subscriptions.c.session_id.in_(select(sessions.c.id).where(or_(*owners)))
    document["push_subscriptions"] = _rows(connection, select(push_subscriptions).where(pushed))
    return document


def _talk(connection: Connection, mine: list[str]) -> dict[str, Any]:
    """Return whom a user has blocked and reported, and the user's notifications and vacations.

    What others have reported about the user is theirs, and left out.
    """
    parts = {
        "blocks": blocks.c.blocker_id,
        "reports": reports.c.reporter_id,
        "notifications": notifications.c.user_id,
        "notification_settings": notification_settings.c.user_id,
        "vacations": vacations.c.user_id,
    }
    return {
        name: _rows(connection, select(column.table).where(column.in_(mine)))
        for name, column in parts.items()
    }


def _rows(connection: Connection, query: Select[Any]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in dict(row).items() if key not in SECRETS}
        for row in connection.execute(query).mappings()
    ]


def _game(connection: Connection, table_id: str, user: User) -> dict[str, Any]:
    """Return a game with its record, as its page shows it."""
    loaded = queries.load_table(connection, table_id)
    assert loaded is not None
    table = loaded[0]
    seat = table.find_seat(user.ids)
    return {
        "id": table.id,
        "game": table.settings.game,
        "status": table.status,
        "your_seat": None if seat is None else seat.name.lower(),
        "created_at": table.created_at,
        "record": format_record(table_record(table)),
    }


def _tournaments(connection: Connection, mine: list[str]) -> list[dict[str, Any]]:
    """Return the tournaments that a user organises or has entered, with the user's own actions."""
    organised = connection.execute(
        select(tournaments.c.id).where(tournaments.c.organiser_id.in_(mine))
    ).scalars()
    ids = sorted({*organised, *find_tournaments(connection, mine)})
    actions = select(
        tournament_events.c.tournament_id, tournament_events.c.at, tournament_events.c.data
    ).where(tournament_events.c.tournament_id.in_(ids), tournament_events.c.actor_id.in_(mine))
    rows = _rows(connection, select(tournaments).where(tournaments.c.id.in_(ids)))
    mine_by_id: dict[str, list[dict[str, Any]]] = {}
    for row in connection.execute(actions).mappings():
        mine_by_id.setdefault(row["tournament_id"], []).append({"at": row["at"], **row["data"]})
    return [{**row, "actions": mine_by_id.get(row["id"], [])} for row in rows]
