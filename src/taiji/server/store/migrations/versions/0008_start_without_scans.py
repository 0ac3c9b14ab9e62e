"""The queue of games to rate, the players of tournaments, and indexes: no start or page scans all games"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ADDED = {
    "ix_tables_status_opponent_updated_at": ("tables", ["status", "opponent", "updated_at"]),
    "ix_tables_first_id_status_updated_at": ("tables", ["first_id", "status", "updated_at"]),
    "ix_tables_second_id_status_updated_at": ("tables", ["second_id", "status", "updated_at"]),
    "ix_ratings_game_rating": ("ratings", ["game", "rating"]),
    "ix_rating_history_table_id": ("rating_history", ["table_id"]),
    "ix_reviews_state": ("reviews", ["state"]),
    "ix_seat_links_link_type_expires_at": ("seat_links", ["link_type", "expires_at"]),
    "ix_accounts_account_type": ("accounts", ["account_type"]),
}
REMOVED = {
    "ix_tables_status_updated_at": ["status", "updated_at"],
    "ix_tables_first_id_updated_at": ["first_id", "updated_at"],
    "ix_tables_second_id_updated_at": ["second_id", "updated_at"],
}
CHALLENGED = "ix_tables_challenged_id_status_updated_at"


def upgrade() -> None:
    """Go to the newer schema."""
    op.create_table(
        "rating_queue",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_rating_queue_table_id"),
        sa.PrimaryKeyConstraint("table_id", name="pk_rating_queue"),
    )
    op.create_table(
        "tournament_players",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("tournament_id", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_tournament_players_tournament_id"
        ),
        sa.PrimaryKeyConstraint("user_id", "tournament_id", name="pk_tournament_players"),
    )
    for name in REMOVED:
        op.drop_index(name, table_name="tables")
    for name, (table, columns) in ADDED.items():
        op.create_index(name, table, columns)
    known = sa.text("challenged_id IS NOT NULL")
    columns = ["challenged_id", "status", "updated_at"]
    op.create_index(CHALLENGED, "tables", columns, sqlite_where=known, postgresql_where=known)
    _fill_rating_queue()
    _fill_tournament_players()


def downgrade() -> None:
    """Go back to the older schema."""
    op.drop_index(CHALLENGED, table_name="tables")
    for name, (table, _) in ADDED.items():
        op.drop_index(name, table_name=table)
    for name, columns in REMOVED.items():
        op.create_index(name, "tables", columns)
    op.drop_table("tournament_players")
    op.drop_table("rating_queue")


def _fill_rating_queue() -> None:
    """Queue the rated games that ended just before the server stopped."""
    connection = op.get_bind()
    names = [sa.column(name, sa.String) for name in ("id", "status")]
    result = sa.column("result", sa.JSON(none_as_null=True))
    tables = sa.table("tables", *names, sa.column("rated", sa.Boolean), result)
    history = sa.table("rating_history", sa.column("table_id"))
    done = sa.select(history.c.table_id).where(history.c.table_id == tables.c.id).exists()
    query = sa.select(tables.c.id, tables.c.result).where(tables.c.rated, tables.c.status == "over", ~done)
    ids = [row.id for row in connection.execute(query) if row.result and row.result["ended_by"] != "aborted"]
    queue = sa.table("rating_queue", sa.column("table_id"))
    if ids:
        connection.execute(sa.insert(queue), [{"table_id": one} for one in ids])


def _fill_tournament_players() -> None:
    connection = op.get_bind()
    data = sa.column("data", sa.JSON(none_as_null=True))
    stored = sa.table("tournament_events", sa.column("tournament_id"), data)
    players = {
        (row.data["person"], row.tournament_id)
        for row in connection.execute(sa.select(stored))
        if "person" in row.data
    }
    table = sa.table("tournament_players", sa.column("user_id"), sa.column("tournament_id"))
    if players:
        rows = [{"user_id": user, "tournament_id": identity} for user, identity in sorted(players)]
        connection.execute(sa.insert(table), rows)
