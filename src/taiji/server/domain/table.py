"""A table: one game being played, rebuilt from its events; no transport and no database here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple, assert_never

from taiji.rules import Game, MatchRule, Move, Scores, Seat, State, parse_game
from taiji.server.contract import events
from taiji.server.contract.clocks import ClockChoice
from taiji.server.contract.event_frames import TABLE_EVENT, TableEvent
from taiji.server.contract.messages import AccountType, SeatName, SeatScores
from taiji.server.contract.tables import GameResult, MatchResult, Opponent, PlayerInfo, Status
from taiji.server.domain.clocks import Clock, ClockRule

SEATS: dict[str, Seat] = {"first": Seat.FIRST, "second": Seat.SECOND}


def seat_name(seat: Seat) -> SeatName:
    """Return the seat as it is sent."""
    return "first" if seat is Seat.FIRST else "second"


def optional_seat_name(seat: Seat | None) -> SeatName | None:
    """Return the seat as it is sent, or None."""
    return None if seat is None else seat_name(seat)


def seat_scores(scores: Scores) -> SeatScores:
    """Return scores as they are sent."""
    return SeatScores(first=scores.first, second=scores.second)


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player on a seat. `id` is private: a visitor's cookie or an account proves it."""

    id: str
    name: str | None
    account_type: AccountType = "person"
    level: int | None = None
    rating: int | None = None
    """The player's rating when a rated game began."""
    guest: bool = False

    def info(self) -> PlayerInfo:
        """Return what others may see."""
        return PlayerInfo(
            name=self.name,
            account_type=self.account_type,
            level=self.level,
            rating=self.rating,
            guest=self.guest,
        )

    @classmethod
    def from_info(cls, user_id: str, info: PlayerInfo) -> SeatedPlayer:
        """Return the player with this id."""
        return cls(user_id, info.name, info.account_type, info.level, info.rating, info.guest)


@dataclass(frozen=True, slots=True)
class MatchSlot:
    """Which game of which match a table is, and the points that its seats carry from the other game."""

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
    clock: ClockChoice | None
    takebacks: bool
    rated: bool
    creator: str
    """The id of the visitor who created the table."""
    challenged: str | None = None
    """The id of the one account that may take the free seat."""
    tournament: str | None = None
    """The id of the tournament that the game belongs to."""


class PlayedMove(NamedTuple):
    """A move as it was played."""

    action: int
    text: str
    seat: Seat
    elapsed_ms: int
    at: int
    remaining_ms: int | None
    """The time remaining on the mover's clock after the move."""


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event without a version; `clock` is the clock after it."""

    data: events.StoredEvent
    clock: Clock | None
    after: State | None = field(default=None, compare=False)
    """The position after a move, to avoid computing it twice."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a table; versions count from 1 without a gap."""

    version: int
    at: int
    data: events.StoredEvent
    clock: Clock | None
    request_id: str | None = None
    """The request that caused it: the seat and the client's own id."""

    @property
    def event_type(self) -> str:
        """The type of the event."""
        return self.data.event_type

    def frame(self, now: int | None = None) -> TableEvent:
        """Return the event as it is sent, with the clock as of `now` or of the event."""
        clock = None if self.clock is None else self.clock.view(self.at if now is None else now)
        return TABLE_EVENT[self.event_type](
            version=self.version, at=self.at, clock=clock, data=self.data.public()
        )


