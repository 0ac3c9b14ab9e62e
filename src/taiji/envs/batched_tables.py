"""Tables of a batched environment: shapes, faces and footprints of a family of games on one padded grid.

Everything is laid out in planes. A *shape* is a footprint up to translation; a *plane* is a shape with a
face, that is an oriented piece; an action is `plane * cells + anchor`, the anchor being the square of the
shape nearest its middle. A swap, where there is one, is the action after all planes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from taiji.rules import Adjacency, Board, Colour, Game, GameError, Placement, Tie, UncoveredSymbols, bits
from taiji.rules.constraints import FirstMustCover, LevelGround, MustTouch, SameKindApart
from taiji.rules.placements import Footprint
from taiji.rules.scoring import Scoring

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]
ScoringRule = tuple[Scoring, tuple[Scoring, ...]]
"""A way to score and what decides equal scores."""

FORBIDDEN = -64.0
"""The weight of one reason against a footprint; no footprint touches as many pieces."""


@dataclass(frozen=True)
class Shape:
    """A footprint up to translation: its kind and its squares relative to the anchor, as (column, row)."""

    kind: int
    squares: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class PolicyPlane:
    """A shape with a face: for each of its squares a colour, 1 light, 2 dark, 0 none."""

    shape: int
    colours: tuple[int, ...]
    slot: int


class BatchedTables:
    """The numbers that drive the environment of one family of single-stage games."""

    def __init__(self, games: Sequence[Game]) -> None:
        if not games:
            raise GameError("an environment needs at least one game")
        self.games = tuple(games)
        self.largest_game = max(games, key=lambda game: game.stages[0].board.size)
        self.stage = self.largest_game.stages[0]
        self.board: Board = self.stage.board
        self.width, self.height, self.cells = self.board.width, self.board.height, self.board.size
        for game in games:
            self._check_compatible(game)
        self.tie: Tie = self.largest_game.tie_rule
        self.first: Colour = self.stage.first_colour
        self.swap = self.stage.swap
        self.slots = len(self.stage.stocks)
        self.kinds = len(self.stage.kinds)
        self.symbols = isinstance(self.stage.scoring, UncoveredSymbols)
        self._shapes: dict[tuple[int, int, int], tuple[Shape, int]] = {}
        self._lay_planes()

    def _check_compatible(self, game: Game) -> None:
        """Refuse a game of several stages, or one that shares no environment with the largest game."""
        if len(game.stages) != 1:
            raise GameError(f"{game}: the batched environment plays games of one stage")
        ours, theirs = self.stage, game.stages[0]
        same = (
            ours.pieces == theirs.pieces
            and ours.constraints == theirs.constraints
            and (ours.first_colour, ours.swap, ours.last_placement_bonus)
            == (theirs.first_colour, theirs.swap, theirs.last_placement_bonus)
            and self.largest_game.tie_rule is game.tie_rule
            and isinstance(ours.scoring, UncoveredSymbols) is isinstance(theirs.scoring, UncoveredSymbols)
        )
        if not same:
            raise GameError(f"{game} and {self.largest_game} differ in more than board and scoring")
        if theirs.board.width > self.width or theirs.board.height > self.height:
            raise GameError(f"the board of {game} does not fit on that of {self.largest_game}")
        if any(isinstance(c, LevelGround) for c in ours.constraints) or ours.last_placement_bonus:
            raise GameError(f"{game}: the batched environment plays games of one stage")

    def embed(self, board: Board, mask: int) -> Bools:
        """Return a mask of a smaller board as a row of this grid, bottom left corners together."""
        row = np.zeros(self.cells, np.bool_)
        for cell in bits(mask):
            row[cell // board.width * self.width + cell % board.width] = True
        return row

    def _lay_planes(self) -> None:
        layout = self.largest_game.layouts[0]
        kinds = {self._shape(footprint)[0] for footprint in layout.footprints}
        shapes = {
            shape: index for index, shape in enumerate(sorted(kinds, key=lambda s: (s.kind, s.squares)))
        }
        faces = {self._plane(placement, shapes) for placement in layout.placements}
        planes = {
            plane: index for index, plane in enumerate(sorted(faces, key=lambda p: (p.shape, p.colours)))
        }
        self.shapes, self.planes = tuple(shapes), tuple(planes)
        self.shape_index, self.plane_index = shapes, planes
        self.actions = len(planes) * self.cells + self.swap

    def _anchor(self, cells: list[int]) -> int:
        """Return the cell nearest the middle of these, the lowest of equals."""
        places = [divmod(cell, self.width) for cell in cells]
        count, up, right = len(cells), sum(row for row, _ in places), sum(column for _, column in places)
        # Whole numbers, count times as large, so that equals are equal.
        away = [(count * row - up) ** 2 + (count * column - right) ** 2 for row, column in places]
        return cells[away.index(min(away))]

    def _shape(self, footprint: Footprint, board: Board | None = None) -> tuple[Shape, int]:
        """Return the shape of a footprint of a board, the largest unless it is said, and its anchor here."""
        width = self.width if board is None else board.width
        key = (width, footprint.kind_index, footprint.cells)
        if key not in self._shapes:
            cells = [cell // width * self.width + cell % width for cell in bits(footprint.cells)]
            anchor = self._anchor(cells)
            row, column = divmod(anchor, self.width)
            squares = tuple((c % self.width - column, c // self.width - row) for c in cells)
            self._shapes[key] = Shape(footprint.kind_index, squares), anchor
        return self._shapes[key]

    def _plane(self, placement: Placement, shapes: dict[Shape, int]) -> PolicyPlane:
        return PolicyPlane(shapes[self._shape(placement.footprint)[0]], _colours(placement), placement.stock)

    @cached_property
    def game_actions(self) -> Ints:
        """For each game and action, the number of the game's move, or -1."""
        table = np.full((len(self.games), self.actions), -1, np.int32)
        for row, game in zip(table, self.games, strict=True):
            board = game.stages[0].board
            for placement in game.placements:
                row[self._action(board, placement)] = placement.action
            if game.swap is not None:
                row[-1] = game.swap.action
        return table

    def _action(self, board: Board, placement: Placement) -> int:
        shape, anchor = self._shape(placement.footprint, board)
        plane = PolicyPlane(self.shape_index[shape], _colours(placement), placement.stock)
        return self.plane_index[plane] * self.cells + anchor

    @cached_property
    def footprint_cells(self) -> Bools:
        """For each shape and anchor, the cells covered; none where the shape leaves the grid."""
        table = np.zeros((len(self.shapes), self.cells, self.cells), np.bool_)
        for index, shape in enumerate(self.shapes):
            for anchor in range(self.cells):
                row, column = divmod(anchor, self.width)
                found = [self.board.cell_at(column + x, row + y) for x, y in shape.squares]
                if None not in found:
                    table[index, anchor, [c for c in found if c is not None]] = True
        return table.reshape(-1, self.cells)

    @cached_property
    def footprint_kind(self) -> Ints:
        """For each shape and anchor, the kind."""
        return np.repeat(np.array([shape.kind for shape in self.shapes], np.int32), self.cells)

    @cached_property
    def halo(self) -> Bools:
        """For each shape and anchor, the cells that share an edge with it."""
        near = np.array(
            [[m >> c & 1 for c in range(self.cells)] for m in self.board.edge_neighbours], np.int32
        )
        cells = self.footprint_cells
        return (cells.astype(np.int32) @ near > 0) & ~cells

    @cached_property
    def blocks(self) -> Bools:
        """The cells of each block that must not fill up."""
        return np.array(
            [[m >> c & 1 for c in range(self.cells)] for m in self.stage.full_blocks], np.bool_
        ).reshape(-1, self.cells)

    @cached_property
    def must_touch(self) -> bool:
        """Whether every piece but the first touches another."""
        return any(isinstance(c, MustTouch) for c in self.stage.constraints)

    @cached_property
    def kinds_apart(self) -> bool:
        """Whether pieces of one kind must not touch."""
        return any(isinstance(c, SameKindApart) for c in self.stage.constraints)

    @cached_property
    def opening(self) -> Bools:
        """The footprints that the first piece may cover."""
        cells = self.footprint_cells
        allowed: Bools = np.asarray(cells.any(1))
        for rule in self.stage.constraints:
            if isinstance(rule, FirstMustCover):
                allowed &= cells[:, list(bits(rule.cells))].all(1)
        return allowed

    @cached_property
    def largest_overlap(self) -> int:
        """The most cells that a footprint shares with a block."""
        if not len(self.blocks):
            return 0
        return int((self.footprint_cells.astype(np.int32) @ self.blocks.T.astype(np.int32)).max())

    @cached_property
    def penalty_matrix(self) -> NDArray[np.float32]:
        """The matrix from what lies on the board to the weight for or against each footprint.

        Its rows are the occupied cells; the covered cells, where pieces must touch; the cells covered by each
        kind, where kinds stay apart; and for 1, 2, … the blocks that so many more squares would fill.
        """
        cells, halo = self.footprint_cells.T, self.halo.T
        rows = [cells * FORBIDDEN]
        if self.must_touch:
            rows.append(halo * 1.0)
        if self.kinds_apart:
            rows += [halo * (self.footprint_kind == kind) * FORBIDDEN for kind in range(self.kinds)]
        if len(self.blocks):
            overlap = self.blocks.astype(np.int32) @ cells.astype(np.int32)
            rows += [(overlap == n) * FORBIDDEN for n in range(1, self.largest_overlap + 1)]
        return np.concatenate(rows).astype(np.float32)

    @cached_property
    def squares(self) -> tuple[int, int]:
        """The most light and the most dark squares of one piece."""
        light = max(plane.colours.count(1) for plane in self.planes)
        return light, max(plane.colours.count(2) for plane in self.planes)

    @cached_property
    def face_cells(self) -> Ints:
        """For each plane and anchor the light cells, then the dark ones; `cells` stands for none."""
        most = self.squares
        table = np.full((len(self.planes), self.cells, sum(most)), self.cells, np.int32)
        for index, plane in enumerate(self.planes):
            for anchor in range(self.cells):
                row, column = divmod(anchor, self.width)
                found = [self.board.cell_at(column + x, row + y) for x, y in self.shapes[plane.shape].squares]
                if None in found:
                    continue
                for colour, start in ((1, 0), (2, most[0])):
                    inked = zip(found, plane.colours, strict=True)
                    own = [c for c, k in inked if c is not None and k == colour]
                    table[index, anchor, start : start + len(own)] = own
        return table.reshape(len(self.planes) * self.cells, sum(most))

    @cached_property
    def plane_shape(self) -> Ints:
        """For each plane its shape."""
        return np.array([plane.shape for plane in self.planes], np.int32)

    @cached_property
    def plane_slot(self) -> Ints:
        """For each plane its slot in the supply."""
        return np.array([plane.slot for plane in self.planes], np.int32)

    @cached_property
    def slot_kind(self) -> Ints:
        """For each slot its kind."""
        return np.array([self.stage.kinds.index(slot.kind) for slot in self.stage.stocks], np.int32)

    @cached_property
    def rules(self) -> tuple[ScoringRule, ...]:
        """The distinct ways to score."""
        return tuple(dict.fromkeys((g.stages[0].scoring, g.stages[0].tiebreak) for g in self.games))

    @cached_property
    def game_rule(self) -> Ints:
        """For each game its way to score."""
        keys = [(g.stages[0].scoring, g.stages[0].tiebreak) for g in self.games]
        return np.array([self.rules.index(key) for key in keys], np.int32)

    @cached_property
    def adjacency(self) -> Adjacency:
        """How groups connect."""
        found = {
            getattr(part, "adjacency", Adjacency.EDGE) for rule in self.rules for part in (rule[0], *rule[1])
        }
        if len(found) > 1:
            raise GameError("games whose groups connect differently share no environment")
        return found.pop()

    @cached_property
    def neighbours(self) -> Ints:
        """For each cell its neighbours in groups, filled up with `cells`; the last row has none."""
        masks = self.board.neighbours(self.adjacency)
        table = np.full((self.cells + 1, max(m.bit_count() for m in masks)), self.cells, np.int32)
        for cell, mask in enumerate(masks):
            near = list(bits(mask))
            table[cell, : len(near)] = near
        return table


def _colours(placement: Placement) -> tuple[int, ...]:
    """Return the colour of each square of a placement: 1 light, 2 dark, 0 none."""
    light, dark = placement.light, placement.dark
    return tuple(1 if light >> c & 1 else 2 if dark >> c & 1 else 0 for c in bits(placement.cells))
