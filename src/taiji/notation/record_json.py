"""Records as JSON values: the same content as the text form, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from taiji.notation.errors import NotationError
from taiji.notation.positions import format_position, parse_position
from taiji.notation.record_tags import parse_result, parse_termination
from taiji.notation.records import (
    MAX_MOVES,
    MAX_VARIATION_DEPTH,
    Evaluation,
    Record,
    RecordedMove,
    Result,
    Score,
    Variation,
)
from taiji.notation.replays import validate
from taiji.rules import GameError, parse_game

if TYPE_CHECKING:
    from taiji.rules import Points

_MAX_POINTS = 10**30
_TYPE_NAMES: dict[type, str] = {
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "a truth value",
    list: "a list",
    dict: "an object",
    type(None): "null",
}

Json = dict[str, Any]
T = TypeVar("T")


def record_to_json(record: Record) -> Json:
    """Return the record as a value that `json.dumps` takes; what is absent is left out."""
    value: Json = {"game": str(record.game), "tags": dict(record.tags)}
    if record.start is not None:
        value["position"] = format_position(record.start)
    if record.comment:
        value["comment"] = record.comment
    value["moves"] = [_move_to_json(step) for step in record.steps]
    value["result"] = record.result.value
    if record.score is not None:
        value["score"] = record.score._asdict()
    if record.termination is not None:
        value["termination"] = record.termination.value
    return value


def _move_to_json(step: RecordedMove) -> Json:
    value: Json = {"move": step.move}
    if step.nags:
        value["nags"] = list(step.nags)
    if step.comment:
        value["comment"] = step.comment
    if step.clock is not None:
        value["clock"] = step.clock
    if step.evaluation is not None:
        names = ("chance", "margin", "playouts")
        found = {name: getattr(step.evaluation, name) for name in names}
        value["eval"] = {name: number for name, number in found.items() if number is not None}
    if step.variations:
        value["variations"] = [_variation_to_json(line) for line in step.variations]
    return value


def _variation_to_json(line: Variation) -> Json:
    comment = {"comment": line.comment} if line.comment else {}
    return {**comment, "moves": [_move_to_json(step) for step in line.steps]}


def record_from_json(value: object, *, check: bool = True) -> Record:
    """Read a record from a decoded JSON value; moves may be given as bare texts."""
    table = _expect_object(value, "the record")
    try:
        game = parse_game(_get(table, "game", str, ""))
    except GameError as error:
        raise NotationError(f"game: {error}") from error
    budget = _MoveBudget(MAX_MOVES)
    tags = _get(table, "tags", dict, {})
    if not all(isinstance(text, str) for pair in tags.items() for text in pair):
        raise NotationError("tags: names and values are texts")
    position = _get(table, "position", str, "")
    termination = _get(table, "termination", str, "")
    record = Record(
        game,
        _read_moves(table, "moves", budget, depth=0),
        tuple(tags.items()),
        parse_result(_get(table, "result", str, Result.OPEN.value)),
        _read_score(table),
        parse_termination(termination) if termination else None,
        parse_position(position) if position else None,
        _get(table, "comment", str, ""),
    )
    return validate(record) if check else record


class _MoveBudget:
    """Counts the moves that may still come."""

    def __init__(self, most: int) -> None:
        self.remaining = most

    def spend(self, where: str) -> None:
        self.remaining -= 1
        if self.remaining < 0:
            raise NotationError(f"{where}: a record has at most {MAX_MOVES:,} moves")


def _read_moves(table: Json, where: str, budget: _MoveBudget, depth: int) -> tuple[RecordedMove, ...]:
    if depth > MAX_VARIATION_DEPTH:
        raise NotationError(f"{where}: variations lie at most {MAX_VARIATION_DEPTH} deep")
    found = []
    for index, value in enumerate(_get(table, "moves", list, [])):
        here = f"{where}[{index}]"
        budget.spend(here)
        step = {"move": value} if isinstance(value, str) else _expect_object(value, here)
        found.append(_read_move(step, here, budget, depth))
    return tuple(found)


def _read_move(table: Json, where: str, budget: _MoveBudget, depth: int) -> RecordedMove:
    lines = []
    for index, value in enumerate(_get(table, "variations", list, [], where)):
        here = f"{where}.variations[{index}]"
        line = _expect_object(value, here)
        steps = _read_moves(line, f"{here}.moves", budget, depth + 1)
        comment = _get(line, "comment", str, "", here)
        with _error_context(here):
            lines.append(Variation(steps, comment))
    nags = _get(table, "nags", list, [], where)
    if not all(type(nag) is int for nag in nags):
        raise NotationError(f"{where}.nags: whole numbers were expected")
    move, comment = _get(table, "move", str, "", where), _get(table, "comment", str, "", where)
    clock, evaluation = _number(table, "clock", where), _read_evaluation(table, where)
    with _error_context(where):
        return RecordedMove(move, tuple(nags), comment, clock, evaluation, tuple(lines))


def _read_evaluation(table: Json, where: str) -> Evaluation | None:
    if "eval" not in table:
        return None
    here = f"{where}.eval"
    value = _expect_object(table["eval"], here)
    chance, margin, playouts = (_number(value, name, here) for name in ("chance", "margin", "playouts"))
    if playouts is not None and not isinstance(playouts, int):
        raise NotationError(f"{here}.playouts: a whole number was expected")
    with _error_context(here):
        return Evaluation(chance, margin, playouts)


def _read_score(table: Json) -> Score | None:
    if "score" not in table:
        return None
    value = _expect_object(table["score"], "score")
    return Score(_read_points(value, "light"), _read_points(value, "dark"))


def _read_points(table: Json, name: str) -> Points:
    number = _number(table, name, "score")
    if number is None or not 0 <= number <= _MAX_POINTS or 2 * number != int(2 * number):
        raise NotationError("score: give whole or half points for light and dark")
    return int(number) if number == int(number) else number


def _expect_object(value: object, where: str) -> Json:
    if not isinstance(value, Mapping):
        raise NotationError(f"{where}: an object was expected, not {_type_name(value)}")
    return dict(value)


def _number(table: Json, key: str, where: str) -> int | float | None:
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise NotationError(f"{where}.{key}: a number was expected, not {_type_name(value)}")


def _get(table: Json, key: str, kind: type[T], default: T, where: str = "") -> T:
    value = table.get(key, default)
    if not isinstance(value, kind):
        here = f"{where}.{key}" if where else key
        raise NotationError(f"{here}: {_TYPE_NAMES[kind]} was expected, not {_type_name(value)}")
    return value


def _type_name(value: object) -> str:
    return _TYPE_NAMES.get(type(value), "something else")


@contextmanager
def _error_context(where: str) -> Iterator[None]:
    """Tell where in the value an error is."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"{where}: {error}", ply=error.ply, reason=error.reason) from error
