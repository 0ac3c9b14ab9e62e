"""Parse the tags of a record into a record without moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from taiji.notation.positions import parse_position
from taiji.notation.records import FIELD_TAGS, Record, Result, Score, Termination, canonical_tag_name
from taiji.rules import GameError, parse_game
from taiji.rules.errors import NotationError, excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from taiji.notation.record_lexer import SourceMap, Token
    from taiji.rules import Game, Points, State

_SCORE = re.compile(r"([0-9]{1,30})(\.5)?-([0-9]{1,30})(\.5)?")

T = TypeVar("T")


@dataclass(frozen=True)
class RecordHeader:
    """A record without its moves."""

    record: Record
    has_result: bool
    """Whether there was a tag Result."""


def parse_header(tokens: Iterable[Token], source: SourceMap) -> RecordHeader:
    """Build the record that the tags describe."""
    fields: dict[str, Token] = {}
    others: list[tuple[str, str]] = []
    for token in tokens:
        try:
            name = canonical_tag_name(token.name)
        except NotationError as error:
            raise source.relocate(error, token.offset) from error
        if name in fields or any(name == other for other, _ in others):
            raise source.error(f"duplicate tag {name}", token.offset)
        if name in FIELD_TAGS:
            fields[name] = token
        else:
            others.append((name, token.text))
    if "Game" not in fields:
        raise source.error('missing tag Game (expected [Game "taiji"])', 0)

    def read(name: str, parse: Callable[[str], T]) -> T | None:
        token = fields.get(name)
        if token is None:
            return None
        try:
            return parse(token.text)
        except NotationError as error:
            raise source.relocate(error, token.offset) from error

    game = read("Game", _parse_game_tag)
    assert game is not None
    start = read("Position", lambda text: _parse_position_tag(game, text))
    result, score = read("Result", parse_result) or Result.OPEN, read("Score", parse_score)
    termination = read("Termination", parse_termination)
    try:
        record = Record(game, (), tuple(others), result, score, termination, start)
    except NotationError as error:
        raise source.relocate(error, 0) from error
    return RecordHeader(record, "Result" in fields)


def _parse_game_tag(text: str) -> Game:
    try:
        return parse_game(text)
    except GameError as error:
        raise NotationError(str(error)) from error


def _parse_position_tag(game: Game, text: str) -> State:
    state = parse_position(text)
    if state.game != game:
        raise NotationError(f"position of {state.game} contradicts the tag Game {str(game)!r}")
    return state


def parse_result(text: str) -> Result:
    """Parse a result."""
    try:
        return Result(text.strip())
    except ValueError:
        known = ", ".join(result.value for result in Result)
        raise NotationError(f"unknown result {excerpt(text)!r} (expected {known})") from None


def parse_termination(text: str) -> Termination:
    """Parse a termination."""
    try:
        return Termination(text.strip().lower())
    except ValueError:
        known = ", ".join(termination.value for termination in Termination)
        raise NotationError(f"unknown termination {excerpt(text)!r} (expected {known})") from None


def parse_score(text: str) -> Score:
    """Parse a score, `13-10` or `13.5-10`."""
    match = _SCORE.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"invalid score {excerpt(text)!r} (expected 13-10 or 13.5-10)")
    return Score(_points(match[1], match[2]), _points(match[3], match[4]))


def _points(integer: str, half: str | None) -> Points:
    return int(integer) + 0.5 if half else int(integer)
