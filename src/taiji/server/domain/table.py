"""A table: one game being played, rebuilt from its events; no transport and no database here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from taiji.rules import Game, MatchRule, Scores, Seat, State, parse_game
from taiji.server.domain.clocks import Clock, ClockRule

SEATS = {"first": Seat.FIRST, "second": Seat.SECOND}
Status = Literal["waiting", "playing", "over"]
AccountType = Literal["person", "computer", "bot"]
Opponent = Literal["computer", "link", "open", "player"]
PRIVATE_FIELDS = frozenset(("sitter", "holder"))
"""What an event keeps to itself: the ids that seats belong to."""


def seat_name(seat: Seat) -> str:
    """Return the seat as it is sent."""
    return "first" if seat is Seat.FIRST else "second"


def by_seat(scores: Scores) -> dict[str, float]:
    """Return scores as they are sent."""
    return {"first": scores.first, "second": scores.second}


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """Who sits at a seat. `id` is private: it is what a visitor's cookie or an account proves."""

    id: str
    name: str | None
    kind: AccountType = "person"
    level: int | None = None
    rating: int | None = None
    """What the player was rated when a rated game began."""

    def to_wire(self) -> dict[str, Any]:
        """Return what others may see."""
        return {"name": self.name, "kind": self.kind, "level": self.level, "rating": self.rating}

    def to_json(self) -> dict[str, Any]:
        """Return what is stored."""
        return {"id": self.id, **self.to_wire()}


@dataclass(frozen=True, slots=True)
class MatchSlot:
    """Which game of which match a table is, and the points that its seats bring along."""

    id: str
    game_no: int
    other: str | None = None
    """The table of the match's other game."""
    carried_points: tuple[float, float] = (0, 0)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What was agreed before the game."""

    game: str
    edition: str | None
    match_rule: MatchRule
    opponent: Opponent
    clock: dict[str, Any] | None
    takebacks: bool
    rated: bool
    creator: str
    """The id of who made the table."""
    challenged: str | None = None
    """The id of the one account that may take the free seat."""


class PlayedMove(NamedTuple):
    """A move as it was played."""

    action: int
    text: str
    seat: Seat
    elapsed_ms: int
    at: int
    remaining_ms: int | None
    """What was left on the mover's clock, in milliseconds."""


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event that is not numbered yet; `clock` is the clock after it."""

    event_type: str
    data: dict[str, Any]
    clock: Clock | None
    after: State | None = field(default=None, compare=False)
    """The position after a move, so that it is not worked out twice."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table; versions count from 1 without a gap."""

    version: int
    event_type: str
    at: int
    data: dict[str, Any]
    clock: Clock | None
    request_id: str | None = None
    """Which frame asked for it: a seat and that client's own id."""

    def to_wire(self, now: int | None = None) -> dict[str, Any]:
        """Return the event as it is sent, its clock as of `now`, or of when it happened."""
        frame: dict[str, Any] = {
            "type": "event",
            "version": self.version,
            "kind": self.event_type,
            "at": self.at,
            "data": {key: value for key, value in self.data.items() if key not in PRIVATE_FIELDS},
        }
        if self.clock is not None:
            frame["clock"] = self.clock.view(self.at if now is None else now)
        return frame


