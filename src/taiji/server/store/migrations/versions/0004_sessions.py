"""Sessions that only the server issues, and seat links that expire, are used once and can be revoked"""

from __future__ import annotations

import re
import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

DAY_MS = 86_400_000
LEGACY_MS = 400 * DAY_MS
"""How long a browser keeps the cookie of the version before."""
VISITOR = re.compile(r'"(v[A-Za-z0-9_-]{24})"')
PLAYERS = (
    ("tables", "first_id"),
    ("tables", "second_id"),
    ("tables", "creator_id"),
    ("records", "owner_id"),
    ("reviews", "owner_id"),
    ("tournaments", "organiser_id"),
)
LINK_COLUMNS = (
    ("id", sa.String(length=32)),
    ("creator_id", sa.String(length=32)),
    ("expires_at", sa.BigInteger()),
    ("used_at", sa.BigInteger()),
    ("used_by", sa.String(length=32)),
)


def upgrade() -> None:
    """Go to the newer schema; guests keep their games, signed-in browsers sign in again."""
    op.add_column("visitors", sa.Column("legacy_until", sa.BigInteger(), nullable=True))
    _keep_guests()
    with op.batch_alter_table("visitors") as batch:
        batch.drop_column("signed_in")
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("visitor_id", sa.String(length=32), nullable=True),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("last_account_id", sa.String(length=32), nullable=True),
        sa.Column("device", sa.String(length=60), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["visitor_id"], ["visitors.id"], name=op.f("fk_sessions_visitor_id")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_sessions_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("hash", name=op.f("uq_sessions_hash")),
    )
    op.create_index("ix_sessions_visitor_id", "sessions", ["visitor_id"])
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])
    _extend_links()


def _keep_guests() -> None:
    """Let every guest who has played or has a name exchange the old cookie for a session."""
    connection, now = op.get_bind(), int(time.time() * 1000)
    seen: set[str] = set()
    for table, column in PLAYERS:
        players = sa.table(table, sa.column(column, sa.String))
        rows = connection.execute(sa.select(players.c[column]).distinct()).scalars()
        seen |= {row for row in rows if row is not None and VISITOR.fullmatch(f'"{row}"')}
    for query in (
        "SELECT CAST(data AS TEXT) FROM events WHERE event_type IN ('seat', 'device-added')",
        "SELECT CAST(data AS TEXT) FROM tournament_events",
    ):
        for data in connection.execute(sa.text(query)).scalars():
            seen.update(VISITOR.findall(data))
    known = set(connection.execute(sa.text("SELECT id FROM visitors")).scalars())
    visitors = sa.table(
        "visitors",
        sa.column("id", sa.String),
        sa.column("account_id", sa.String),
        sa.column("signed_in", sa.Boolean),
        sa.column("created_at", sa.BigInteger),
        sa.column("legacy_until", sa.BigInteger),
    )
    for identity in sorted(seen - known):
        row = {"id": identity, "signed_in": False, "created_at": now}
        connection.execute(sa.insert(visitors).values(row))
    guests = sa.update(visitors).where(visitors.c.account_id.is_(None))
    connection.execute(guests.values(legacy_until=now + LEGACY_MS))


def _extend_links() -> None:
    connection = op.get_bind()
    for name, kind in LINK_COLUMNS:
        op.add_column("seat_links", sa.Column(name, kind, nullable=True))
    hashes = connection.execute(sa.text("SELECT hash FROM seat_links")).scalars().all()
    for link in hashes:
        values = {"id": secrets.token_hex(8), "hash": link}
        connection.execute(sa.text("UPDATE seat_links SET id = :id WHERE hash = :hash"), values)
    expiry = "UPDATE seat_links SET expires_at = created_at + :day WHERE link_type = 'seat'"
    connection.execute(sa.text(expiry), {"day": DAY_MS})
    with op.batch_alter_table("seat_links") as batch:
        batch.alter_column("id", existing_type=sa.String(length=32), nullable=False)
        batch.create_unique_constraint(batch.f("uq_seat_links_id"), ["id"])
        batch.create_index(batch.f("ix_seat_links_creator_id"), ["creator_id"])


def downgrade() -> None:
    """Go back to the older schema; every browser becomes a new visitor."""
    with op.batch_alter_table("seat_links") as batch:
        batch.drop_index(batch.f("ix_seat_links_creator_id"))
        batch.drop_constraint(batch.f("uq_seat_links_id"), type_="unique")
    with op.batch_alter_table("seat_links") as batch:
        for name, _ in LINK_COLUMNS:
            batch.drop_column(name)
    op.drop_table("sessions")
    with op.batch_alter_table("visitors") as batch:
        batch.add_column(sa.Column("signed_in", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.drop_column("legacy_until")
