"""The first schema"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to the newer schema."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("name_key", sa.String(length=24), nullable=False),
        sa.Column("password", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name_key", name=op.f("uq_accounts_name_key")),
    )
    op.create_table(
        "heartbeats",
        sa.Column("process", sa.String(length=32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("process", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=400), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_records")),
    )
    with op.batch_alter_table("records", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_records_owner"), ["owner"], unique=False)

    op.create_table(
        "reviews",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=True),
        sa.Column("record_id", sa.String(length=16), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
    )
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviews_owner"), ["owner"], unique=False)

    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=400), nullable=False),
        sa.Column("edition", sa.String(length=60), nullable=True),
        sa.Column("rule", sa.String(length=20), nullable=False),
        sa.Column("opponent", sa.String(length=12), nullable=False),
        sa.Column("clock_rule", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("takebacks", sa.Boolean(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("maker", sa.String(length=32), nullable=False),
        sa.Column("challenged", sa.String(length=32), nullable=True),
        sa.Column("match_id", sa.String(length=16), nullable=True),
        sa.Column("match_number", sa.SmallInteger(), nullable=True),
        sa.Column("match_other", sa.String(length=16), nullable=True),
        sa.Column("match_carried", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("previous", sa.String(length=16), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("first_id", sa.String(length=32), nullable=True),
        sa.Column("second_id", sa.String(length=32), nullable=True),
        sa.Column("seats", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("turn", sa.String(length=6), nullable=True),
        sa.Column("scores", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("clock", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("match_result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tables_first_id_updated"), ["first_id", "updated"], unique=False)
        batch_op.create_index(batch_op.f("ix_tables_match_id"), ["match_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_tables_second_id_updated"), ["second_id", "updated"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_tables_status_deadline"), ["status", "deadline"], unique=False)
        batch_op.create_index(batch_op.f("ix_tables_status_updated"), ["status", "updated"], unique=False)

    op.create_table(
        "events",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("clock", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("client", sa.String(length=60), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_events_table_id")),
        sa.PrimaryKeyConstraint("table_id", "version", name=op.f("pk_events")),
    )
    op.create_table(
        "ratings",
        sa.Column("account", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=400), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_ratings_account")),
        sa.PrimaryKeyConstraint("account", "game", name=op.f("pk_ratings")),
    )
    op.create_table(
        "secrets",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("plain", sa.String(length=64), nullable=True),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=6), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_secrets_table_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_secrets")),
    )
    with op.batch_alter_table("secrets", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_secrets_table_id"), ["table_id"], unique=False)

    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=60), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_tokens_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_tokens_hash")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_account"), ["account"], unique=False)

    op.create_table(
        "visitors",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=True),
        sa.Column("account", sa.String(length=32), nullable=True),
        sa.Column("signed_in", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_visitors_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_visitors")),
    )
    with op.batch_alter_table("visitors", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_visitors_account"), ["account"], unique=False)


def downgrade() -> None:
    """Go back to the older schema."""
    with op.batch_alter_table("visitors", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_visitors_account"))

    op.drop_table("visitors")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tokens_account"))

    op.drop_table("tokens")
    with op.batch_alter_table("secrets", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_secrets_table_id"))

    op.drop_table("secrets")
    op.drop_table("ratings")
    op.drop_table("events")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tables_status_updated"))
        batch_op.drop_index(batch_op.f("ix_tables_status_deadline"))
        batch_op.drop_index(batch_op.f("ix_tables_second_id_updated"))
        batch_op.drop_index(batch_op.f("ix_tables_match_id"))
        batch_op.drop_index(batch_op.f("ix_tables_first_id_updated"))

    op.drop_table("tables")
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_reviews_owner"))

    op.drop_table("reviews")
    with op.batch_alter_table("records", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_records_owner"))

    op.drop_table("records")
    op.drop_table("heartbeats")
    op.drop_table("accounts")
