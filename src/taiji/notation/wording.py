"""Words for numbers, for every output in English."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 game`, `1,200 games`, `2 plies`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
