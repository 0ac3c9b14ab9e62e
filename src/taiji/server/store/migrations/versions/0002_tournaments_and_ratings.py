"""Tournaments, and the history of ratings"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to the newer schema."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("organiser", sa.String(length=32), nullable=False),
        sa.Column("invite", sa.String(length=64), nullable=False),
        sa.Column("edition", sa.String(length=60), nullable=True),
        sa.Column("clock_rule", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    with op.batch_alter_table("tournaments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tournaments_organiser"), ["organiser"], unique=False)
        batch_op.create_index(batch_op.f("ix_tournaments_over_updated"), ["over", "updated"], unique=False)

    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.String(length=32), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_events_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "version", name=op.f("pk_tournament_events")),
    )
    op.create_table(
        "rating_history",
        sa.Column("account", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=400), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("opponent", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_rating_history_account")),
        sa.ForeignKeyConstraint(["opponent"], ["accounts.id"], name=op.f("fk_rating_history_opponent")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_rating_history_table_id")),
        sa.PrimaryKeyConstraint("account", "table_id", name=op.f("pk_rating_history")),
    )
    with op.batch_alter_table("rating_history", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_rating_history_account_game_at"), ["account", "game", "at"], unique=False
        )


def downgrade() -> None:
    """Go back to the older schema."""
    with op.batch_alter_table("rating_history", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rating_history_account_game_at"))

    op.drop_table("rating_history")
    op.drop_table("tournament_events")
    with op.batch_alter_table("tournaments", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tournaments_over_updated"))
        batch_op.drop_index(batch_op.f("ix_tournaments_organiser"))

    op.drop_table("tournaments")
