"""Secrets and ids: how long they are, how they are made, and what is kept of them."""

from __future__ import annotations

import base64
import hashlib
import secrets

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""Letters and digits that nobody mistakes for one another."""

SECRET_BYTES = 24
"""192 bits, well over the 128 that a seat link needs."""


def new_id(length: int = 12) -> str:
    """Return a public id: unguessable enough that a table by link stays unlisted."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_secret() -> str:
    """Return a secret for a cookie, a join link or a token."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(purpose: str, secret: str) -> str:
    """Return what is kept of a secret; each purpose has its own, so that one never opens another."""
    return hashlib.sha256(f"taiji {purpose}:{secret}".encode()).hexdigest()


def visitor_id(cookie: str) -> str:
    """Return the id of the visitor who holds a cookie."""
    raw = hashlib.sha256(f"taiji visitor:{cookie}".encode()).digest()[:18]
    return "v" + base64.urlsafe_b64encode(raw).decode()


def csrf_token(cookie: str) -> str:
    """Return the token that a page of ours sends along; another site cannot know it."""
    raw = hashlib.sha256(f"taiji csrf:{cookie}".encode()).digest()[:18]
    return base64.urlsafe_b64encode(raw).decode()


def constant_time_equal(one: str, two: str) -> bool:
    """Compare two secrets in a time that tells nothing."""
    return secrets.compare_digest(one.encode(), two.encode())
