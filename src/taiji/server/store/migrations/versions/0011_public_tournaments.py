"""Public tournaments, their start times, and tournaments that an operator lets recur"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ADDED = {
    "ix_tournaments_public_state_updated_at": (["public", "state", "updated_at"], False),
    "ix_tournaments_state_starts_at": (["state", "starts_at"], False),
    "ix_tournaments_recurring_id_starts_at": (["recurring_id", "starts_at"], True),
}


def upgrade() -> None:
    """Go to the newer schema."""
    for column in (
        sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("state", sa.String(10), nullable=False, server_default=""),
        sa.Column("starts_at", sa.BigInteger),
        sa.Column("min_players", sa.SmallInteger, nullable=False, server_default="2"),
        sa.Column("recurring_id", sa.String(16)),
        sa.Column("summary", sa.JSON(none_as_null=True)),
    ):
        op.add_column("tournaments", column)
    for name, (columns, unique) in ADDED.items():
        op.create_index(name, "tournaments", columns, unique=unique)
    op.create_table(
        "recurring_tournaments",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("weekday", sa.SmallInteger, nullable=False),
        sa.Column("minute", sa.SmallInteger, nullable=False),
        sa.Column("timezone", sa.String(60), nullable=False),
        sa.Column("min_players", sa.SmallInteger, nullable=False),
        sa.Column("ahead_days", sa.SmallInteger, nullable=False),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_recurring_tournaments"),
    )


def downgrade() -> None:
    """Go back to the older schema."""
    op.drop_table("recurring_tournaments")
    for name in ADDED:
        op.drop_index(name, table_name="tournaments")
    # One by one: a copy of the table would break the references to it.
    for name in ("summary", "recurring_id", "min_players", "starts_at", "state", "public"):
        op.drop_column("tournaments", name)
