"""Keys of names, recovery codes, closed and muted accounts, and the audit log"""

from __future__ import annotations

import hashlib
from typing import Any

import sqlalchemy as sa
from alembic import op

from taiji.server.domain.names import look_key

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

STATES = ("closed_at", "muted_at", "deleted_at")
SEATS = {"first": "first_id", "second": "second_id"}


def upgrade() -> None:
    """Go to the newer schema."""
    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_recovery_codes_account_id"),
        sa.PrimaryKeyConstraint("hash", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_account_id", "recovery_codes", ["account_id"])
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer(), nullable=False, autoincrement=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(60), nullable=False),
        sa.Column("action", sa.String(24), nullable=False),
        sa.Column("account_id", sa.String(32)),
        sa.Column("name", sa.String(24)),
        sa.Column("detail", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_account_id", "audit_log", ["account_id"])
    for state in STATES:
        op.add_column("accounts", sa.Column(state, sa.BigInteger()))
    op.add_column("accounts", sa.Column("look_key", sa.String(64), nullable=False, server_default=""))
    op.add_column("visitors", sa.Column("look_key", sa.String(64)))
    _fill_keys()
    op.create_index("ix_accounts_look_key", "accounts", ["look_key"], unique=True)
    op.create_index("ix_visitors_look_key", "visitors", ["look_key"])
    _mark_guests(True)


def downgrade() -> None:
    """Go back to the older schema; deleted accounts keep their id as their name."""
    _mark_guests(False)
    op.drop_index("ix_visitors_look_key", table_name="visitors")
    op.drop_column("visitors", "look_key")
    op.drop_index("ix_accounts_look_key", table_name="accounts")
    for column in ("look_key", *STATES):
        op.drop_column("accounts", column)
    op.drop_table("audit_log")
    op.drop_table("recovery_codes")


def _fill_keys() -> None:
    """Compute the keys; the oldest of accounts that look alike takes the key, the others keep their names."""
    connection = op.get_bind()
    accounts = sa.table("accounts", *map(sa.column, ("id", "name", "look_key", "created_at")))
    taken: set[str] = set()
    for row in connection.execute(sa.select(accounts).order_by(accounts.c.created_at)).mappings().all():
        key = look_key(row["name"])
        if key in taken:
            key = hashlib.sha256(f"{key} {row['id']}".encode()).hexdigest()
        taken.add(key)
        connection.execute(sa.update(accounts).where(accounts.c.id == row["id"]).values(look_key=key))
    visitors = sa.table("visitors", *map(sa.column, ("id", "name", "look_key")))
    for row in connection.execute(sa.select(visitors).where(visitors.c.name.is_not(None))).mappings().all():
        key = look_key(row["name"])
        # A guest does not keep the name of an account.
        values = {"name": None} if key in taken else {"look_key": key}
        connection.execute(sa.update(visitors).where(visitors.c.id == row["id"]).values(values))


def _mark_guests(mark: bool) -> None:
    """Write on every seat whether its player is a guest, or remove that again."""
    connection = op.get_bind()
    columns = [sa.column(name, sa.String) for name in ("id", *SEATS.values())]
    tables = sa.table("tables", *columns, sa.column("seats", sa.JSON(none_as_null=True)))
    for row in connection.execute(sa.select(tables)).mappings().all():
        seats = {seat: _seat(player, row[SEATS[seat]], mark) for seat, player in row["seats"].items()}
        connection.execute(sa.update(tables).where(tables.c.id == row["id"]).values(seats=seats))


def _seat(player: dict[str, Any] | None, user_id: str | None, mark: bool) -> dict[str, Any] | None:
    if player is None:
        return None
    known = {key: value for key, value in player.items() if key != "guest"}
    return {**known, "guest": (user_id or "").startswith("v")} if mark else known
