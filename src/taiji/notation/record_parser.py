"""Parsing the text of one game into a record."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from taiji.notation.comments import CommentData, parse_comment
from taiji.notation.errors import NotationError, excerpt
from taiji.notation.record_lexer import SourceMap, Token, tokenise
from taiji.notation.record_splitter import MAX_GAME_CHARS, RawGame
from taiji.notation.record_tags import RecordHeader, parse_header
from taiji.notation.record_writer import GLYPHS
from taiji.notation.records import (
    MAX_MOVES,
    MAX_NAG,
    MAX_VARIATION_DEPTH,
    Record,
    RecordedMove,
    Result,
    Variation,
    normalise_move_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def parse_raw_game(raw: RawGame) -> Record:
    """Read one game; the moves are split but not yet checked by the rules."""
    if raw.too_long:
        raise NotationError(f"a game has at most {MAX_GAME_CHARS:,} characters", line=raw.line, column=1)
    source = SourceMap(raw.text, raw.line)
    found = list(tokenise(raw.text, source))
    header = parse_header([token for token in found if token.kind == "tag"], source)
    movetext = _MovetextParser((token for token in found if token.kind != "tag"), source)
    record = header.record
    steps, comment = movetext.read_variation(record.first.ply, depth=0)
    result = _reconcile_result(header, movetext.result, source)
    return replace(record, steps=steps, comment=comment, result=result)


def _reconcile_result(header: RecordHeader, token: Token | None, source: SourceMap) -> Result:
    """Return the result that the tag and the end of the moves agree on; either may be missing."""
    if token is None:
        return header.record.result
    result = Result(token.text)
    if header.has_result and result is not header.record.result:
        said = header.record.result.value
        raise source.error(f"the tag Result says {said}, the moves end with {token.text}", token.offset)
    return result


@dataclass
class _MoveDraft:
    """A step that is being read."""

    token: Token
    source_pos: tuple[int, int]
    comment: CommentData = field(default_factory=CommentData)
    nags: list[int] = field(default_factory=list)
    variations: list[Variation] = field(default_factory=list)

    def build(self) -> RecordedMove:
        """Return the step as it was read."""
        said = self.comment
        nags, lines = tuple(self.nags), tuple(self.variations)
        return RecordedMove(
            self.token.text, nags, said.text, said.clock, said.evaluation, lines, self.source_pos
        )


_VariationParts = tuple[tuple[RecordedMove, ...], str]
"""The steps of a line, and the comment before the first."""


class _MovetextParser:
    """Reads the tokens of the moves, line within line."""

    def __init__(self, tokens: Iterable[Token], source: SourceMap) -> None:
        self._tokens: Iterator[Token] = iter(tokens)
        self._source = source
        self._steps = 0
        self.result: Token | None = None

    def read_variation(self, ply: int, depth: int, opened: Token | None = None) -> _VariationParts:
        """Read to the end of a variation, or of the game."""
        before = CommentData()
        drafts: list[_MoveDraft] = []
        for token in self._tokens:
            if token.kind in ("comment", "rest"):
                remark = self._parse_comment(token)
                if drafts:
                    drafts[-1].comment += remark
                else:
                    before = self._require_plain_text(before + remark, token)
            elif self.result is not None:
                raise self._error("this stands behind the result", token)
            elif token.kind == "close":
                if opened is None or not drafts:
                    raise self._error("an empty variation" if opened else "no variation is open here", token)
                return _build_moves(drafts), before.text
            elif token.kind == "result":
                if opened is not None:
                    raise self._error("a result stands in no variation", token)
                self.result = token
            elif token.kind == "number":
                self._check_move_number(token, ply)
            elif token.kind == "move":
                drafts.append(self._draft(token, ply))
                ply += 1
            else:
                self._annotate(drafts, token, ply, depth)
        if opened is not None:
            raise self._error("this variation is never closed", opened)
        return _build_moves(drafts), before.text

    def _draft(self, token: Token, ply: int) -> _MoveDraft:
        self._steps += 1
        if self._steps > MAX_MOVES:
            raise self._error(f"a record has at most {MAX_MOVES:,} moves", token)
        try:
            normalise_move_text(token.text)
        except NotationError as error:
            raise self._source.relocate(error, token.offset).at(ply=ply + 1) from error
        return _MoveDraft(token, self._source.position(token.offset))

    def _annotate(self, drafts: list[_MoveDraft], token: Token, ply: int, depth: int) -> None:
        """Read what belongs to the move before: a glyph or a variation."""
        if not drafts:
            raise self._error(f"{excerpt(token.text)} stands behind no move", token)
        if token.kind == "open":
            if depth == MAX_VARIATION_DEPTH:
                raise self._error(f"variations lie at most {MAX_VARIATION_DEPTH} deep", token)
            drafts[-1].variations.append(Variation(*self.read_variation(ply - 1, depth + 1, token)))
            return
        if token.kind == "glyph" and token.text not in GLYPHS:
            raise self._error(f"{token.text} is none of {' '.join(GLYPHS)}", token)
        nag = GLYPHS.index(token.text) + 1 if token.kind == "glyph" else int(token.text)
        if nag > MAX_NAG:
            raise self._error(f"${nag}: annotation glyphs go from $0 to ${MAX_NAG}", token)
        drafts[-1].nags.append(nag)

    def _parse_comment(self, token: Token) -> CommentData:
        if token.kind == "rest":
            return CommentData(token.text)
        try:
            return parse_comment(token.text)
        except NotationError as error:
            raise self._source.relocate(error, token.offset) from error

    def _require_plain_text(self, comment: CommentData, token: Token) -> CommentData:
        if comment.clock is not None or comment.evaluation is not None:
            raise self._error("a clock or an evaluation stands behind a move", token)
        return comment

    def _check_move_number(self, token: Token, ply: int) -> None:
        if int(token.text) != ply // 2 + 1:
            raise self._error(f"number {token.text} where {ply // 2 + 1} is due", token)

    def _error(self, message: str, token: Token) -> NotationError:
        return self._source.error(message, token.offset)


def _build_moves(drafts: list[_MoveDraft]) -> tuple[RecordedMove, ...]:
    return tuple(draft.build() for draft in drafts)
