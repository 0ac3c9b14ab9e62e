"""Events as they are sent: a union discriminated by `event_type`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from taiji.server.contract import events
from taiji.server.contract.clocks import ClockInfo
from taiji.server.contract.messages import View


class EventFrame(View):
    """An event of a table; versions count from 1 without a gap."""

    type: Literal["event"] = "event"
    version: int
    at: int
    clock: ClockInfo | None


class JoinEvent(EventFrame):
    """A player has taken a seat."""

    event_type: Literal["join"] = "join"
    data: events.Joined


class DeviceAddedEvent(EventFrame):
    """One more browser holds a seat."""

    event_type: Literal["device-added"] = "device-added"
    data: events.DeviceAdded


class DeviceRemovedEvent(EventFrame):
    """A browser does not hold a seat any more."""

    event_type: Literal["device-removed"] = "device-removed"
    data: events.DeviceRemoved


class StartEvent(EventFrame):
    """The game starts."""

    event_type: Literal["start"] = "start"
    data: events.Started


class MoveEvent(EventFrame):
    """A move was played."""

    event_type: Literal["move"] = "move"
    data: events.Moved


class TakebackOfferEvent(EventFrame):
    """A player asks to take their last move back."""

    event_type: Literal["takeback-offer"] = "takeback-offer"
    data: events.TakebackOffered


class TakebackRefusedEvent(EventFrame):
    """The takeback was refused."""

    event_type: Literal["takeback-refused"] = "takeback-refused"
    data: events.TakebackRefused


class TakebackEvent(EventFrame):
    """Moves were taken back."""

    event_type: Literal["takeback"] = "takeback"
    data: events.TakenBack


class LevelEvent(EventFrame):
    """The computer plays at another level."""

    event_type: Literal["level"] = "level"
    data: events.LevelChanged


class EndEvent(EventFrame):
    """The game is over."""

    event_type: Literal["end"] = "end"
    data: events.Ended


class NextGameEvent(EventFrame):
    """The second game of the match has a table."""

    event_type: Literal["next-game"] = "next-game"
    data: events.NextGame


class RematchOfferEvent(EventFrame):
    """A player asks for a rematch."""

    event_type: Literal["rematch-offer"] = "rematch-offer"
    data: events.RematchOffered


class RematchEvent(EventFrame):
    """The rematch has a table."""

    event_type: Literal["rematch"] = "rematch"
    data: events.Rematched


class ResumeEvent(EventFrame):
    """The server is back."""

    event_type: Literal["resume"] = "resume"
    data: events.Resumed


class VacationEvent(EventFrame):
    """A player is away, or back."""

    event_type: Literal["vacation"] = "vacation"
    data: events.VacationSet


TableEvent = Annotated[
    JoinEvent
    | DeviceAddedEvent
    | DeviceRemovedEvent
    | StartEvent
    | MoveEvent
    | TakebackOfferEvent
    | TakebackRefusedEvent
    | TakebackEvent
    | LevelEvent
    | EndEvent
    | NextGameEvent
    | RematchOfferEvent
    | RematchEvent
    | ResumeEvent
    | VacationEvent,
    Field(discriminator="event_type"),
]


class EventList(View):
    """The events after a version."""

    version: int
    events: list[TableEvent]


TABLE_EVENT: dict[str, Callable[..., TableEvent]] = {
    frame.model_fields["event_type"].default: frame
    for frame in (
        JoinEvent, DeviceAddedEvent, DeviceRemovedEvent, StartEvent, MoveEvent, TakebackOfferEvent,
        TakebackRefusedEvent, TakebackEvent, LevelEvent, EndEvent, NextGameEvent, RematchOfferEvent,
        RematchEvent, ResumeEvent, VacationEvent,
    )
}  # fmt: skip
"""The frame of each event type."""
