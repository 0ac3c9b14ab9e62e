"""The tournament of each game, so that those of public tournaments are listed"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to the newer schema."""
    op.add_column("tables", sa.Column("tournament_id", sa.String(16)))


def downgrade() -> None:
    """Go back to the older schema."""
    op.drop_column("tables", "tournament_id")
