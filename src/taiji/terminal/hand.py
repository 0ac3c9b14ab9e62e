"""The piece in the player's hand: a placement on the board that can be moved, rotated and flipped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from taiji.rules import Placement, bits

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.rules import IllegalReason, State

Square = tuple[int, int, str]
"""A square of a piece: column, row and colour (`l`, `d` or `.`)."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A piece held over the board; the cursor is one of its cells."""

    state: State
    placement: Placement
    cursor: int

    @classmethod
    def take(cls, state: State, kind: str | None = None, cursor: int | None = None) -> Hand | None:
        """Take a piece from the supply, of `kind` if given; return None if there is none."""
        board = state.board
        at = next(bits(board.centre or board.cells)) if cursor is None else cursor
        for piece in state.current_stage.pieces:
            if state.supply[piece.stock] and kind in (None, piece.kind):
                shape = [(x, y, colour) for (x, y), colour in piece.orientations[0]]
                placement = _place_over(state, shape, at)
                if placement is not None:
                    return cls(state, placement, _nearest(state, placement, at))
        return None

    @property
    def reason(self) -> IllegalReason | None:
        """Return why the piece cannot be placed here, or None if it can."""
        return self.state.illegal_reason(self.placement)

    @property
    def kinds(self) -> list[str]:
        """Return the kinds with pieces left."""
        state = self.state
        left = {
            slot.kind for slot, count in zip(state.current_stage.stocks, state.supply, strict=True) if count
        }
        return [kind for kind in state.current_stage.kinds if kind in left]

    @property
    def left(self) -> int:
        """Return how many pieces of this kind and colouring are left."""
        return self.state.supply[self.placement.stock]

    def move(self, columns: int, rows: int) -> Hand:
        """Move the piece; it stays on the board."""
        return self._transform(lambda x, y: (x + columns, y + rows))

    def move_to(self, cell: int) -> Hand:
        """Move the cursor to a cell, and the piece with it."""
        width = self.state.board.width
        columns = cell % width - self.cursor % width
        rows = cell // width - self.cursor // width
        moved = self.move(columns, rows)
        return replace(moved, cursor=_nearest(self.state, moved.placement, cell))

    def rotate(self, times: int = 1) -> Hand:
        """Rotate the piece clockwise about the cursor, by quarter turns."""
        x0, y0 = self._cursor_xy()
        hand = self
        for _ in range(times % 4):
            hand = hand._transform(lambda x, y: (x0 + (y - y0), y0 - (x - x0)))
        return hand

    def flip(self) -> Hand:
        """Mirror the piece left to right or, if that changes nothing, top to bottom."""
        x0, y0 = self._cursor_xy()
        left_right = self._transform(lambda x, y: (2 * x0 - x, y))
        if _normalised_squares(left_right.placement, self.state) != _normalised_squares(
            self.placement, self.state
        ):
            return left_right
        return self._transform(lambda x, y: (x, 2 * y0 - y))

    def recolour(self) -> Hand:
        """Take the next available piece that covers the same cells in other colours."""
        faces = self.state.game.layouts[self.state.stage_index].faces[self.placement.footprint.index]
        left = [face for face in faces if self.state.supply[face.stock] or face is self.placement]
        index = left.index(self.placement)
        return replace(self, placement=left[(index + 1) % len(left)])

    def next_kind(self, step: int = 1) -> Hand:
        """Take a piece of the kind `step` places further; -1 is the kind before."""
        kinds = self.kinds
        if not kinds:
            return self
        current = kinds.index(self.placement.kind) if self.placement.kind in kinds else -step
        return self.of_kind(kinds[(current + step) % len(kinds)])

    def of_kind(self, kind: str) -> Hand:
        """Take a piece of this kind, if one is left."""
        return Hand.take(self.state, kind, self.cursor) or self

    def for_state(self, state: State) -> Hand | None:
        """Return the same piece over a later position, or another piece if none of it is left."""
        if state.stage_index == self.state.stage_index and state.supply[self.placement.stock]:
            return Hand(state, self.placement, self.cursor)
        same_kind = Hand.take(state, self.placement.kind, self.cursor)
        return same_kind or Hand.take(state, None, self.cursor)

    def snap_to_legal(self) -> Hand:
        """Return the piece at the nearest legal placement, or unchanged if there is none."""
        if self.reason is None:
            return self
        looks = _normalised_squares(self.placement, self.state)
        legal = [move for move in self.state.legal() if isinstance(move, Placement)]
        same = [move for move in legal if move.kind == self.placement.kind] or legal
        alike = [move for move in same if _normalised_squares(move, self.state) == looks] or same
        if not alike:
            return self
        nearest = min(alike, key=lambda move: (_distance(self.state, move, self.cursor), move.action))
        return Hand(self.state, nearest, _nearest(self.state, nearest, self.cursor))

    def _cursor_xy(self) -> tuple[int, int]:
        return self.cursor % self.state.board.width, self.cursor // self.state.board.width

    def _transform(self, change: Callable[[int, int], tuple[int, int]]) -> Hand:
        """Apply a map of the plane to the piece and the cursor; return self if no piece fits."""
        shape = [(*change(x, y), colour) for x, y, colour in piece_squares(self.placement, self.state)]
        shift = _shift_into_board(self.state, shape)
        placement = _find_placement(self.state, shape, shift)
        if placement is None:
            return self
        x, y = change(*self._cursor_xy())
        width = self.state.board.width
        return replace(self, placement=placement, cursor=(y + shift[1]) * width + x + shift[0])


