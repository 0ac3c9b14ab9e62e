"""Pieces: polyominoes of a kind with a colour on each square, or none, and the supply they come from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations

Square = tuple[int, int]
"""A square of a piece: its column and row in the piece's own frame."""

Shape = tuple[tuple[Square, str], ...]
"""A laid-out piece: its squares with their colours, sorted, in the corner of its frame."""


class Colour(IntEnum):
    """A colour of the game; the rulebooks' White and X are LIGHT, their Black and O are DARK."""

    LIGHT = 0
    DARK = 1

    @property
    def other(self) -> Colour:
        """The opposing colour."""
        return Colour(1 - self)


class Seat(IntEnum):
    """A player's seat: FIRST began the game as LIGHT, SECOND as DARK; a swap changes colours, never seats."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Seat:
        """The opposing seat."""
        return Seat(1 - self)


LIGHT_SQUARE, DARK_SQUARE, PLAIN_SQUARE = "ld."


@dataclass(frozen=True)
class PieceStock:
    """A part of the supply: how many pieces of one description there are at the start."""

    kind: str
    label: str
    count: int


@dataclass(frozen=True)
class Piece:
    """A polyomino with `colours`, one character per square: `l`, `d`, or `.` in a piece without colours."""

    kind: str
    squares: tuple[Square, ...]
    colours: str
    stock: int
    can_rotate: bool = True
    can_flip: bool = True

    def __post_init__(self) -> None:
        if not self.squares or len(set(self.squares)) != len(self.squares):
            raise ValueError(
                f"piece {self.kind!r}: no squares, or one twice (expected one or more, each once)"
            )
        if len(self.colours) != len(self.squares):
            raise ValueError(
                f"piece {self.kind!r}: {len(self.squares)} squares, but {len(self.colours)} in the colours"
            )
        if not (set(self.colours) <= {"l", "d"} or set(self.colours) == {"."}):
            raise ValueError(
                f"piece {self.kind!r}: colours {self.colours!r} (expected l or d on each square, or . on all)"
            )

    @cached_property
    def orientations(self) -> tuple[Shape, ...]:
        """The distinct ways to turn and flip the piece."""
        shapes = set()
        for turns in range(4 if self.can_rotate else 1):
            for flipped in (False, True) if self.can_flip else (False,):
                shapes.add(_oriented(self.squares, self.colours, turns, flipped))
        return tuple(sorted(shapes))


def _oriented(squares: tuple[Square, ...], colours: str, turns: int, flipped: bool) -> Shape:
    moved = [(-x, y) if flipped else (x, y) for x, y in squares]
    for _ in range(turns):
        moved = [(-y, x) for x, y in moved]
    left, bottom = min(x for x, _ in moved), min(y for _, y in moved)
    return tuple(
        sorted(((x - left, y - bottom), colour) for (x, y), colour in zip(moved, colours, strict=True))
    )


TETROMINOES: dict[str, tuple[Square, ...]] = {
    "L": ((0, 0), (1, 0), (2, 0), (2, 1)),
    "I": ((0, 0), (1, 0), (2, 0), (3, 0)),
    "T": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "S": ((0, 0), (1, 0), (1, 1), (2, 1)),
}
"""The four tetrominoes of the LITS games, in the order of the name."""


def plain_tetrominoes(count: int) -> tuple[tuple[Piece, ...], tuple[PieceStock, ...]]:
    """Return one piece without colours of each shape, `count` of each in the supply."""
    pieces = tuple(
        Piece(kind, squares, "....", stock) for stock, (kind, squares) in enumerate(TETROMINOES.items())
    )
    return pieces, tuple(PieceStock(kind, kind, count) for kind in TETROMINOES)


def balanced_colourings(squares: tuple[Square, ...]) -> tuple[str, ...]:
    """Return every way to make half of the squares light and half dark."""
    count = len(squares)
    return tuple(
        "".join("l" if square in light else "d" for square in range(count))
        for light in combinations(range(count), count // 2)
    )


def tailits_six_set() -> tuple[tuple[Piece, ...], tuple[PieceStock, ...]]:
    """Return the TAILITS set `six`: of each shape one piece of each of its six colourings.

    Colourings that are the same piece when rotated or flipped share a stock, which then holds two.
    """
    pieces: list[Piece] = []
    stocks: list[PieceStock] = []
    for kind, squares in TETROMINOES.items():
        first_of: dict[tuple[Shape, ...], int] = {}
        for colours in balanced_colourings(squares):
            piece = Piece(kind, squares, colours, len(stocks))
            known = first_of.setdefault(piece.orientations, len(stocks))
            if known == len(stocks):
                pieces.append(piece)
                stocks.append(PieceStock(kind, f"{kind}-{colours}", 1))
            else:
                stocks[known] = PieceStock(kind, stocks[known].label, stocks[known].count + 1)
    return tuple(pieces), tuple(stocks)


def tailits_free_set(count: int) -> tuple[tuple[Piece, ...], tuple[PieceStock, ...]]:
    """Return the TAILITS set `free`: any balanced colouring, `count` pieces per shape."""
    pieces = []
    for stock, (kind, squares) in enumerate(TETROMINOES.items()):
        seen = set()
        for colours in balanced_colourings(squares):
            piece = Piece(kind, squares, colours, stock)
            if piece.orientations not in seen:
                seen.add(piece.orientations)
                pieces.append(piece)
    return tuple(pieces), tuple(PieceStock(kind, kind, count) for kind in TETROMINOES)


def taijitu(count: int, *, diagonal: bool = False) -> tuple[tuple[Piece, ...], tuple[PieceStock, ...]]:
    """Return the taijitu, one light and one dark square; `diagonal` lets them touch at a corner instead."""
    pieces = [Piece("taijitu", ((0, 0), (1, 0)), "ld", 0)]
    if diagonal:
        pieces.append(Piece("taijitu", ((0, 0), (1, 1)), "ld", 0))
    return tuple(pieces), (PieceStock("taijitu", "taijitu", count),)