@dataclass(slots=True)
class Table:
    """The state of a table after its events so far."""

    id: str
    settings: TableSettings
    created_at: int
    state: State
    clock: Clock | None
    scores: SeatScores
    match: MatchSlot | None = None
    previous: str | None = None
    seats: list[SeatedPlayer | None] = field(default_factory=lambda: [None, None])
    holders: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    """For each seat, the ids that may move for it."""
    version: int = 0
    status: Status = "waiting"
    updated_at: int = 0
    moves: list[PlayedMove] = field(default_factory=list)
    result: GameResult | None = None
    match_result: MatchResult | None = None
    takeback_offer: Seat | None = None
    rematch_offer: Seat | None = None
    rematch: str | None = None
    handled_requests: dict[str, int] = field(default_factory=dict)
    """The requests that were executed, each with the version of its event."""

    @classmethod
    def new(
        cls,
        identity: str,
        settings: TableSettings,
        now: int,
        match: MatchSlot | None = None,
        previous: str | None = None,
    ) -> Table:
        """Create a table; it waits until both seats are taken and `Started` happens."""
        clock = None if settings.clock is None else Clock.new(ClockRule.from_choice(settings.clock))
        state = parse_game(settings.game).start()
        scores = seat_scores(state.scores())
        return cls(identity, settings, now, state, clock, scores, match, previous, updated_at=now)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def turn(self) -> Seat | None:
        """The seat to move, or None unless the game is being played."""
        return self.state.seat_to_move if self.status == "playing" else None

    @property
    def last_move(self) -> Move | None:
        """The last move on the board."""
        return self.game.move(self.moves[-1].action) if self.moves else None

    @property
    def computer(self) -> Seat | None:
        """The computer's seat, or None if it does not play."""
        return next(
            (s for s in Seat if (player := self.seats[s]) and player.account_type == "computer"), None
        )

    @property
    def deadline(self) -> int | None:
        """When the clock of the side to move runs out."""
        return self.clock.deadline if self.clock is not None and self.status == "playing" else None

    @property
    def is_rated(self) -> bool:
        """Whether the game has ended and counts for ratings."""
        return bool(self.settings.rated and self.result and self.result.ended_by != "aborted")

    @property
    def is_explored(self) -> bool:
        """Whether the game has ended, is public and between people, and counts in the opening explorer."""
        is_public = self.settings.opponent in {"open", "player", "tournament"}
        return bool(is_public and self.moves and self.result and self.result.ended_by != "aborted")

    def has_player(self, ids: Collection[str]) -> bool:
        """Return whether one of these ids has taken a seat, which shows its name."""
        return any(player is not None and player.id in ids for player in self.seats)

    def find_seat(self, ids: Collection[str]) -> Seat | None:
        """Return the seat that one of these ids holds."""
        return next((seat for seat in Seat if not self.holders[seat].isdisjoint(ids)), None)

    def is_offered_to(self, ids: Collection[str]) -> bool:
        """Return whether the free seat, if there is one, may be taken by these ids without a link."""
        return self.settings.opponent == "open" or self.settings.challenged in ids

    def is_joinable(self, ids: Collection[str]) -> bool:
        """Return whether these ids hold no seat and may take the free one without a link."""
        return self.status == "waiting" and self.find_seat(ids) is None and self.is_offered_to(ids)

    def apply_draft(self, draft: EventDraft, now: int, request_id: str | None = None) -> Event:
        """Give a draft the next version and apply it."""
        event = Event(self.version + 1, now, draft.data, draft.clock, request_id)
        self.apply(event, draft.after)
        return event

    def apply(self, event: Event, after: State | None = None) -> None:
        """Apply an event; nothing else changes a table."""
        assert event.version == self.version + 1
        self.version = event.version
        self.updated_at = event.at
        self.clock = event.clock
        if event.request_id is not None:
            self.handled_requests[event.request_id] = event.version
        match event.data:
            case events.StoredJoined() as data:
                self.seats[SEATS[data.seat]] = SeatedPlayer.from_info(data.user_id, data.player)
                self.holders[SEATS[data.seat]].add(data.user_id)
            case events.StoredDeviceAdded() as data:
                self.holders[SEATS[data.seat]].add(data.user_id)
            case events.StoredDeviceRemoved() as data:
                self.holders[SEATS[data.seat]].discard(data.user_id)
            case events.Started():
                self.status = "playing"
            case events.Moved() as data:
                self._apply_move(event, data, after)
            case events.TakebackOffered() as data:
                self.takeback_offer = SEATS[data.seat]
            case events.TakebackRefused():
                self.takeback_offer = None
            case events.TakenBack() as data:
                self._apply_takeback(data)
            case events.LevelChanged() as data:
                self._apply_level(data.level)
            case events.Ended() as data:
                self.status, self.result, self.takeback_offer = "over", data.result, None
                self.match_result = data.match.result if data.match else None
            case events.NextGame() as data:
                assert self.match is not None
                self.match = replace(self.match, other=data.table)
            case events.RematchOffered() as data:
                self.rematch_offer = SEATS[data.seat]
            case events.Rematched() as data:
                self.rematch, self.rematch_offer = data.table, None
            case events.Resumed() | events.VacationSet():
                pass  # they only bring a clock
            case _:
                assert_never(event.data)

    def _apply_move(self, event: Event, data: events.Moved, after: State | None) -> None:
        seat = SEATS[data.seat]
        self.state = after or self.state.play(self.game.move(data.action))
        self.scores = data.scores
        remaining = None if event.clock is None else event.clock.sides[seat].remaining_ms
        self.moves.append(PlayedMove(data.action, data.text, seat, data.elapsed_ms, event.at, remaining))

    def _apply_takeback(self, data: events.TakenBack) -> None:
        del self.moves[data.plies :]
        self.takeback_offer = None
        state = self.game.start()
        for played in self.moves:
            state = state.play(self.game.move(played.action))
        self.state = state
        self.scores = data.scores

    def _apply_level(self, level: int) -> None:
        seat = self.computer
        assert seat is not None
        player = self.seats[seat]
        assert player is not None
        self.seats[seat] = replace(player, level=level)
