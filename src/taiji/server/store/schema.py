"""The tables of the database, the same on SQLite and PostgreSQL; migrations bring an older one up to this."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
)

HEAD = "0002"
"""The newest migration; a database that is there needs no migrating, and the server starts the faster."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(24), nullable=False),
    Column(
        "name_key", String(24), nullable=False, unique=True
    ),  # lower case: two names differ in more than case
    Column("password", String(200), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("created", BigInteger, nullable=False),
)

visitors = Table(
    "visitors",
    metadata,
    # Derived from the cookie by a hash: whoever reads the database cannot sit down for anybody.
    Column("id", String(32), primary_key=True),
    Column("name", String(24)),
    Column("account", ForeignKey("accounts.id"), index=True),
    Column("signed_in", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("account", ForeignKey("accounts.id"), nullable=False, index=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("label", String(60), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
)

ratings = Table(
    "ratings",
    metadata,
    Column("account", ForeignKey("accounts.id"), primary_key=True),
    Column("game", String(400), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated", BigInteger, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    # What was agreed.
    Column("game", String(400), nullable=False),
    Column("edition", String(60)),
    Column("rule", String(20), nullable=False),
    Column("opponent", String(12), nullable=False),
    Column("clock_rule", JSON(none_as_null=True)),
    Column("takebacks", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("maker", String(32), nullable=False),
    Column("challenged", String(32)),
    Column("match_id", String(16), index=True),
    Column("match_number", SmallInteger),
    Column("match_other", String(16)),
    Column("match_carried", JSON(none_as_null=True)),
    Column("previous", String(16)),
    Column("created", BigInteger, nullable=False),
    # What the events have led to: for lists, and for the clocks after a restart.
    Column("version", Integer, nullable=False),
    Column("status", String(8), nullable=False),
    Column("first_id", String(32)),
    Column("second_id", String(32)),
    Column("seats", JSON(none_as_null=True), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("turn", String(6)),
    Column("scores", JSON(none_as_null=True), nullable=False),
    Column("clock", JSON(none_as_null=True)),
    Column("deadline", BigInteger),
    Column("result", JSON(none_as_null=True)),
    Column("match_result", JSON(none_as_null=True)),
    Column("updated", BigInteger, nullable=False),
    Index(None, "status", "deadline"),
    Index(None, "status", "updated"),
    Index(None, "first_id", "updated"),
    Index(None, "second_id", "updated"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("data", JSON(none_as_null=True), nullable=False),
    Column("clock", JSON(none_as_null=True)),
    Column("client", String(60)),
)

seat_links = Table(
    "secrets",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("plain", String(64)),  # only of a join link: its maker looks at it until somebody has joined
    Column("table_id", ForeignKey("tables.id"), nullable=False, index=True),
    Column("seat", String(6), nullable=False),
    Column("kind", String(8), nullable=False),  # "join": the free seat; "seat": a seat on one more device
    Column("created", BigInteger, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("owner", String(32), nullable=False, index=True),
    Column("game", String(400), nullable=False),
    Column("text", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

reviews = Table(
    "reviews",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("owner", String(32), nullable=False, index=True),
    Column("table_id", String(16)),
    Column("record_id", String(16)),
    Column("state", String(10), nullable=False),
    Column("data", JSON(none_as_null=True), nullable=False),
    Column("created", BigInteger, nullable=False),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("process", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("organiser", String(32), nullable=False, index=True),
    Column("invite", String(64), nullable=False),
    Column("edition", String(60)),
    Column("clock_rule", JSON(none_as_null=True)),
    Column("rated", Boolean, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index(None, "over", "updated"),
)

tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("who", String(32), nullable=False),  # who did it; empty where the server did
    Column("data", JSON(none_as_null=True), nullable=False),
)

rating_history = Table(
    "rating_history",
    metadata,
    # The key is what keeps a game from being counted twice.
    Column("account", ForeignKey("accounts.id"), primary_key=True),
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("game", String(400), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("points", Float, nullable=False),
    Column("opponent", ForeignKey("accounts.id"), nullable=False),
    Index(None, "account", "game", "at"),
)
