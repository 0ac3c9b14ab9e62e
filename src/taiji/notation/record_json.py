"""Records as JSON values, with the same content as the text form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

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
from taiji.rules.errors import NotationError

if TYPE_CHECKING:
    from taiji.rules import Points

_MAX_POINTS = 10**30
_TYPE_NAMES: dict[type, str] = {
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a boolean",
    list: "an array",
    dict: "an object",
    type(None): "null",
}

Json = dict[str, Any]
T = TypeVar("T")


def record_to_json(record: Record) -> Json:
    """Return the record as a value for `json.dumps`; missing parts are left out."""
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
        evaluation = step.evaluation
        parts = {
            "chance": evaluation.win_prob,
            "margin": evaluation.margin,
            "playouts": evaluation.playouts,
        }
        value["eval"] = {name: part for name, part in parts.items() if part is not None}
    if step.variations:
        value["variations"] = [_variation_to_json(line) for line in step.variations]
    return value


def _variation_to_json(line: Variation) -> Json:
    comment = {"comment": line.comment} if line.comment else {}
    return {**comment, "moves": [_move_to_json(step) for step in line.steps]}


def record_from_json(value: object, *, check: bool = True) -> Record:
    """Return the record of a decoded JSON value; moves may be plain strings."""
    fields = _expect_object(value, "the record")
    try:
        game = parse_game(_get(fields, "game", str, ""))
    except GameError as error:
        raise NotationError(f"game: {error}") from error
    budget = _MoveBudget(MAX_MOVES)
    tags = _get(fields, "tags", dict, {})
    if not all(isinstance(text, str) for pair in tags.items() for text in pair):
        raise NotationError("tags: invalid (expected strings as names and values)")
    position = _get(fields, "position", str, "")
    termination = _get(fields, "termination", str, "")
    record = Record(
        game,
        _read_moves(fields, "moves", budget, depth=0),
        tuple(tags.items()),
        parse_result(_get(fields, "result", str, Result.OPEN.value)),
        _read_score(fields),
        parse_termination(termination) if termination else None,
        parse_position(position) if position else None,
        _get(fields, "comment", str, ""),
    )
    return validate(record) if check else record


class _MoveBudget:
    """The number of moves that a record may still add."""

    def __init__(self, maximum: int) -> None:
        self.remaining = maximum

    def spend(self, where: str) -> None:
        self.remaining -= 1
        if self.remaining < 0:
            raise NotationError(f"{where}: too many moves (maximum {MAX_MOVES:,})")


def _read_moves(fields: Json, where: str, budget: _MoveBudget, depth: int) -> tuple[RecordedMove, ...]:
    if depth > MAX_VARIATION_DEPTH:
        raise NotationError(f"{where}: variations nested too deep (maximum {MAX_VARIATION_DEPTH})")
    moves = []
    for index, value in enumerate(_get(fields, "moves", list, [])):
        path = f"{where}[{index}]"
        budget.spend(path)
        step = {"move": value} if isinstance(value, str) else _expect_object(value, path)
        moves.append(_read_move(step, path, budget, depth))
    return tuple(moves)


def _read_move(fields: Json, where: str, budget: _MoveBudget, depth: int) -> RecordedMove:
    lines = []
    for index, value in enumerate(_get(fields, "variations", list, [], where)):
        path = f"{where}.variations[{index}]"
        line = _expect_object(value, path)
        steps = _read_moves(line, f"{path}.moves", budget, depth + 1)
        comment = _get(line, "comment", str, "", path)
        with _error_context(path):
            lines.append(Variation(steps, comment))
    nags = _get(fields, "nags", list, [], where)
    if not all(type(nag) is int for nag in nags):
        raise NotationError(f"{where}.nags: invalid (expected integers)")
    move, comment = _get(fields, "move", str, "", where), _get(fields, "comment", str, "", where)
    clock, evaluation = _number(fields, "clock", where), _read_evaluation(fields, where)
    with _error_context(where):
        return RecordedMove(move, tuple(nags), comment, clock, evaluation, tuple(lines))


def _read_evaluation(fields: Json, where: str) -> Evaluation | None:
    if "eval" not in fields:
        return None
    path = f"{where}.eval"
    value = _expect_object(fields["eval"], path)
    win_prob, margin, playouts = (_number(value, name, path) for name in ("chance", "margin", "playouts"))
    if playouts is not None and not isinstance(playouts, int):
        raise NotationError(f"{path}.playouts: invalid (expected an integer)")
    with _error_context(path):
        return Evaluation(win_prob, margin, playouts)


def _read_score(fields: Json) -> Score | None:
    if "score" not in fields:
        return None
    value = _expect_object(fields["score"], "score")
    return Score(_read_points(value, "light"), _read_points(value, "dark"))


def _read_points(fields: Json, name: str) -> Points:
    number = _number(fields, name, "score")
    if number is None or not 0 <= number <= _MAX_POINTS or 2 * number != int(2 * number):
        raise NotationError("score: invalid (expected whole or half points for light and dark)")
    return int(number) if number == int(number) else number


def _expect_object(value: object, where: str) -> Json:
    if not isinstance(value, Mapping):
        raise NotationError(f"{where}: invalid (expected an object, not {_type_name(value)})")
    return dict(value)


def _number(fields: Json, key: str, where: str) -> int | float | None:
    value = fields.get(key)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise NotationError(f"{where}.{key}: invalid (expected a number, not {_type_name(value)})")


def _get(fields: Json, key: str, kind: type[T], default: T, where: str = "") -> T:
    value = fields.get(key, default)
    if not isinstance(value, kind):
        path = f"{where}.{key}" if where else key
        raise NotationError(f"{path}: invalid (expected {_TYPE_NAMES[kind]}, not {_type_name(value)})")
    return value


def _type_name(value: object) -> str:
    return _TYPE_NAMES.get(type(value), "something else")


@contextmanager
def _error_context(where: str) -> Iterator[None]:
    """Prefix errors with the path in the JSON value."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"{where}: {error}", ply=error.ply, reason=error.reason) from error
