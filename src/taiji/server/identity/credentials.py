"""Secrets and ids, and what is stored of them."""

from __future__ import annotations

import base64
import hashlib
import secrets

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""Letters and digits that are not easily confused."""

SECRET_BYTES = 24
"""192 bits."""


def new_id(length: int = 12) -> str:
    """Return a public id that cannot be guessed, so that tables by link stay unlisted."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_secret() -> str:
    """Return a secret for a cookie, a join link or a token."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(purpose: str, secret: str) -> str:
    """Return the stored hash of a secret; each purpose has its own."""
    return hashlib.sha256(f"taiji {purpose}:{secret}".encode()).hexdigest()


def legacy_visitor_id(cookie: str) -> str:
    """Return the id of the visitor with a cookie of version 0.1."""
    raw = hashlib.sha256(f"taiji visitor:{cookie}".encode()).digest()[:18]
    return "v" + base64.urlsafe_b64encode(raw).decode()


def csrf_token(token: str) -> str:
    """Return the CSRF token of a session's token; another site cannot know it."""
    raw = hashlib.sha256(f"taiji csrf:{token}".encode()).digest()[:18]
    return base64.urlsafe_b64encode(raw).decode()


def constant_time_equal(one: str, two: str) -> bool:
    """Compare two secrets in constant time."""
    return secrets.compare_digest(one.encode(), two.encode())
