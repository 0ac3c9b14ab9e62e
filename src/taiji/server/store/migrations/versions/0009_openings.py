"""Openings of the server's own games: counts by position, and the queue of games to count"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

PUBLIC = ("open", "player", "tournament")


def upgrade() -> None:
    """Go to the newer schema; the games so far are counted in the background."""
    op.create_table(
        "openings",
        sa.Column("game", sa.String(400), nullable=False),
        sa.Column("key", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("light_wins", sa.Float, nullable=False),
        sa.Column("scored", sa.Integer, nullable=False),
        sa.Column("margin", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", name="pk_openings"),
    )
    queue = op.create_table(
        "opening_queue",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_opening_queue_table_id"),
        sa.PrimaryKeyConstraint("table_id", name="pk_opening_queue"),
    )
    tables = sa.table("tables", *(sa.column(name, sa.String) for name in ("id", "status", "opponent")))
    ended = sa.select(tables.c.id).where(tables.c.status == "over", tables.c.opponent.in_(PUBLIC))
    op.execute(sa.insert(queue).from_select(["table_id"], ended))


def downgrade() -> None:
    """Go back to the older schema."""
    op.drop_table("opening_queue")
    op.drop_table("openings")
