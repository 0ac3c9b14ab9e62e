"""The events of a table: what clients receive, and what the database stores in addition.

Each event type has one class for its public data. If the database stores more, a subclass holds it, and
`public` returns the base class: only its fields are ever sent.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from taiji.server.contract.messages import SeatName, SeatScores, View
from taiji.server.contract.tables import GameResult, MatchInfo, PlayerInfo

EVENT_FORMAT = 3
"""The format of the events that are written; `store/upgrades.py` reads the earlier ones."""


class EventData(View):
    """The data of an event."""

    event_type: ClassVar[str]

    def public(self) -> EventData:
        """Return what clients receive."""
        return self


class Joined(EventData):
    """A player has taken a seat."""

    event_type: ClassVar[Literal["join"]] = "join"
    seat: SeatName
    player: PlayerInfo


class StoredJoined(Joined):
    """With the id that owns the seat."""

    user_id: str

    def public(self) -> Joined:
        """Return what clients receive."""
        return Joined(seat=self.seat, player=self.player)


class DeviceAdded(EventData):
    """One more browser of the same player holds a seat."""

    event_type: ClassVar[Literal["device-added"]] = "device-added"
    seat: SeatName


class StoredDeviceAdded(DeviceAdded):
    """With the id of the browser."""

    user_id: str

    def public(self) -> DeviceAdded:
        """Return what clients receive."""
        return DeviceAdded(seat=self.seat)


class DeviceRemoved(EventData):
    """The link that a browser used was revoked: it does not hold the seat any more."""

    event_type: ClassVar[Literal["device-removed"]] = "device-removed"
    seat: SeatName


class StoredDeviceRemoved(DeviceRemoved):
    """With the id of the browser."""

    user_id: str

    def public(self) -> DeviceRemoved:
        """Return what clients receive."""
        return DeviceRemoved(seat=self.seat)


class Started(EventData):
    """Both seats are taken."""

    event_type: ClassVar[Literal["start"]] = "start"
    turn: SeatName


class Moved(EventData):
    """A move was played; `turn` is None if it ended the game."""

    event_type: ClassVar[Literal["move"]] = "move"
    ply: int
    action: int
    text: str
    seat: SeatName
    elapsed_ms: int
    turn: SeatName | None
    scores: SeatScores


class TakebackOffered(EventData):
    """A player asks to take their last move back."""

    event_type: ClassVar[Literal["takeback-offer"]] = "takeback-offer"
    seat: SeatName


class TakebackRefused(EventData):
    """The seat that refused, explicitly or by moving on."""

    event_type: ClassVar[Literal["takeback-refused"]] = "takeback-refused"
    seat: SeatName


class TakenBack(EventData):
    """The game is back at `plies` plies."""

    event_type: ClassVar[Literal["takeback"]] = "takeback"
    plies: int
    turn: SeatName
    scores: SeatScores


class LevelChanged(EventData):
    """The computer plays at another level."""

    event_type: ClassVar[Literal["level"]] = "level"
    level: int


class Ended(EventData):
    """The game is over."""

    event_type: ClassVar[Literal["end"]] = "end"
    result: GameResult
    match: MatchInfo | None


class NextGame(EventData):
    """The second game of the match is at this table."""

    event_type: ClassVar[Literal["next-game"]] = "next-game"
    table: str


class RematchOffered(EventData):
    """A player asks for a rematch."""

    event_type: ClassVar[Literal["rematch-offer"]] = "rematch-offer"
    seat: SeatName


class Rematched(EventData):
    """The rematch is at this table."""

    event_type: ClassVar[Literal["rematch"]] = "rematch"
    table: str


class Resumed(EventData):
    """The server was down; no clock is charged for that time."""

    event_type: ClassVar[Literal["resume"]] = "resume"
    downtime_ms: int


class VacationSet(EventData):
    """A player is away until a time, and their clock does not run; None ends that."""

    event_type: ClassVar[Literal["vacation"]] = "vacation"
    seat: SeatName
    until: int | None


StoredEvent = (
    StoredJoined
    | StoredDeviceAdded
    | StoredDeviceRemoved
    | Started
    | Moved
    | TakebackOffered
    | TakebackRefused
    | TakenBack
    | LevelChanged
    | Ended
    | NextGame
    | RematchOffered
    | Rematched
    | Resumed
    | VacationSet
)
"""The data of every event, as the database stores it."""

STORED_EVENTS: dict[str, type[StoredEvent]] = {
    data.event_type: data
    for data in (
        StoredJoined, StoredDeviceAdded, StoredDeviceRemoved, Started, Moved, TakebackOffered,
        TakebackRefused, TakenBack, LevelChanged, Ended, NextGame, RematchOffered, Rematched, Resumed,
        VacationSet,
    )
}  # fmt: skip
