"""A tournament on the server: its events, and the users and boards that belong to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments import Entered, Event, Tournament, event_from_json, event_to_json

if TYPE_CHECKING:
    from taiji.server.contract.clocks import ClockChoice
    from taiji.server.contract.messages import AccountType
    from taiji.server.contract.tournaments import CancelReason, TournamentState

PairingId = tuple[int, int]
"""The numbers of the round and of the board within it."""
TOURNAMENT_EVENT_FORMAT = 1
"""The format of the events that are written."""
BOARD_CREATED = "seated"
"""The stored name of `BoardCreated`."""
CANCELLED = "cancelled"
"""The stored name of `Cancelled`."""


@dataclass(frozen=True, slots=True)
class UserEntered:
    """An entry together with the user who plays."""

    entry: Entered
    user_id: str
    account_type: AccountType


@dataclass(frozen=True, slots=True)
class BoardCreated:
    """A pairing has a board: a match, or a single game, with the table of its first game."""

    pairing_id: PairingId
    board: str
    first_table: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The server did not start the tournament."""

    reason: CancelReason


HostedEvent = Event | UserEntered | BoardCreated | Cancelled
"""An event of a tournament on the server: those of the arena, and three of its own."""


def event_to_stored(event: HostedEvent) -> dict[str, Any]:
    """Return an event as it is stored."""
    match event:
        case UserEntered(entry, user_id, account_type):
            return {**event_to_json(entry), "person": user_id, "kind": account_type}
        case BoardCreated((round_no, board_no), board, first_table):
            return {
                "event": BOARD_CREATED,
                "round": round_no,
                "table": board_no,
                "board": board,
                "first_table": first_table,
            }
        case Cancelled(reason):
            return {"event": CANCELLED, "reason": reason}
        case _:
            return event_to_json(event)


def event_from_stored(data: dict[str, Any]) -> HostedEvent:
    """Read a stored event."""
    if data["event"] == BOARD_CREATED:
        return BoardCreated((data["round"], data["table"]), data["board"], data["first_table"])
    if data["event"] == CANCELLED:
        return Cancelled(data["reason"])
    event = event_from_json(data)
    if isinstance(event, Entered):
        return UserEntered(event, data["person"], data.get("kind", "person"))
    return event


def tournament_state(tournament: Tournament, *, is_cancelled: bool) -> TournamentState:
    """Return how far a tournament is."""
    if is_cancelled:
        return "cancelled"
    if tournament.over:
        return "finished"
    return "running" if tournament.rounds else "upcoming"


def arena_event(event: HostedEvent) -> Event | None:
    """Return the event as the arena knows it, or None if it does not."""
    if isinstance(event, BoardCreated | Cancelled):
        return None
    return event.entry if isinstance(event, UserEntered) else event


@dataclass(slots=True)
class HostedTournament:
    """A tournament, rebuilt from its events."""

    id: str
    organiser: str
    invite: str
    edition: str | None
    clock: ClockChoice | None
    rated: bool
    created_at: int
    public: bool = False
    starts_at: int | None = None
    min_players: int = 2
    recurring_id: str | None = None
    cancelled: CancelReason | None = None
    version: int = 0
    updated_at: int = 0
    tournament: Tournament | None = None
    player_ids: dict[int, str] = field(default_factory=dict)
    """The user id of each entrant."""
    account_types: dict[int, AccountType] = field(default_factory=dict)
    boards: dict[PairingId, list[str]] = field(default_factory=dict)
    """The matches or single games of each pairing, in the order of their creation."""
    openings: dict[str, str] = field(default_factory=dict)
    """The table of the first game of each match."""
    cached_data: tuple[int, dict[str, Any]] | None = None
    """A version and its data, which are the same for all visitors."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_stale: bool = False
    """Whether a write failed or was not waited for, so that the database may hold more events."""

    @property
    def state(self) -> Tournament:
        """The tournament itself."""
        assert self.tournament is not None
        return self.tournament

    @property
    def is_in_play(self) -> bool:
        """Whether a round has begun and the tournament is not over."""
        return bool(self.state.rounds) and not self.state.over

    def apply(self, event: HostedEvent, at: int) -> None:
        """Apply an event; nothing else changes a tournament."""
        self.version += 1
        self.updated_at = at
        if isinstance(event, BoardCreated):
            self.boards.setdefault(event.pairing_id, []).append(event.board)
            self.openings[event.board] = event.first_table
            return
        if isinstance(event, Cancelled):
            self.cancelled = event.reason
            return
        known = event.entry if isinstance(event, UserEntered) else event
        self.tournament = Tournament.of([known]) if self.tournament is None else self.tournament.after(known)
        if isinstance(event, UserEntered):
            entrant_no = len(self.tournament.entrants)
            self.player_ids[entrant_no] = event.user_id
            self.account_types[entrant_no] = event.account_type

    def become(self, stored: HostedTournament) -> None:
        """Take over the state of the same tournament as it was read again."""
        self.version, self.updated_at = stored.version, stored.updated_at
        self.tournament, self.cached_data = stored.tournament, None
        self.player_ids, self.account_types = stored.player_ids, stored.account_types
        self.boards, self.openings = stored.boards, stored.openings
        self.cancelled = stored.cancelled
        self.is_stale = False

    def find_entrant(self, ids: frozenset[str]) -> int | None:
        """Return the number of the entrant with one of these ids."""
        return next((entrant_no for entrant_no, user in self.player_ids.items() if user in ids), None)

    def open_pairing(self, entrant_no: int) -> PairingId | None:
        """Return the pairing of an entrant that has no result yet."""
        state = self.state
        return next((key for key in state.missing if entrant_no in state.pairing(*key).players), None)
