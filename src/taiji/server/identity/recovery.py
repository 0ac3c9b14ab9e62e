"""Recovery codes: what opens an account whose password is lost, each once."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, update

from taiji.server.identity.credentials import hash_secret
from taiji.server.store.schema import recovery_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""32 digits and letters without I, L, O and U."""
CODES = 8
CODE_CHARS = 24
"""120 bits, so that a plain hash is enough."""
GROUP_CHARS = 4
_READ_AS = str.maketrans("ILO", "110")


def new_codes() -> list[str]:
    """Return a new set of codes, as they are shown."""
    return [_grouped("".join(secrets.choice(ALPHABET) for _ in range(CODE_CHARS))) for _ in range(CODES)]


def _grouped(code: str) -> str:
    return "-".join(code[start : start + GROUP_CHARS] for start in range(0, len(code), GROUP_CHARS))


def clean_code(text: str) -> str:
    """Return a typed code without separators, in capitals, with I, L and O read as digits."""
    return "".join(one for one in text.upper() if one.isalnum()).translate(_READ_AS)


def code_hash(account_id: str, code: str) -> str:
    """Return the stored hash of an account's code."""
    return hash_secret("recovery", f"{account_id}:{clean_code(code)}")


def replace_codes(connection: Connection, account_id: str, codes: Sequence[str], now: int) -> None:
    """Store a new set of codes; the old ones open nothing any more."""
    connection.execute(delete(recovery_codes).where(recovery_codes.c.account_id == account_id))
    rows = [
        {"hash": code_hash(account_id, code), "account_id": account_id, "created_at": now, "used_at": None}
        for code in codes
    ]
    connection.execute(insert(recovery_codes), rows)


def use_code(connection: Connection, account_id: str, code: str, now: int) -> bool:
    """Use a code up; return whether it was valid."""
    wanted = (recovery_codes.c.hash == code_hash(account_id, code), recovery_codes.c.used_at.is_(None))
    return connection.execute(update(recovery_codes).where(*wanted).values(used_at=now)).rowcount == 1


def count_unused(connection: Connection, account_id: str) -> int:
    """Return how many codes are left."""
    unused = (recovery_codes.c.account_id == account_id, recovery_codes.c.used_at.is_(None))
    return connection.execute(select(func.count()).select_from(recovery_codes).where(*unused)).scalar_one()
