"""Parsing the text of one game into a record."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from taiji.notation.comments import Remark, parse_comment
from taiji.notation.errors import NotationError, shown
from taiji.notation.record_chunks import LARGEST_GAME, Chunk
from taiji.notation.record_lexer import Places, Token, tokens
from taiji.notation.record_tags import Heading, read_heading
from taiji.notation.record_writer import GLYPHS
from taiji.notation.records import (
    LARGEST_NAG,
    MOST_NESTING,
    MOST_STEPS,
    Line,
    Record,
    Result,
    Step,
    move_word,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def parse_chunk(chunk: Chunk) -> Record:
    """Read one game; the moves are split but not yet checked by the rules."""
    if chunk.too_long:
        raise NotationError(f"a game has at most {LARGEST_GAME:,} characters", line=chunk.line, column=1)
    places = Places(chunk.text, chunk.line)
    found = list(tokens(chunk.text, places))
    heading = read_heading([token for token in found if token.kind == "tag"], places)
    movetext = _Movetext((token for token in found if token.kind != "tag"), places)
    record = heading.record
    steps, comment = movetext.read_line(record.first.ply, depth=0)
    result = _agreed(heading, movetext.result, places)
    return replace(record, steps=steps, comment=comment, result=result)


def _agreed(heading: Heading, token: Token | None, places: Places) -> Result:
    """Return the result that the tag and the end of the moves agree on; either may be missing."""
    if token is None:
        return heading.record.result
    result = Result(token.text)
    if heading.has_result and result is not heading.record.result:
        said = heading.record.result.value
        raise places.error(f"the tag Result says {said}, the moves end with {token.text}", token.at)
    return result


@dataclass
class _Draft:
    """A step that is being read."""

    token: Token
    place: tuple[int, int]
    remark: Remark = field(default_factory=Remark)
    nags: list[int] = field(default_factory=list)
    variations: list[Line] = field(default_factory=list)

    def step(self) -> Step:
        """Return the step as it was read."""
        said = self.remark
        nags, lines = tuple(self.nags), tuple(self.variations)
        return Step(self.token.text, nags, said.text, said.clock, said.evaluation, lines, self.place)


_Read = tuple[tuple[Step, ...], str]
"""The steps of a line, and the comment before the first."""


class _Movetext:
    """Reads the tokens of the moves, line within line."""

    def __init__(self, found: Iterable[Token], places: Places) -> None:
        self._tokens: Iterator[Token] = iter(found)
        self._places = places
        self._steps = 0
        self.result: Token | None = None

    def read_line(self, ply: int, depth: int, opened: Token | None = None) -> _Read:
        """Read to the end of a variation, or of the game."""
        before = Remark()
        drafts: list[_Draft] = []
        for token in self._tokens:
            if token.kind in ("comment", "rest"):
                remark = self._remark(token)
                if drafts:
                    drafts[-1].remark += remark
                else:
                    before = self._only_text(before + remark, token)
            elif self.result is not None:
                raise self._error("this stands behind the result", token)
            elif token.kind == "close":
                if opened is None or not drafts:
                    raise self._error("an empty variation" if opened else "no variation is open here", token)
                return _steps(drafts), before.text
            elif token.kind == "result":
                if opened is not None:
                    raise self._error("a result stands in no variation", token)
                self.result = token
            elif token.kind == "number":
                self._check_number(token, ply)
            elif token.kind == "move":
                drafts.append(self._draft(token, ply))
                ply += 1
            else:
                self._annotate(drafts, token, ply, depth)
        if opened is not None:
            raise self._error("this variation is never closed", opened)
        return _steps(drafts), before.text

    def _draft(self, token: Token, ply: int) -> _Draft:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise self._error(f"a record has at most {MOST_STEPS:,} moves", token)
        try:
            move_word(token.text)
        except NotationError as error:
            raise self._places.move(error, token.at).at(ply=ply + 1) from error
        return _Draft(token, self._places.of(token.at))

    def _annotate(self, drafts: list[_Draft], token: Token, ply: int, depth: int) -> None:
        """Read what belongs to the move before: a glyph or a variation."""
        if not drafts:
            raise self._error(f"{shown(token.text)} stands behind no move", token)
        if token.kind == "open":
            if depth == MOST_NESTING:
                raise self._error(f"variations lie at most {MOST_NESTING} deep", token)
            drafts[-1].variations.append(Line(*self.read_line(ply - 1, depth + 1, token)))
            return
        if token.kind == "glyph" and token.text not in GLYPHS:
            raise self._error(f"{token.text} is none of {' '.join(GLYPHS)}", token)
        nag = GLYPHS.index(token.text) + 1 if token.kind == "glyph" else int(token.text)
        if nag > LARGEST_NAG:
            raise self._error(f"${nag}: annotation glyphs go from $0 to ${LARGEST_NAG}", token)
        drafts[-1].nags.append(nag)

    def _remark(self, token: Token) -> Remark:
        if token.kind == "rest":
            return Remark(token.text)
        try:
            return parse_comment(token.text)
        except NotationError as error:
            raise self._places.move(error, token.at) from error

    def _only_text(self, remark: Remark, token: Token) -> Remark:
        if remark.clock is not None or remark.evaluation is not None:
            raise self._error("a clock or an evaluation stands behind a move", token)
        return remark

    def _check_number(self, token: Token, ply: int) -> None:
        if int(token.text) != ply // 2 + 1:
            raise self._error(f"number {token.text} where {ply // 2 + 1} is due", token)

    def _error(self, message: str, token: Token) -> NotationError:
        return self._places.error(message, token.at)


def _steps(drafts: list[_Draft]) -> tuple[Step, ...]:
    return tuple(draft.step() for draft in drafts)
