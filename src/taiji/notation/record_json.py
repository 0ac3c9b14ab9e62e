"""Records as JSON values: the same content as the text form, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from taiji.notation.errors import NotationError
from taiji.notation.positions import format_position, parse_position
from taiji.notation.record_tags import parse_result, parse_termination
from taiji.notation.records import MOST_NESTING, MOST_STEPS, Evaluation, Line, Record, Result, Score, Step
from taiji.notation.replays import checked
from taiji.rules import GameError, parse_game

if TYPE_CHECKING:
    from taiji.rules import Points

_MOST_POINTS = 10**30
_KINDS: dict[type, str] = {
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
    value["moves"] = [_step_to_json(step) for step in record.steps]
    value["result"] = record.result.value
    if record.score is not None:
        value["score"] = record.score._asdict()
    if record.termination is not None:
        value["termination"] = record.termination.value
    return value


def _step_to_json(step: Step) -> Json:
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
        value["variations"] = [_line_to_json(line) for line in step.variations]
    return value


def _line_to_json(line: Line) -> Json:
    comment = {"comment": line.comment} if line.comment else {}
    return {**comment, "moves": [_step_to_json(step) for step in line.steps]}


def record_from_json(value: object, *, check: bool = True) -> Record:
    """Read a record from a decoded JSON value; moves may be given as bare texts."""
    table = _table(value, "the record")
    try:
        game = parse_game(_get(table, "game", str, ""))
    except GameError as error:
        raise NotationError(f"game: {error}") from error
    budget = _Budget(MOST_STEPS)
    tags = _get(table, "tags", dict, {})
    if not all(isinstance(text, str) for pair in tags.items() for text in pair):
        raise NotationError("tags: names and values are texts")
    position = _get(table, "position", str, "")
    termination = _get(table, "termination", str, "")
    record = Record(
        game,
        _steps(table, "moves", budget, depth=0),
        tuple(tags.items()),
        parse_result(_get(table, "result", str, Result.OPEN.value)),
        _score(table),
        parse_termination(termination) if termination else None,
        parse_position(position) if position else None,
        _get(table, "comment", str, ""),
    )
    return checked(record) if check else record


class _Budget:
    """Counts the moves that may still come."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, where: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise NotationError(f"{where}: a record has at most {MOST_STEPS:,} moves")


def _steps(table: Json, where: str, budget: _Budget, depth: int) -> tuple[Step, ...]:
    if depth > MOST_NESTING:
        raise NotationError(f"{where}: variations lie at most {MOST_NESTING} deep")
    found = []
    for index, value in enumerate(_get(table, "moves", list, [])):
        here = f"{where}[{index}]"
        budget.spend(here)
        step = {"move": value} if isinstance(value, str) else _table(value, here)
        found.append(_step(step, here, budget, depth))
    return tuple(found)


def _step(table: Json, where: str, budget: _Budget, depth: int) -> Step:
    lines = []
    for index, value in enumerate(_get(table, "variations", list, [], where)):
        here = f"{where}.variations[{index}]"
        line = _table(value, here)
        steps = _steps(line, f"{here}.moves", budget, depth + 1)
        comment = _get(line, "comment", str, "", here)
        with _at(here):
            lines.append(Line(steps, comment))
    nags = _get(table, "nags", list, [], where)
    if not all(type(nag) is int for nag in nags):
        raise NotationError(f"{where}.nags: whole numbers were expected")
    move, comment = _get(table, "move", str, "", where), _get(table, "comment", str, "", where)
    clock, evaluation = _number(table, "clock", where), _evaluation(table, where)
    with _at(where):
        return Step(move, tuple(nags), comment, clock, evaluation, tuple(lines))


def _evaluation(table: Json, where: str) -> Evaluation | None:
    if "eval" not in table:
        return None
    here = f"{where}.eval"
    value = _table(table["eval"], here)
    chance, margin, playouts = (_number(value, name, here) for name in ("chance", "margin", "playouts"))
    if playouts is not None and not isinstance(playouts, int):
        raise NotationError(f"{here}.playouts: a whole number was expected")
    with _at(here):
        return Evaluation(chance, margin, playouts)


def _score(table: Json) -> Score | None:
    if "score" not in table:
        return None
    value = _table(table["score"], "score")
    return Score(_points(value, "light"), _points(value, "dark"))


def _points(table: Json, name: str) -> Points:
    number = _number(table, name, "score")
    if number is None or not 0 <= number <= _MOST_POINTS or 2 * number != int(2 * number):
        raise NotationError("score: give whole or half points for light and dark")
    return int(number) if number == int(number) else number


def _table(value: object, where: str) -> Json:
    if not isinstance(value, Mapping):
        raise NotationError(f"{where}: an object was expected, not {_said(value)}")
    return dict(value)


def _number(table: Json, key: str, where: str) -> int | float | None:
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise NotationError(f"{where}.{key}: a number was expected, not {_said(value)}")


def _get(table: Json, key: str, kind: type[T], default: T, where: str = "") -> T:
    value = table.get(key, default)
    if not isinstance(value, kind):
        here = f"{where}.{key}" if where else key
        raise NotationError(f"{here}: {_KINDS[kind]} was expected, not {_said(value)}")
    return value


def _said(value: object) -> str:
    return _KINDS.get(type(value), "something else")


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Tell where in the value an error is."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"{where}: {error}", ply=error.ply, reason=error.reason) from error
