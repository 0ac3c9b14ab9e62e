"""The events of a tournament: every action of the organiser, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taiji.arena.tournaments.models import (
    Adjudication,
    EarlyEnd,
    Format,
    Pairing,
    PairingResult,
    TournamentError,
    TournamentSettings,
)
from taiji.rules import MatchRule


@dataclass(frozen=True, slots=True)
class Created:
    """The tournament is created."""

    settings: TournamentSettings


@dataclass(frozen=True, slots=True)
class Entered:
    """A player enters."""

    name: str
    rating: int = 0


@dataclass(frozen=True, slots=True)
class Withdrew:
    """A player withdraws; their results stay."""

    player: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A withdrawn player returns."""

    player: int


@dataclass(frozen=True, slots=True)
class ByeRequested:
    """A player gets a bye in the next round, worth half a point or none."""

    player: int
    points: float = 0.5


@dataclass(frozen=True, slots=True)
class Paired:
    """The next round is drawn; the event stores the pairings, so that a replay does not draw again."""

    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class RoundUndone:
    """The last round is undone; only possible while it has no result."""


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A result is entered; `board_no` counts from 1."""

    round_no: int
    board_no: int
    result: PairingResult


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """A result is replaced; the old one stays in the log."""

    round_no: int
    board_no: int
    result: PairingResult
    reason: str = ""


Event = (
    Created
    | Entered
    | Withdrew
    | Returned
    | ByeRequested
    | Paired
    | RoundUndone
    | ResultEntered
    | ResultCorrected
)

_EVENT_TYPES: dict[str, type[Any]] = {
    "created": Created,
    "entered": Entered,
    "withdrew": Withdrew,
    "returned": Returned,
    "bye-asked": ByeRequested,
    "paired": Paired,
    "unpaired": RoundUndone,
    "scored": ResultEntered,
    "corrected": ResultCorrected,
}
_JSON_KEYS = {"round_no": "round", "board_no": "table"}
"""Keys in the log of fields with another name."""
_NAMES = {kind: name for name, kind in _EVENT_TYPES.items()}


def event_to_json(event: Event) -> dict[str, Any]:
    """Return an event as a JSON object of the log."""
    data: dict[str, Any] = {"event": _NAMES[type(event)]}
    match event:
        case Created(settings=settings):
            data["settings"] = {
                "name": settings.name,
                "format": settings.format.value,
                "game": settings.game,
                "games": settings.games,
                "rule": settings.rule.value,
                "rounds": settings.rounds,
            }
            if settings.declaration:
                data["settings"]["declaration"] = settings.declaration
        case Paired(pairings=pairings):
            data["pairings"] = [[p.first, p.second] if p.second else [p.first, None, p.bye] for p in pairings]
        case ResultEntered() | ResultCorrected():
            data |= {
                "round": event.round_no,
                "table": event.board_no,
                "result": _result_to_json(event.result),
            }
            if isinstance(event, ResultCorrected):
                data["reason"] = event.reason
        case _:
            data |= {name: getattr(event, name) for name in type(event).__dataclass_fields__}
    return data


def event_from_json(data: dict[str, Any]) -> Event:
    """Parse what `event_to_json` wrote."""
    try:
        kind = _EVENT_TYPES[data["event"]]
        keys = {name: _JSON_KEYS.get(name, name) for name in kind.__dataclass_fields__}
        fields = {name: data[key] for name, key in keys.items() if key in data}
        if kind is Created:
            settings = dict(fields["settings"])
            settings["format"] = Format(settings["format"])
            settings["rule"] = MatchRule(settings["rule"])
            fields["settings"] = TournamentSettings(**settings)
        elif kind is Paired:
            fields["pairings"] = tuple(Pairing(*pairing) for pairing in fields["pairings"])
        elif "result" in fields:
            fields["result"] = _result_from_json(fields["result"])
        event: Event = kind(**fields)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise TournamentError(f"not an event of a tournament: {str(data)[:80]} ({error})") from error
    return event


def _result_to_json(result: PairingResult) -> dict[str, Any]:
    data: dict[str, Any] = {"games": [list(game) for game in result.games]}
    if result.decision is not None:
        data["decision"] = result.decision.value
    if not result.played:
        data["absent"] = list(result.forfeits)
    if result.ended_by is not None:
        data["ended_by"] = result.ended_by.value
    return data


def _result_from_json(data: dict[str, Any]) -> PairingResult:
    one, two = data.get("absent", (False, False))
    decision, ended_by = data.get("decision"), data.get("ended_by")
    games = tuple((first, second) for first, second in data["games"])
    return PairingResult(
        games,
        None if decision is None else Adjudication(decision),
        (bool(one), bool(two)),
        None if ended_by is None else EarlyEnd(ended_by),
    )
