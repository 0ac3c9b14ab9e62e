"""Cells, colourings and turned pieces for the oracle of declared rules. A cell is (column, row)."""

from __future__ import annotations

from typing import NamedTuple

from taiji.rules import Board, Piece

Cell = tuple[int, int]
CellSet = frozenset[Cell]
Colouring = tuple[CellSet, CellSet, CellSet]
"""What a piece covers, its light and its dark squares."""


class Refusal(NamedTuple):
    """A broken rule: its code, the cells that are named, in order, and the word."""

    code: str
    cells: tuple[Cell, ...]
    word: str


def cells_of(mask: int, board: Board) -> CellSet:
    """Turn a mask into cells."""
    return frozenset((n % board.width, n // board.width) for n in range(board.size) if mask >> n & 1)


def turned(piece: Piece) -> set[frozenset[tuple[Cell, str]]]:
    """Return every way to turn and flip a piece, pushed into the corner."""
    found = set()
    for flips in range(2 if piece.can_flip else 1):
        for quarter_turns in range(4 if piece.can_rotate else 1):
            marked = [
                ((-x if flips else x, y), c) for (x, y), c in zip(piece.squares, piece.colours, strict=True)
            ]
            for _ in range(quarter_turns):
                marked = [((-y, x), c) for (x, y), c in marked]
            left, low = min(x for (x, _), _ in marked), min(y for (_, y), _ in marked)
            found.add(frozenset(((x - left, y - low), c) for (x, y), c in marked))
    return found