@dataclass(slots=True)
class Table:
    """The state of a table after its events so far."""

    id: str
    settings: TableSettings
    created_at: int
    state: State
    clock: Clock | None
    match: MatchSlot | None = None
    previous: str | None = None
    seats: list[SeatedPlayer | None] = field(default_factory=lambda: [None, None])
    holders: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    """For each seat, the ids that may move for it."""
    version: int = 0
    status: Status = "waiting"
    scores: dict[str, float] = field(default_factory=lambda: {"first": 0, "second": 0})
    updated_at: int = 0
    moves: list[PlayedMove] = field(default_factory=list)
    result: dict[str, Any] | None = None
    match_result: dict[str, Any] | None = None
    takeback_offer: Seat | None = None
    rematch_offer: Seat | None = None
    rematch: str | None = None
    handled_requests: dict[str, int] = field(default_factory=dict)
    """The frames that were done, each with the version of its event."""

    @classmethod
    def new(
        cls,
        identity: str,
        settings: TableSettings,
        now: int,
        match: MatchSlot | None = None,
        previous: str | None = None,
    ) -> Table:
        """Lay a table; it waits until both seats are taken and `start` happens."""
        clock = None if settings.clock is None else Clock.new(ClockRule.from_wire(settings.clock))
        state = parse_game(settings.game).start()
        scores = by_seat(state.scores())
        return cls(identity, settings, now, state, clock, match, previous, updated_at=now, scores=scores)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is."""
        return self.state.seat_to_move if self.status == "playing" else None

    @property
    def computer(self) -> Seat | None:
        """The computer's seat, where it plays."""
        return next((s for s in Seat if (sitter := self.seats[s]) and sitter.kind == "computer"), None)

    @property
    def deadline(self) -> int | None:
        """When the clock of the side to move runs out."""
        return self.clock.deadline if self.clock is not None and self.status == "playing" else None

    def find_seat(self, ids: Collection[str]) -> Seat | None:
        """Return the seat that belongs to somebody with these ids."""
        return next((seat for seat in Seat if not self.holders[seat].isdisjoint(ids)), None)

    def apply_draft(self, draft: EventDraft, now: int, request_id: str | None = None) -> Event:
        """Give a draft the next version, and let it happen."""
        event = Event(self.version + 1, draft.event_type, now, draft.data, draft.clock, request_id)
        self.apply(event, draft.after)
        return event

    def apply(self, event: Event, after: State | None = None) -> None:
        """Let an event happen; the one place where a table changes."""
        assert event.version == self.version + 1
        self.version = event.version
        self.updated_at = event.at
        self.clock = event.clock
        if event.request_id is not None:
            self.handled_requests[event.request_id] = event.version
        data = event.data
        match event.event_type:
            case "join":
                seat, sitter = SEATS[data["seat"]], SeatedPlayer(**data["sitter"])
                self.seats[seat] = sitter
                self.holders[seat].add(sitter.id)
            case "seat":
                self.holders[SEATS[data["seat"]]].add(data["holder"])
            case "start":
                self.status = "playing"
            case "move":
                self._apply_move(event, after)
            case "takeback-offer":
                self.takeback_offer = SEATS[data["seat"]]
            case "takeback-refused":
                self.takeback_offer = None
            case "takeback":
                self._apply_takeback(data["plies"])
                self.scores = data["scores"]
            case "level":
                self._apply_level(data["level"])
            case "end":
                self.status, self.result, self.takeback_offer = "over", data["result"], None
                self.match_result = (data.get("match") or {}).get("result")
            case "next":
                assert self.match is not None
                self.match = replace(self.match, other=data["table"])
            case "rematch-offer":
                self.rematch_offer = SEATS[data["seat"]]
            case "rematch":
                self.rematch, self.rematch_offer = data["table"], None
            case _:
                pass  # "resume" only brings a clock

    def _apply_move(self, event: Event, after: State | None) -> None:
        data, seat = event.data, SEATS[event.data["seat"]]
        self.state = after or self.state.play(self.game.move(data["number"]))
        self.scores = data["scores"]
        left = None if event.clock is None else event.clock.sides[seat].remaining_ms
        self.moves.append(PlayedMove(data["number"], data["text"], seat, data["spent_ms"], event.at, left))

    def _apply_takeback(self, plies: int) -> None:
        del self.moves[plies:]
        self.takeback_offer = None
        state = self.game.start()
        for played in self.moves:
            state = state.play(self.game.move(played.action))
        self.state = state

    def _apply_level(self, level: int) -> None:
        seat = self.computer
        assert seat is not None
        sitter = self.seats[seat]
        assert sitter is not None
        self.seats[seat] = replace(sitter, level=level)
