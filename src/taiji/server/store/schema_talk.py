"""The tables about talk and notices: blocks, reports and phrases; notifications, pushes and vacations."""

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
    Text,
    UniqueConstraint,
)

from taiji.server.store.schema_base import metadata

blocks = Table(
    "blocks",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("blocker_id", String(32), nullable=False),
    Column("blocked_id", String(32), nullable=False, index=True),
    Column("name", String(24)),  # of the blocked player at that time
    Column("guest", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("blocker_id", "blocked_id"),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("reporter_id", String(32), nullable=False, index=True),
    Column("reported_id", String(32), nullable=False, index=True),
    Column("table_id", String(16)),
    Column("reason", String(16), nullable=False),
    Column("comment", String(200), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),  # an operator has read it
    Index(None, "closed_at", "created_at"),
)

phrases = Table(
    "phrases",
    metadata,
    # The primary key prevents a phrase from being said twice after a lost acknowledgement.
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seat", String(6), primary_key=True),
    Column("request_id", String(40), primary_key=True),
    Column("phrase", String(16), nullable=False),
    Column("at", BigInteger, nullable=False),
)

server_keys = Table(
    "server_keys",
    metadata,
    # Keys of the server itself, made at its first start: with that of pushes it proves who sends them.
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    # A browser that receives pushes, for as long as its session lasts.
    Column("hash", String(64), primary_key=True),  # of the endpoint
    Column("session_id", String(32), nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(88), nullable=False),
    Column("auth", String(24), nullable=False),
    Column("language", String(2), nullable=False),
    Column("failures", SmallInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

notifications = Table(
    "notifications",
    metadata,
    # One row per user, kind and table: a new notification replaces the one before.
    Column("user_id", String(32), primary_key=True),
    Column("kind", String(12), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("version", Integer, nullable=False),  # of the table: an older one does not replace a newer one
    Column("data", JSON(none_as_null=True), nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    Column("read_at", BigInteger),
)

notification_settings = Table(
    "notification_settings",
    metadata,
    Column("user_id", String(32), primary_key=True),
    Column("data", JSON(none_as_null=True), nullable=False),
)

vacations = Table(
    "vacations",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("user_id", String(32), nullable=False, index=True),
    Column("started_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False, index=True),
    Column("days", SmallInteger, nullable=False),  # of the year in which it started
)
