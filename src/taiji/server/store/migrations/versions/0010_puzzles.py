"""Results of people at the puzzles"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to the newer schema."""
    op.create_table(
        "puzzle_results",
        sa.Column("puzzle_id", sa.String(60), nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("puzzle_id", name="pk_puzzle_results"),
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("puzzle_id", sa.String(60), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("rating", sa.SmallInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "puzzle_id", name="pk_puzzle_tries"),
    )


def downgrade() -> None:
    """Go back to the older schema."""
    op.drop_table("puzzle_tries")
    op.drop_table("puzzle_results")
