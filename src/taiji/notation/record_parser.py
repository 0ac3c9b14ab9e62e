"""Parse the text of one game into a record."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from taiji.notation.comments import CommentData, parse_comment
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
from taiji.rules.errors import NotationError, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def parse_raw_game(raw: RawGame) -> Record:
    """Parse one game; the moves are not checked by the rules yet."""
    if raw.too_long:
        raise NotationError(f"game too long (maximum {MAX_GAME_CHARS:,} characters)", line=raw.line, column=1)
    source = SourceMap(raw.text, raw.line)
    tokens = list(tokenise(raw.text, source))
    header = parse_header([token for token in tokens if token.kind == "tag"], source)
    movetext = _MovetextParser((token for token in tokens if token.kind != "tag"), source)
    record = header.record
    steps, comment = movetext.read_variation(record.first.ply, depth=0)
    result = _reconcile_result(header, movetext.result, source)
    return replace(record, steps=steps, comment=comment, result=result)


def _reconcile_result(header: RecordHeader, token: Token | None, source: SourceMap) -> Result:
    """Return the result of the tag and of the movetext, which must agree; either may be missing."""
    if token is None:
        return header.record.result
    result = Result(token.text)
    if header.has_result and result is not header.record.result:
        tag = header.record.result.value
        raise source.error(f"result {token.text} contradicts the tag Result {tag!r}", token.offset)
    return result


@dataclass
class _MoveDraft:
    """A move that is being read."""

    token: Token
    source_pos: tuple[int, int]
    comment: CommentData = field(default_factory=CommentData)
    nags: list[int] = field(default_factory=list)
    variations: list[Variation] = field(default_factory=list)

    def build(self) -> RecordedMove:
        """Return the finished move."""
        return RecordedMove(
            self.token.text,
            tuple(self.nags),
            self.comment.text,
            self.comment.clock,
            self.comment.evaluation,
            tuple(self.variations),
            self.source_pos,
        )


_VariationParts = tuple[tuple[RecordedMove, ...], str]
"""The moves of a variation, and the comment before the first."""


class _MovetextParser:
    """Recursive-descent parser of the movetext."""

    def __init__(self, tokens: Iterable[Token], source: SourceMap) -> None:
        self._tokens: Iterator[Token] = iter(tokens)
        self._source = source
        self._steps = 0
        self.result: Token | None = None

    def read_variation(self, ply: int, depth: int, opened: Token | None = None) -> _VariationParts:
        """Read to the end of a variation, or of the game if `opened` is None."""
        before = CommentData()
        drafts: list[_MoveDraft] = []
        for token in self._tokens:
            if token.kind in ("comment", "rest"):
                comment = self._parse_comment(token)
                if drafts:
                    drafts[-1].comment += comment
                else:
                    before = self._require_plain_text(before + comment, token)
            elif self.result is not None:
                raise self._error("unexpected text after the result", token)
            elif token.kind == "close":
                if opened is None or not drafts:
                    raise self._error("empty variation" if opened else "')' without an open variation", token)
                return _build_moves(drafts), before.text
            elif token.kind == "result":
                if opened is not None:
                    raise self._error("unexpected result in a variation", token)
                self.result = token
            elif token.kind == "number":
                self._check_move_number(token, ply)
            elif token.kind == "move":
                drafts.append(self._draft(token, ply))
                ply += 1
            else:
                self._annotate(drafts, token, ply, depth)
        if opened is not None:
            raise self._error("unclosed variation", opened)
        return _build_moves(drafts), before.text

    def _draft(self, token: Token, ply: int) -> _MoveDraft:
        self._steps += 1
        if self._steps > MAX_MOVES:
            raise self._error(f"too many moves (maximum {MAX_MOVES:,})", token)
        try:
            normalise_move_text(token.text)
        except NotationError as error:
            raise self._source.relocate(error, token.offset).at(ply=ply + 1) from error
        return _MoveDraft(token, self._source.position(token.offset))

    def _annotate(self, drafts: list[_MoveDraft], token: Token, ply: int, depth: int) -> None:
        """Attach a glyph or a variation to the previous move."""
        if not drafts:
            raise self._error(f"{excerpt(token.text)!r} without a previous move", token)
        if token.kind == "open":
            if depth == MAX_VARIATION_DEPTH:
                raise self._error(f"variations nested too deep (maximum {MAX_VARIATION_DEPTH})", token)
            drafts[-1].variations.append(Variation(*self.read_variation(ply - 1, depth + 1, token)))
            return
        if token.kind == "glyph" and token.text not in GLYPHS:
            raise self._error(f"unknown glyph {token.text!r} (expected {' '.join(GLYPHS)})", token)
        nag = GLYPHS.index(token.text) + 1 if token.kind == "glyph" else int(token.text)
        if nag > MAX_NAG:
            raise self._error(f"unknown glyph ${nag} (expected $0 to ${MAX_NAG})", token)
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
            raise self._error("clock or evaluation before the first move", token)
        return comment

    def _check_move_number(self, token: Token, ply: int) -> None:
        if int(token.text) != ply // 2 + 1:
            raise self._error(f"move number {token.text} (expected {ply // 2 + 1})", token)

    def _error(self, message: str, token: Token) -> NotationError:
        return self._source.error(message, token.offset)


def _build_moves(drafts: list[_MoveDraft]) -> tuple[RecordedMove, ...]:
    return tuple(draft.build() for draft in drafts)
