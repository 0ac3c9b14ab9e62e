"""Reviews that are found by their game, and that their owner may hide"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INDEXES = {"ix_reviews_table_id": "table_id", "ix_reviews_record_id": "record_id"}


def upgrade() -> None:
    """Go to the newer schema; known reviews stay visible to everyone with their link."""
    op.add_column("reviews", sa.Column("shared", sa.Boolean(), nullable=False, server_default=sa.true()))
    for name, column in INDEXES.items():
        op.create_index(name, "reviews", [column])


def downgrade() -> None:
    """Go back to the older schema; hidden reviews become visible."""
    for name in INDEXES:
        op.drop_index(name, table_name="reviews")
    with op.batch_alter_table("reviews") as batch:
        batch.drop_column("shared")
