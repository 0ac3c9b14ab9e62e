"""Placements: every place and orientation of every piece on a board, with stable action numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from taiji.rules.geometry import Board, bits
from taiji.rules.pieces import Piece

SWAP = "swap"
"""The notation of a swap."""
KOMI = "komi"
"""The notation of a named komi begins so, as in `komi=1.5`."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """The cells that one piece covers; legality is a matter of footprints."""

    index: int
    kind: str
    kind_index: int
    cells: int
    board: Board = field(repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class Placement:
    """A footprint and the face on it: a move. `action` is its number in its game.

    `str` gives its notation: the light cells, a slash and the dark cells, each by column, then row; or all
    cells of a piece without colours.
    """

    action: int
    stage_index: int
    footprint: Footprint
    light: int
    dark: int
    stock: int
    game_name: str = field(compare=False)

    def __str__(self) -> str:
        names = self.footprint.board.names
        if self.light or self.dark:
            return f"{''.join(names(self.light))}/{''.join(names(self.dark))}"
        return "".join(names(self.cells))

    def __repr__(self) -> str:
        stage = f", stage={self.stage_index}" if self.stage_index else ""
        return f"parse_game({self.game_name!r}).parse({str(self)!r}{stage})"

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

    def __str__(self) -> str:
        return SWAP


@dataclass(frozen=True, slots=True)
class NameKomi:
    """The choice of the komi, if the rules let a player name it: half points for Light."""

    action: int
    half_points: int

    def __str__(self) -> str:
        return f"{KOMI}={format_half_points(self.half_points)}"


def format_half_points(half_points: int) -> str:
    """Return half points as a text in points, such as `1.5`, `-2` or `0`."""
    sign, size = "-" if half_points < 0 else "", abs(half_points)
    return f"{sign}{size // 2}{'.5' if size % 2 else ''}"


def parse_half_points(text: str) -> int | None:
    """Return a text in points, such as `1.5` or `+2`, as half points; None if it is not one."""
    match = _POINTS.fullmatch(text)
    if match is None:
        return None
    half_points = 2 * int(match[2]) + (match[3] == ".5")
    return -half_points if match[1] == "-" else half_points


_POINTS = re.compile(r"([+-]?)([0-9]{1,4})(\.0|\.5)?", re.ASCII)

Move = Placement | Swap | NameKomi
"""What a turn may do."""


@dataclass(frozen=True)
class Layout:
    """All footprints and placements of one stage; `faces[i]` are the placements on footprint `i`."""

    footprints: tuple[Footprint, ...]
    placements: tuple[Placement, ...]
    faces: tuple[tuple[Placement, ...], ...]


def stage_kinds(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """Return the kinds in the order in which the pieces name them."""
    return tuple(dict.fromkeys(piece.kind for piece in pieces))


Faces = dict[tuple[int, int], dict[tuple[int, int], int]]
"""For each kind and its cells, the light and dark cells of every face and the stock of its piece."""


def lay_out(
    board: Board, pieces: tuple[Piece, ...], stage_index: int, first_action: int, game_name: str = ""
) -> Layout:
    """Return every placement, in the order of kind, cells and light cells, numbered from `first_action`."""
    kinds = stage_kinds(pieces)
    by_cells: Faces = {}
    for piece in pieces:
        kind = kinds.index(piece.kind)
        for cells, light, dark in _all_placements(board, piece):
            stock = by_cells.setdefault((kind, cells), {}).setdefault((light, dark), piece.stock)
            if stock != piece.stock:
                raise ValueError(f"two pieces of kind {piece.kind} from different supplies look alike")
    _refuse_lookalikes(by_cells, kinds)
    footprints: list[Footprint] = []
    placements: list[Placement] = []
    faces: list[tuple[Placement, ...]] = []
    for kind, cells in sorted(by_cells, key=lambda key: (key[0], tuple(bits(key[1])))):
        footprint = Footprint(len(footprints), kinds[kind], kind, cells, board)
        footprints.append(footprint)
        stocks = by_cells[kind, cells]
        start = len(placements)
        for light, dark in sorted(stocks, key=lambda face: tuple(bits(face[0]))):
            action = first_action + len(placements)
            stock = stocks[light, dark]
            placements.append(Placement(action, stage_index, footprint, light, dark, stock, game_name))
        faces.append(tuple(placements[start:]))
    return Layout(tuple(footprints), tuple(placements), tuple(faces))


def _refuse_lookalikes(by_cells: Faces, kinds: tuple[str, ...]) -> None:
    owner: dict[tuple[int, int, int], int] = {}
    for (kind, cells), faces in by_cells.items():
        for face in faces:
            other = owner.setdefault((cells, *face), kind)
            if other != kind:
                raise ValueError(f"pieces of kinds {kinds[other]} and {kinds[kind]} look alike")


def _all_placements(board: Board, piece: Piece) -> Iterator[tuple[int, int, int]]:
    """Yield the cells, the light and the dark cells of a piece in every orientation and place."""
    for shape in piece.orientations:
        columns = board.width - max(x for (x, _), _ in shape)
        rows = board.height - max(y for (_, y), _ in shape)
        masks = dict.fromkeys("ld.", 0)
        for (x, y), colour in shape:
            masks[colour] |= 1 << (y * board.width + x)
        for shift in (row * board.width + column for row in range(rows) for column in range(columns)):
            light, dark, plain = (mask << shift for mask in masks.values())
            if not (light | dark | plain) & board.holes:
                yield light | dark | plain, light, dark
