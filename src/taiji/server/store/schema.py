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
    SmallInteger,
    String,
    Table,
    Text,
    false,
    text,
    true,
)

from taiji.server.store import schema_base, schema_people, schema_talk, schema_tournaments

HEAD = "0015"
"""The newest migration; a database that has it is not migrated, which makes the start faster."""

metadata = schema_base.metadata
PARTS = (schema_people, schema_talk, schema_tournaments)
"""Their tables belong to the same list."""

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(24), nullable=False),
    Column(
        "name_key", String(24), nullable=False, unique=True
    ),  # lower case: how a name is typed; of a deleted account its id
    # Names that look alike have the same key.
    Column("look_key", String(64), nullable=False, unique=True, index=True, server_default=""),
    Column("password", String(200), nullable=False),
    Column("account_type", String(8), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),  # an operator has closed it: nobody can sign in
    Column("muted_at", BigInteger),  # an operator has muted it: it addresses no strangers
    Column("deleted_at", BigInteger),  # its owner has deleted it: only the id and the look key are left
)

visitors = Table(
    "visitors",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(24)),
    Column("look_key", String(64), index=True),  # of a chosen name
    Column("account_id", ForeignKey("accounts.id"), index=True),  # the account that took over the games
    Column("created_at", BigInteger, nullable=False),
    Column("legacy_until", BigInteger),  # until when a cookie of version 0.1 is exchanged for a session
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),
    # A hash of the token: the database alone does not let anyone play for a user.
    Column("hash", String(64), nullable=False, unique=True),
    Column("visitor_id", ForeignKey("visitors.id"), index=True),  # of a guest
    Column("account_id", ForeignKey("accounts.id"), index=True),  # of a user who is signed in
    Column("last_account_id", String(32)),  # the account that was signed in before in this browser
    Column("device", String(60), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("last_used_at", BigInteger),  # None until it is used again
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("account_id", ForeignKey("accounts.id"), nullable=False, index=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("label", String(60), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("last_used_at", BigInteger),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("account_id", ForeignKey("accounts.id"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", String(60), nullable=False),
    Column("action", String(24), nullable=False),
    Column("account_id", String(32), index=True),
    Column("name", String(24)),
    Column("detail", String(200), nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("account_id", ForeignKey("accounts.id"), primary_key=True),
    Column("game", String(400), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Index(None, "game", "rating"),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    # What was agreed before the game.
    Column("game", String(400), nullable=False),
    Column("edition", String(60)),
    Column("match_rule", String(20), nullable=False),
    Column("opponent", String(12), nullable=False),
    Column("clock_rule", JSON(none_as_null=True)),
    Column("takebacks", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("creator_id", String(32), nullable=False),
    Column("challenged_id", String(32)),
    Column("match_id", String(16), index=True),
    Column("match_game_no", SmallInteger),
    Column("match_other", String(16)),
    Column("match_carried", JSON(none_as_null=True)),
    Column("previous", String(16)),
    Column(
        "tournament_id", String(16)
    ),  # None also in games of earlier versions, whose tournaments are private
    Column("created_at", BigInteger, nullable=False),
    # The result of the events so far: for lists, and for the clocks after a restart.
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
    Column("thumbnail", String(160)),  # the position as a small picture; None in games of earlier versions
    Column("updated_at", BigInteger, nullable=False),
    Index(None, "status", "deadline"),
    Index(None, "status", "opponent", "updated_at"),
    Index(None, "first_id", "status", "updated_at"),
    Index(None, "second_id", "status", "updated_at"),
    Index(
        None,
        "challenged_id",
        "status",
        "updated_at",
        sqlite_where=text("challenged_id IS NOT NULL"),
        postgresql_where=text("challenged_id IS NOT NULL"),
    ),
)

events = Table(
    "events",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("event_type", String(20), nullable=False),
    Column("format", SmallInteger, nullable=False, server_default="1"),
    Column("at", BigInteger, nullable=False),
    Column("data", JSON(none_as_null=True), nullable=False),
    Column("clock", JSON(none_as_null=True)),
    Column("request_id", String(60)),
)

seat_links = Table(
    "seat_links",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("secret", String(64)),  # only of a join link: its creator sees it until somebody has joined
    Column("table_id", ForeignKey("tables.id"), nullable=False, index=True),
    Column("seat", String(6), nullable=False),
    Column("link_type", String(8), nullable=False),  # "join": the free seat; "seat": on one more device
    Column("created_at", BigInteger, nullable=False),
    Column("creator_id", String(32), index=True),
    Column("expires_at", BigInteger),
    Column("used_at", BigInteger),
    Column("used_by", String(32)),
    Index(None, "link_type", "expires_at"),
)

records = Table(
    "records",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("owner_id", String(32), nullable=False, index=True),
    Column("game", String(400), nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

reviews = Table(
    "reviews",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("owner_id", String(32), nullable=False, index=True),
    Column("table_id", String(16), index=True),
    Column("record_id", String(16), index=True),
    Column("state", String(10), nullable=False, index=True),
    Column("shared", Boolean, nullable=False, server_default=true()),
    Column("data", JSON(none_as_null=True), nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("process", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

nodes = Table(
    "nodes",
    metadata,
    # A server that uses the database, under a new id each time it starts.
    Column("id", String(32), primary_key=True),
    Column("process", String(120), nullable=False),
    Column("shares", Boolean, nullable=False),  # whether it shares the database with others
    Column("joined_at", BigInteger, nullable=False),
    Column("lease_until", BigInteger, nullable=False),
    Column("leaving", Boolean, nullable=False, server_default=false()),  # it hands its shards over
    Column("dead", Boolean, nullable=False),
)

shards = Table(
    "shards",
    metadata,
    # A group of tables and tournaments, which one server owns.
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("node_id", String(32)),
    Column("epoch", BigInteger, nullable=False),  # counts the changes of the owner
    Column("gone_at", BigInteger),  # when the last owner was known to live
)

rating_history = Table(
    "rating_history",
    metadata,
    # The primary key prevents a game from being rated twice.
    Column("account_id", ForeignKey("accounts.id"), primary_key=True),
    Column("table_id", ForeignKey("tables.id"), primary_key=True, index=True),
    Column("game", String(400), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("points", Float, nullable=False),
    Column("opponent_id", ForeignKey("accounts.id"), nullable=False),
    Index(None, "account_id", "game", "at"),
)

rating_queue = Table(
    "rating_queue",
    metadata,
    # A rated game from its end until it is rated: a start need not search all games for those that are not.
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
)

opening_queue = Table(
    "opening_queue",
    metadata,
    # A public game between people from its end until its opening is counted.
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
)

openings = Table(
    "openings",
    metadata,
    # Positions up to symmetry, and the finished games that reached them.
    Column("game", String(400), primary_key=True),
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("games", Integer, nullable=False),
    Column("light_wins", Float, nullable=False),
    Column("scored", Integer, nullable=False),  # games played to their end
    Column("margin", Float, nullable=False),  # of Light, the sum over these
)
