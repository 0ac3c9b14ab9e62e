"""Servers that hand their shards over before they stop"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to the newer schema; servers of the version before go on beside newer ones."""
    op.add_column("nodes", sa.Column("leaving", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Go back to the older schema."""
    with op.batch_alter_table("nodes") as batch:
        batch.drop_column("leaving")
