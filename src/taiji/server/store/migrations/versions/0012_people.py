"""Whom people follow, their results and puzzles, pairings, and small pictures of positions"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

PUBLIC = ("open", "player")
BATCH = 5000
INDEXES = {
    "ix_follows_followed_id": ("follows", ["followed_id"]),
    "ix_game_results_account_id_at": ("game_results", ["account_id", "at"]),
    "ix_game_results_account_id_opponent_id_game_points": (
        "game_results",
        ["account_id", "opponent_id", "game", "points"],
    ),
    "ix_pairing_slots_user_id": ("pairing_slots", ["user_id"]),
    "ix_pair_requests_at": ("pair_requests", ["at"]),
}


def upgrade() -> None:
    """Go to the newer schema."""
    op.add_column("tables", sa.Column("thumbnail", sa.String(160)))
    op.create_table(
        "follows",
        sa.Column("follower_id", sa.String(32), nullable=False),
        sa.Column("followed_id", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("follower_id", "followed_id", name="pk_follows"),
    )
    op.create_table(
        "game_results",
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(400), nullable=False),
        sa.Column("opponent_id", sa.String(32)),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "table_id", name="pk_game_results"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Integer()),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name="pk_puzzle_ratings"),
    )
    op.create_table(
        "pairing_slots",
        sa.Column("settings_key", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("settings_key", name="pk_pairing_slots"),
    )
    op.create_table(
        "pair_requests",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("request_id", sa.String(60), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "request_id", name="pk_pair_requests"),
    )
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)
    _fill_results()


def downgrade() -> None:
    """Go back to the older schema."""
    for name, (table, _) in INDEXES.items():
        op.drop_index(name, table_name=table)
    for table in ("pair_requests", "pairing_slots", "puzzle_ratings", "game_results", "follows"):
        op.drop_table(table)
    op.drop_column("tables", "thumbnail")


def _fill_results() -> None:
    """Write the results of the public games that accounts have finished."""
    connection = op.get_bind()
    names = ("id", "game", "status", "opponent", "first_id", "second_id")
    result = sa.column("result", sa.JSON(none_as_null=True))
    columns = [sa.column(name, sa.String) for name in names]
    tables = sa.table("tables", *columns, result, sa.column("updated_at", sa.BigInteger))
    accounts = sa.table("accounts", sa.column("id", sa.String))
    results = sa.table(
        "game_results",
        *(sa.column(name) for name in ("account_id", "table_id", "game", "opponent_id", "points", "at")),
    )
    known = set(connection.execute(sa.select(accounts.c.id)).scalars())
    finished = (tables.c.status == "over", tables.c.opponent.in_(PUBLIC))
    last = ""
    while True:
        query = sa.select(tables).where(*finished, tables.c.id > last).order_by(tables.c.id).limit(BATCH)
        games = connection.execute(query).fetchall()
        if not games:
            return
        last = games[-1].id
        rows = [row for game in games for row in _results(game, known)]
        if rows:
            connection.execute(sa.insert(results), rows)


def _results(game: Any, known: set[str]) -> Iterator[dict[str, Any]]:
    """Yield a row for each account that played a game to its end."""
    if game.result is None or game.result["ended_by"] == "aborted":
        return
    winner = game.result["winner"]
    sides = (("first", game.first_id, game.second_id), ("second", game.second_id, game.first_id))
    for seat, account, other in sides:
        if account in known:
            yield {
                "account_id": account,
                "table_id": game.id,
                "game": game.game,
                "opponent_id": other if other in known else None,
                "points": 0.5 if winner is None else float(winner == seat),
                "at": game.updated_at,
            }
