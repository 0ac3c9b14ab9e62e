"""The tables about people: whom they follow, their results, their puzzles, and who waits for a game."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, SmallInteger, String, Table

from taiji.server.store.schema_base import metadata

follows = Table(
    "follows",
    metadata,
    Column("follower_id", String(32), primary_key=True),  # a guest or an account
    Column("followed_id", String(32), primary_key=True, index=True),  # an account
    Column("at", BigInteger, nullable=False),
)

game_results = Table(
    "game_results",
    metadata,
    # A finished public game of an account: a row for each player, written with the end of the game.
    Column("account_id", String(32), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("game", String(400), nullable=False),
    Column("opponent_id", String(32)),  # None for a guest
    Column("points", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "account_id", "at"),
    # The sums of a player's page are read from this index alone.
    Index(None, "account_id", "opponent_id", "game", "points"),
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    # What the browser of an account reports about its puzzles.
    Column("account_id", String(32), primary_key=True),
    Column("rating", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("last_day", Integer),
    Column("shared", Boolean, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

pairing_slots = Table(
    "pairing_slots",
    metadata,
    # The last table made for a pairing; whoever replaces it names the one before, so only one can.
    Column("settings_key", String(64), primary_key=True),
    Column("table_id", String(16), nullable=False),
    Column("user_id", String(32), nullable=False, index=True),
    Column("at", BigInteger, nullable=False),
)

pair_requests = Table(
    "pair_requests",
    metadata,
    # What a request for a pairing led to, so that one that is sent again leads there too.
    Column("user_id", String(32), primary_key=True),
    Column("request_id", String(60), primary_key=True),
    Column("table_id", String(16), nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
)

puzzle_results = Table(
    "puzzle_results",
    metadata,
    # What people's first tries say of a puzzle of the package.
    Column("puzzle_id", String(60), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
)

puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    # The primary key prevents a second try from being counted.
    Column("user_id", String(32), primary_key=True),
    Column("puzzle_id", String(60), primary_key=True),
    Column("solved", Boolean, nullable=False),
    Column("rating", SmallInteger, nullable=False),  # the solver's own, before
    Column("at", BigInteger, nullable=False),
)
