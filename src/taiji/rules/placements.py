"""Placements: every place and orientation of every piece on a board, with stable numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from taiji.rules.geometry import Board, bits, mask_of
from taiji.rules.pieces import Piece, Square


@dataclass(frozen=True, slots=True)
class Footprint:
    """The cells that one piece covers; legality is a matter of footprints."""

    index: int
    kind: str
    kind_index: int
    cells: int
    halo: int
    """The cells that share an edge with the footprint."""
    blocks: tuple[int, ...]
    """The blocks that must not fill up and that share a cell with the footprint."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A footprint and the face laid on it: a move. Its number is the action id in its game."""

    action: int
    stage_index: int
    footprint: Footprint
    light: int
    dark: int
    stock: int

    @property
    def cells(self) -> int:
        """The mask of the cells it covers."""
        return self.footprint.cells

    @property
    def kind(self) -> str:
        """The kind of its piece."""
        return self.footprint.kind


@dataclass(frozen=True, slots=True)
class Swap:
    """The choice to exchange colours instead of placing a piece."""

    action: int


Move = Placement | Swap


@dataclass(frozen=True)
class Layout:
    """All footprints and placements of one stage; `faces[i]` are the placements on footprint `i`."""

    footprints: tuple[Footprint, ...]
    placements: tuple[Placement, ...]
    faces: tuple[tuple[Placement, ...], ...]


def stage_kinds(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """Return the kinds in the order in which the pieces name them."""
    return tuple(dict.fromkeys(piece.kind for piece in pieces))


def lay_out(
    board: Board, pieces: tuple[Piece, ...], blocks: tuple[int, ...], stage_index: int, first_action: int
) -> Layout:
    """Find every placement, in the order of kind, cells and light cells, numbered from `first_number`."""
    kinds = stage_kinds(pieces)
    colourings: dict[tuple[int, int], dict[tuple[int, int], int]] = {}
    for piece in pieces:
        kind = kinds.index(piece.kind)
        for cells, light, dark in _anywhere(board, piece):
            slot = colourings.setdefault((kind, cells), {}).setdefault((light, dark), piece.stock)
            if slot != piece.stock:
                raise ValueError(f"two pieces of kind {piece.kind} from different supplies look alike")
    _refuse_lookalikes(colourings, kinds)
    footprints: list[Footprint] = []
    placements: list[Placement] = []
    faces: list[tuple[Placement, ...]] = []
    for kind, cells in sorted(colourings, key=lambda key: (key[0], tuple(bits(key[1])))):
        near = tuple(block for block in blocks if block & cells)
        footprint = Footprint(len(footprints), kinds[kind], kind, cells, board.edge_halo(cells), near)
        footprints.append(footprint)
        laid = colourings[kind, cells]
        on_it = []
        for light, dark in sorted(laid, key=lambda face: tuple(bits(face[0]))):
            number = first_action + len(placements)
            placement = Placement(number, stage_index, footprint, light, dark, laid[light, dark])
            placements.append(placement)
            on_it.append(placement)
        faces.append(tuple(on_it))
    return Layout(tuple(footprints), tuple(placements), tuple(faces))


def _refuse_lookalikes(
    colourings: dict[tuple[int, int], dict[tuple[int, int], int]], kinds: tuple[str, ...]
) -> None:
    owner: dict[tuple[int, int, int], int] = {}
    for (kind, cells), faces in colourings.items():
        for face in faces:
            other = owner.setdefault((cells, *face), kind)
            if other != kind:
                raise ValueError(f"pieces of kinds {kinds[other]} and {kinds[kind]} look alike")


def _anywhere(board: Board, piece: Piece) -> Iterator[tuple[int, int, int]]:
    for shape in piece.orientations:
        for row in range(board.height):
            for column in range(board.width):
                placed = [(_shifted(board, square, column, row), colour) for square, colour in shape]
                if all(cell is not None for cell, _ in placed):
                    cells = {
                        colour: mask_of(c for c, k in placed if k == colour and c is not None)
                        for colour in "ld."
                    }
                    yield cells["l"] | cells["d"] | cells["."], cells["l"], cells["d"]


def _shifted(board: Board, square: Square, column: int, row: int) -> int | None:
    return board.cell_at(column + square[0], row + square[1])
