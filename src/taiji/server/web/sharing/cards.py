"""What a link preview shows: its words, and the card that is drawn for it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Card:
    """What is drawn; equal cards are one picture."""

    position: str
    last: int | None
    title: str
    rows: tuple[tuple[str, str], ...] = ()
    note: str = ""
    seats: bool = False

    @property
    def version(self) -> str:
        """A short name of the content."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]

    def request(self) -> dict[str, Any]:
        """Return the card as a task."""
        return {
            "position": self.position,
            "last": self.last,
            "title": self.title,
            "rows": [list(row) for row in self.rows],
            "note": self.note,
            "seats": self.seats,
        }


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link to a page shows elsewhere."""

    title: str
    description: str
    card: Card
    alt: str
