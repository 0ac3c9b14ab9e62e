"""A tournament on the server: its events, and which people and boards belong to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments import Entered, Tournament, event_from_json, event_to_json

if TYPE_CHECKING:
    from taiji.server.domain.table import AccountType

PairingId = tuple[int, int]
SEATED = "seated"
"""The one event that the arena does not know: a pairing has got its board."""


@dataclass(slots=True)
class HostedTournament:
    """A tournament, rebuilt from its events."""

    id: str
    organiser: str
    invite: str
    edition: str | None
    clock: dict[str, Any] | None
    rated: bool
    created: int
    version: int = 0
    updated: int = 0
    tournament: Tournament | None = None
    player_ids: dict[int, str] = field(default_factory=dict)
    """For each entrant the id of who plays."""
    account_types: dict[int, AccountType] = field(default_factory=dict)
    boards: dict[PairingId, list[str]] = field(default_factory=dict)
    """For each pairing its matches, or its single games, in the order in which they were begun."""
    openings: dict[str, str] = field(default_factory=dict)
    """For each match the table of its first game."""
    cached_data: tuple[int, dict[str, Any]] | None = None
    """A version, and what it looks like to everybody."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def state(self) -> Tournament:
        """The tournament itself."""
        assert self.tournament is not None
        return self.tournament

    def apply(self, data: dict[str, Any], at: int) -> None:
        """Let an event happen; the one place where a contest changes."""
        self.version += 1
        self.updated = at
        if data["event"] == SEATED:
            place = (data["round"], data["table"])
            self.boards.setdefault(place, []).append(data["board"])
            self.openings[data["board"]] = data["first_table"]
            return
        event = event_from_json(data)
        self.tournament = Tournament.of([event]) if self.tournament is None else self.tournament.after(event)
        if isinstance(event, Entered):
            number = len(self.tournament.entrants)
            self.player_ids[number] = data["person"]
            self.account_types[number] = data.get("kind", "person")

    def find_entrant(self, ids: frozenset[str]) -> int | None:
        """Return the entrant that somebody with these ids is."""
        return next((number for number, person in self.player_ids.items() if person in ids), None)

    def open_pairing(self, number: int) -> PairingId | None:
        """Return the pairing of an entrant that has no result yet."""
        state = self.state
        return next((place for place in state.missing if number in state.pairing(*place).players), None)


def entered(event: Entered, person: str, kind: str) -> dict[str, Any]:
    """Return an entry with who it is."""
    return {**event_to_json(event), "person": person, "kind": kind}


def seated(place: PairingId, board: str, first_table: str) -> dict[str, Any]:
    """Return the event of a pairing that has got its board."""
    return {"event": SEATED, "round": place[0], "table": place[1], "board": board, "first_table": first_table}
