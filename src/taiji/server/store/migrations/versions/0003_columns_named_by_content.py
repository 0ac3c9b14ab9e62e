"""Columns named by content, and a format on every stored event"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

RENAMED = (
    ("accounts", "kind", "account_type"),
    ("accounts", "created", "created_at"),
    ("visitors", "account", "account_id"),
    ("visitors", "created", "created_at"),
    ("tokens", "account", "account_id"),
    ("tokens", "created", "created_at"),
    ("tokens", "used", "last_used_at"),
    ("ratings", "account", "account_id"),
    ("ratings", "updated", "updated_at"),
    ("rating_history", "account", "account_id"),
    ("rating_history", "opponent", "opponent_id"),
    ("tables", "rule", "match_rule"),
    ("tables", "maker", "creator_id"),
    ("tables", "challenged", "challenged_id"),
    ("tables", "match_number", "match_game_no"),
    ("tables", "created", "created_at"),
    ("tables", "updated", "updated_at"),
    ("events", "kind", "event_type"),
    ("events", "client", "request_id"),
    ("seat_links", "plain", "secret"),
    ("seat_links", "kind", "link_type"),
    ("seat_links", "created", "created_at"),
    ("records", "owner", "owner_id"),
    ("records", "created", "created_at"),
    ("reviews", "owner", "owner_id"),
    ("reviews", "created", "created_at"),
    ("tournaments", "organiser", "organiser_id"),
    ("tournaments", "created", "created_at"),
    ("tournaments", "updated", "updated_at"),
    ("tournament_events", "who", "actor_id"),
)
INDEXES = (
    ("visitors", ("account",), ("account_id",)),
    ("tokens", ("account",), ("account_id",)),
    ("rating_history", ("account", "game", "at"), ("account_id", "game", "at")),
    ("tables", ("first_id", "updated"), ("first_id", "updated_at")),
    ("tables", ("second_id", "updated"), ("second_id", "updated_at")),
    ("tables", ("status", "updated"), ("status", "updated_at")),
    ("records", ("owner",), ("owner_id",)),
    ("reviews", ("owner",), ("owner_id",)),
    ("tournaments", ("organiser",), ("organiser_id",)),
    ("tournaments", ("over", "updated"), ("over", "updated_at")),
)
CONSTRAINTS = (
    ("visitors", "fk_visitors_account", "fk_visitors_account_id"),
    ("tokens", "fk_tokens_account", "fk_tokens_account_id"),
    ("ratings", "fk_ratings_account", "fk_ratings_account_id"),
    ("rating_history", "fk_rating_history_account", "fk_rating_history_account_id"),
    ("rating_history", "fk_rating_history_opponent", "fk_rating_history_opponent_id"),
    ("seat_links", "pk_secrets", "pk_seat_links"),
    ("seat_links", "fk_secrets_table_id", "fk_seat_links_table_id"),
)

Change = Callable[[dict[str, Any]], dict[str, Any]]


def upgrade() -> None:
    """Go to the newer schema."""
    for table, old, _ in INDEXES:
        op.drop_index(_index(table, old), table_name=table)
    op.drop_index("ix_secrets_table_id", table_name="secrets")
    op.rename_table("secrets", "seat_links")
    for table, before, after in RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")
    for table, _, new in INDEXES:
        op.create_index(_index(table, new), table, list(new))
    op.create_index("ix_seat_links_table_id", "seat_links", ["table_id"])
    _rename_constraints([(table, old, new) for table, old, new in CONSTRAINTS])
    for table in ("events", "tournament_events"):
        op.add_column(table, sa.Column("format", sa.SmallInteger(), nullable=False, server_default="1"))
    _rewrite("tables", {"clock_rule": _clock, "seats": _seats, "result": _result, "match_result": _result})
    _rewrite("tournaments", {"clock_rule": _clock})


def downgrade() -> None:
    """Go back to the older schema; events written since then stay in their newer format."""
    _rewrite("tournaments", {"clock_rule": _old_clock})
    _rewrite(
        "tables",
        {"clock_rule": _old_clock, "seats": _old_seats, "result": _old_result, "match_result": _old_result},
    )
    for table in ("events", "tournament_events"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("format")
    _rename_constraints([(table, new, old) for table, old, new in CONSTRAINTS])
    op.drop_index("ix_seat_links_table_id", table_name="seat_links")
    for table, _, new in INDEXES:
        op.drop_index(_index(table, new), table_name=table)
    for table, before, after in RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {after} TO {before}")
    op.rename_table("seat_links", "secrets")
    op.create_index("ix_secrets_table_id", "secrets", ["table_id"])
    for table, old, _ in INDEXES:
        op.create_index(_index(table, old), table, list(old))


def _index(table: str, columns: tuple[str, ...]) -> str:
    return f"ix_{table}_{'_'.join(columns)}"


def _rename_constraints(renames: list[tuple[str, str, str]]) -> None:
    """Rename constraints on PostgreSQL; SQLite keeps the old names, which nothing refers to."""
    if op.get_bind().dialect.name == "postgresql":
        for table, before, after in renames:
            op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {before} TO {after}")


def _rewrite(name: str, changes: dict[str, Change]) -> None:
    """Rewrite JSON columns of a table row by row."""
    connection = op.get_bind()
    columns = [sa.column(column, sa.JSON(none_as_null=True)) for column in changes]
    table = sa.table(name, sa.column("id", sa.String), *columns)
    for row in connection.execute(sa.select(table)).mappings().all():
        values = {key: None if row[key] is None else change(row[key]) for key, change in changes.items()}
        connection.execute(sa.update(table).where(table.c.id == row["id"]).values(values))


def _renamed(data: dict[str, Any], before: str, after: str) -> dict[str, Any]:
    return {after if key == before else key: value for key, value in data.items()}


def _clock(data: dict[str, Any]) -> dict[str, Any]:
    return _renamed(data, "kind", "clock_type")


def _old_clock(data: dict[str, Any]) -> dict[str, Any]:
    return _renamed(data, "clock_type", "kind")


def _result(data: dict[str, Any]) -> dict[str, Any]:
    return _renamed(data, "by", "ended_by")


def _old_result(data: dict[str, Any]) -> dict[str, Any]:
    return _renamed(data, "ended_by", "by")


def _seats(data: dict[str, Any]) -> dict[str, Any]:
    return {seat: player and _renamed(player, "kind", "account_type") for seat, player in data.items()}


def _old_seats(data: dict[str, Any]) -> dict[str, Any]:
    return {seat: player and _renamed(player, "account_type", "kind") for seat, player in data.items()}
