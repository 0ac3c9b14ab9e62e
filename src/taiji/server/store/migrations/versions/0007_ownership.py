"""Which servers use the database, and which shards each owns"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SHARDS = 256


def upgrade() -> None:
    """Go to the newer schema."""
    op.create_table(
        "nodes",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("process", sa.String(120), nullable=False),
        sa.Column("shares", sa.Boolean(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.Column("dead", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_nodes"),
    )
    shards = op.create_table(
        "shards",
        sa.Column("shard", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("node_id", sa.String(32)),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("gone_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("shard", name="pk_shards"),
    )
    op.bulk_insert(shards, [{"shard": shard, "epoch": 0} for shard in range(SHARDS)])


def downgrade() -> None:
    """Go back to the older schema."""
    op.drop_table("shards")
    op.drop_table("nodes")
