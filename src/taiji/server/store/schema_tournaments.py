"""The tables about tournaments: their events, their players, and those that recur."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    false,
)

from taiji.server.store.schema_base import metadata

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("organiser_id", String(32), nullable=False, index=True),
    Column("invite", String(64), nullable=False),
    Column("edition", String(60)),
    Column("clock_rule", JSON(none_as_null=True)),
    Column("rated", Boolean, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("public", Boolean, nullable=False, server_default=false()),  # listed, and open to everyone
    Column("state", String(10), nullable=False, server_default=""),  # upcoming, running, finished, cancelled
    Column("starts_at", BigInteger),  # when the server starts it
    Column("min_players", SmallInteger, nullable=False, server_default="2"),
    Column("recurring_id", String(16)),
    Column("summary", JSON(none_as_null=True)),  # for lists; None in tournaments of earlier versions
    Index(None, "over", "updated_at"),
    Index(None, "public", "state", "updated_at"),
    Index(None, "state", "starts_at"),
    # An occurrence of a recurring tournament is created once, whatever servers try to.
    Index(None, "recurring_id", "starts_at", unique=True),
)

recurring_tournaments = Table(
    "recurring_tournaments",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("settings", JSON(none_as_null=True), nullable=False),  # as a request for a new tournament
    Column("weekday", SmallInteger, nullable=False),  # 0 is Monday
    Column("minute", SmallInteger, nullable=False),  # of the day
    Column("timezone", String(60), nullable=False),
    Column("min_players", SmallInteger, nullable=False),
    Column("ahead_days", SmallInteger, nullable=False),  # how long before its start one is announced
    Column("enabled", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("format", SmallInteger, nullable=False, server_default="1"),
    Column("actor_id", String(32), nullable=False),  # empty if the server did it
    Column("data", JSON(none_as_null=True), nullable=False),
)

tournament_players = Table(
    "tournament_players",
    metadata,
    Column("user_id", String(32), primary_key=True),
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
)
