"""Constant arrays of the batched environment: footprints, faces and scoring rules of a family of games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from taiji.nets.layout import Bools, Ints, PolicyLayout
from taiji.rules import Colour, Game, GameError, Tie, bits
from taiji.rules.placing import FirstMustCover, LevelGround, MustTouch, SameKindApart

FORBIDDEN = -64.0
"""The weight of one reason against a footprint; no footprint touches as many pieces."""


class BatchedTables(PolicyLayout):
    """The arrays that drive the environment of one family of single-stage games."""

    def __init__(self, games: Sequence[Game]) -> None:
        super().__init__(games)
        self.tie: Tie = self.largest_game.tie_rule
        self.first: Colour = self.stage.first_colour

    def _check_compatible(self, game: Game) -> None:
        super()._check_compatible(game)
        ours, theirs = self.stage, game.stages[0]
        same = (
            ours.constraints == theirs.constraints
            and ours.first_colour is theirs.first_colour
            and ours.last_placement_bonus == theirs.last_placement_bonus
            and self.largest_game.tie_rule is game.tie_rule
        )
        if not same:
            raise GameError(f"{game} and {self.largest_game} differ in more than board and scoring")
        if any(isinstance(c, LevelGround) for c in ours.constraints) or ours.last_placement_bonus:
            raise GameError(f"{game}: the batched environment plays games of one stage")

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
    def plane_stock(self) -> Ints:
        """For each plane its stock in the supply."""
        return np.array([plane.stock for plane in self.planes], np.int32)

    @cached_property
    def stock_kind(self) -> Ints:
        """For each stock its kind."""
        return np.array([self.stage.kinds.index(stock.kind) for stock in self.stage.stocks], np.int32)

    @cached_property
    def game_rule(self) -> Ints:
        """For each game its way to score."""
        keys = [(g.stages[0].scoring, g.stages[0].tiebreak) for g in self.games]
        return np.array([self.rules.index(key) for key in keys], np.int32)

    @cached_property
    def neighbours(self) -> Ints:
        """For each cell its neighbours in groups, filled up with `cells`; the last row has none."""
        masks = self.board.neighbours(self.adjacency)
        table = np.full((self.cells + 1, max(m.bit_count() for m in masks)), self.cells, np.int32)
        for cell, mask in enumerate(masks):
            near = list(bits(mask))
            table[cell, : len(near)] = near
        return table
