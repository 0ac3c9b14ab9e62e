"""Blocks, reports and phrases; notifications, pushes and vacations"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to the newer schema."""
    _create_talk()
    _create_notifications()
    op.create_table(
        "vacations",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("days", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
    )
    op.create_index("ix_vacations_user_id", "vacations", ["user_id"])
    op.create_index("ix_vacations_ends_at", "vacations", ["ends_at"])


def downgrade() -> None:
    """Go back to the older schema."""
    for table in (
        "vacations",
        "notification_settings",
        "notifications",
        "push_subscriptions",
        "server_keys",
        "phrases",
        "reports",
        "blocks",
    ):
        op.drop_table(table)


def _create_talk() -> None:
    op.create_table(
        "blocks",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("blocker_id", sa.String(32), nullable=False),
        sa.Column("blocked_id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(24)),
        sa.Column("guest", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_blocks"),
        sa.UniqueConstraint("blocker_id", "blocked_id", name="uq_blocks_blocker_id_blocked_id"),
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("reporter_id", sa.String(32), nullable=False),
        sa.Column("reported_id", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("comment", sa.String(200), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
    )
    op.create_index("ix_reports_reporter_id", "reports", ["reporter_id"])
    op.create_index("ix_reports_reported_id", "reports", ["reported_id"])
    op.create_index("ix_reports_closed_at_created_at", "reports", ["closed_at", "created_at"])
    op.create_table(
        "phrases",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("seat", sa.String(6), nullable=False),
        sa.Column("request_id", sa.String(40), nullable=False),
        sa.Column("phrase", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_phrases_table_id"),
        sa.PrimaryKeyConstraint("table_id", "seat", "request_id", name="pk_phrases"),
    )


def _create_notifications() -> None:
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server_keys"),
    )
    op.create_table(
        "push_subscriptions",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("session_id", sa.String(32), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.String(88), nullable=False),
        sa.Column("auth", sa.String(24), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("failures", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_push_subscriptions"),
    )
    op.create_index("ix_push_subscriptions_session_id", "push_subscriptions", ["session_id"])
    op.create_table(
        "notifications",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("read_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("user_id", "kind", "table_id", name="pk_notifications"),
    )
    op.create_index("ix_notifications_at", "notifications", ["at"])
    op.create_table(
        "notification_settings",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_notification_settings"),
    )
