"""Reading the tags of a record: the game, the names, the claims about the end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from taiji.notation.errors import NotationError, excerpt
from taiji.notation.positions import parse_position
from taiji.notation.records import FIELD_TAGS, Record, Result, Score, Termination, canonical_tag_name
from taiji.rules import GameError, parse_game

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
    """Whether a tag said how the game ended."""


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
            raise source.error(f"tag {name} is given twice", token.offset)
        if name in FIELD_TAGS:
            fields[name] = token
        else:
            others.append((name, token.text))
    if "Game" not in fields:
        raise source.error('no tag says which game this is: [Game "taiji"]', 0)

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
        raise NotationError(f"the tag Game says {game}, this position is one of {state.game}")
    return state


def parse_result(text: str) -> Result:
    """Read a result."""
    try:
        return Result(text.strip())
    except ValueError:
        known = ", ".join(result.value for result in Result)
        raise NotationError(f"{excerpt(text)!r} is no result: there are {known}") from None


def parse_termination(text: str) -> Termination:
    """Read what ended a game."""
    try:
        return Termination(text.strip().lower())
    except ValueError:
        known = ", ".join(way.value for way in Termination)
        raise NotationError(f"{excerpt(text)!r} is no way to end a game: there are {known}") from None


def parse_score(text: str) -> Score:
    """Read a score, `13-10` or `13.5-10`."""
    match = _SCORE.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"{excerpt(text)!r} is no score: write 13-10 or 13.5-10")
    return Score(_points(match[1], match[2]), _points(match[3], match[4]))


def _points(whole: str, half: str | None) -> Points:
    return int(whole) + 0.5 if half else int(whole)