def piece_squares(placement: Placement, state: State) -> list[Square]:
    """Return the squares of a placement with their colours."""
    width = state.board.width
    return [(cell % width, cell // width, _colour(placement, cell)) for cell in bits(placement.cells)]


def _colour(placement: Placement, cell: int) -> str:
    return "l" if placement.light >> cell & 1 else "d" if placement.dark >> cell & 1 else "."


def _normalised_squares(placement: Placement, state: State) -> list[Square]:
    """Return the squares of a placement relative to its lower left corner, sorted."""
    squares = piece_squares(placement, state)
    left, low = min(x for x, _, _ in squares), min(y for _, y, _ in squares)
    return sorted((x - left, y - low, colour) for x, y, colour in squares)


def _shift_into_board(state: State, shape: list[Square]) -> tuple[int, int]:
    """Return the shift, in columns and rows, that brings a shape onto the board."""
    columns, rows = [x for x, _, _ in shape], [y for _, y, _ in shape]
    right = max(0, -min(columns)) - max(0, max(columns) - state.board.width + 1)
    up = max(0, -min(rows)) - max(0, max(rows) - state.board.height + 1)
    return right, up


def _find_placement(state: State, shape: list[Square], shift: tuple[int, int]) -> Placement | None:
    masks = {"l": 0, "d": 0, ".": 0}
    for x, y, colour in shape:
        cell = state.board.cell_at(x + shift[0], y + shift[1])
        if cell is None:
            return None
        masks[colour] |= 1 << cell
    cells = masks["l"] | masks["d"] | masks["."]
    return state.game.placement(state.stage_index, cells, masks["l"], masks["d"])


def _place_over(state: State, shape: list[Square], cursor: int) -> Placement | None:
    """Place a shape over the cursor, its middle square first; anywhere if holes prevent that."""
    width = state.board.width
    x0, y0 = cursor % width, cursor // width
    middle = (sum(x for x, _, _ in shape) / len(shape), sum(y for _, y, _ in shape) / len(shape))
    by_middle = sorted(shape, key=lambda s: (s[0] - middle[0]) ** 2 + (s[1] - middle[1]) ** 2)
    for x, y, _ in by_middle:
        moved = [(a - x + x0, b - y + y0, colour) for a, b, colour in shape]
        placement = _find_placement(state, moved, _shift_into_board(state, moved))
        if placement is not None:
            return placement
    kinds = {(_colours(shape))}
    layout = state.game.layouts[state.stage_index]
    return next((p for p in layout.placements if _colours(piece_squares(p, state)) in kinds), None)


def _colours(shape: list[Square]) -> tuple[str, ...]:
    return tuple(sorted(colour for _, _, colour in shape))


def _distance(state: State, placement: Placement, cell: int) -> int:
    """Return the squared distance of the middle of a placement from a cell, in quarters of a cell."""
    width = state.board.width
    cells = list(bits(placement.cells))
    x = sum(4 * (c % width) for c in cells) // len(cells)
    y = sum(4 * (c // width) for c in cells) // len(cells)
    return (x - 4 * (cell % width)) ** 2 + (y - 4 * (cell // width)) ** 2


def _nearest(state: State, placement: Placement, cell: int) -> int:
    """Return the cell of a placement that is nearest to a cell."""
    width = state.board.width
    x0, y0 = cell % width, cell // width
    return min(bits(placement.cells), key=lambda c: ((c % width - x0) ** 2 + (c // width - y0) ** 2, c))
