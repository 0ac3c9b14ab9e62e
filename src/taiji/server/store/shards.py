"""Shards: tables and tournaments are owned by groups, which the first two characters of an id decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sqlalchemy import func

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

SHARDS = 256
PREFIX = 2
"""How many characters of an id decide its shard; what belongs together begins with the same."""
_FACTOR = 59
"""Spreads the pairs of characters of an id evenly."""


def shard_of(identity: str) -> int:
    """Return the shard of a table or tournament."""
    first, second = (ord(identity[i]) if len(identity) > i else 0 for i in range(PREFIX))
    return (first * _FACTOR + second) % SHARDS


def shard_column(identity: ColumnElement[str]) -> ColumnElement[int]:
    """Return the shard of an id in PostgreSQL's words."""
    first, second = (func.ascii(func.substr(identity, i + 1, 1)) for i in range(PREFIX))
    shard: ColumnElement[int] = (first * _FACTOR + second) % SHARDS
    return shard


def target(owned: Mapping[str, int], node_id: str) -> int:
    """Return how many shards a server shall own, given how many each has: equal shares, with few changes.

    Every server computes the same; those with the most keep what cannot be shared equally.
    """
    share, rest = divmod(SHARDS, len(owned))
    by_size = sorted(owned, key=lambda one: (-owned[one], one))
    return share + (by_size.index(node_id) < rest)
