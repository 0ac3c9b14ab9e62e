"""Constant arrays of the batched environment: footprints, faces and tallies of a family of games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby, repeat
from typing import TYPE_CHECKING

import numpy as np

from taiji.nets.layout import PolicyLayout
from taiji.rules import Adjacency, Board, Colour, Game, GameError, Tie, Unsupported, bits
from taiji.rules.program import NONE_COUNTED, SOME_COUNTED, Around, Source, Tally, Test, Under

if TYPE_CHECKING:
    from taiji.nets.layout import Bools, Ints

ENGINE = "batched"
"""The name of this engine in `Unsupported`."""


class BatchedTables(PolicyLayout):
    """The arrays that drive the environment of one family of single-stage games."""

    def __init__(self, games: Sequence[Game]) -> None:
        """Build the arrays.

        Raise `Unsupported` if a game has a rule that the environment does not implement, and `GameError`
        if the games cannot share an environment.
        """
        for game in games:
            _check_supported(game)
        super().__init__(games)
        if not self.planes:
            raise Unsupported(ENGINE, "pieces", f"no piece of {self.largest_game} fits on its board")
        self.tie: Tie = self.largest_game.tie_rule
        self.first: Colour = self.stage.first_colour
        self.komi = self.largest_game.komi
        self.komi_names = self.largest_game.komi_names
        self.swap_after = self.stage.swap_after
        self.placement_count = len(self.planes) * self.cells
        self.actions += len(self.komi_names)

    def _check_compatible(self, game: Game) -> None:
        super()._check_compatible(game)
        ours, theirs = self.stage, game.stages[0]
        same = (
            ours.first_colour is theirs.first_colour
            and self.largest_game.tie_rule is game.tie_rule
            and self.largest_game.komi == game.komi
            and self.largest_game.komi_names == game.komi_names
            and ours.swap_after == theirs.swap_after
            and len(ours.tests) == len(theirs.tests)
            and not self._embed_mask(theirs.board, theirs.board.cells) & ~self.board.cells
        )
        if not same or not all(map(self._is_same_test, ours.tests, theirs.tests, repeat(game))):
            raise GameError(f"{game} and {self.largest_game} differ in more than board and scoring")

    def _is_same_test(self, ours: Test, theirs: Test, game: Game) -> bool:
        """Return whether a test of the largest game decides as that of a game on a smaller board does."""
        if ours == theirs and (
            game is self.largest_game
            or (isinstance(ours.region, Under | Around) and ours.counts in (NONE_COUNTED, SOME_COUNTED))
        ):
            return True
        if (ours.plane, ours.when) != (theirs.plane, theirs.when):
            return False
        board = game.stages[0].board
        grid = self._embed_mask(board, board.cells)
        for footprint in game.layouts[0].footprints:
            large = ours.region.masks(self._embed_mask(board, footprint.cells), self.board)
            small = theirs.region.masks(footprint.cells, board)
            deciding = _deciding(
                theirs, [(self._embed_mask(board, mask), mask.bit_count()) for mask in small]
            )
            if _deciding(ours, [(mask & grid, mask.bit_count()) for mask in large]) != deciding:
                return False
        return True

    def _embed_mask(self, board: Board, mask: int) -> int:
        """Return a mask of a smaller board on this grid, with the bottom left corners aligned."""
        return sum(1 << cell // board.width * self.width + cell % board.width for cell in bits(mask))

    def actions_of(self, game: Game) -> list[int]:
        """Return a game's own action for each action of the environment; named komis follow the swap."""
        return [*super().actions_of(game), *(move.action for move in game.komi_moves)]

    @cached_property
    def openings(self) -> Ints:
        """[game, move]: the actions that are on the board at the start, filled up with -1."""
        rows = [[self._action(game.stages[0].board, m) for m in game.opening_moves] for game in self.games]
        table = np.full((len(rows), max(map(len, rows))), -1, np.int32)
        for index, row in enumerate(rows):
            table[index, : len(row)] = row
        return table

    def mask_row(self, mask: int) -> Bools:
        """Return a mask of the largest board as a row of this grid."""
        return self.embed(self.board, mask)

    @cached_property
    def footprint_cells(self) -> Bools:
        """For each shape and anchor, the cells covered; none if the shape leaves the grid."""
        table = np.zeros((len(self.shapes), self.cells, self.cells), np.bool_)
        for index, shape in enumerate(self.shapes):
            for anchor in range(self.cells):
                row, column = divmod(anchor, self.width)
                cells = [self.board.cell_at(column + x, row + y) for x, y in shape.squares]
                if None not in cells:
                    table[index, anchor, [c for c in cells if c is not None]] = True
        return table.reshape(-1, self.cells)

    @cached_property
    def footprint_kind(self) -> Ints:
        """For each shape and anchor, the kind."""
        return np.repeat(np.array([shape.kind for shape in self.shapes], np.int32), self.cells)

    def surroundings(self, adjacency: Adjacency) -> Bools:
        """For each shape and anchor, the cells next to it."""
        near = np.array([self.mask_row(mask) for mask in self.board.neighbours(adjacency)], np.int32)
        cells = self.footprint_cells
        return (cells.astype(np.int32) @ near > 0) & ~cells

    @cached_property
    def squares(self) -> tuple[int, int]:
        """The maximum of light and of dark squares on one piece."""
        light = max(plane.colours.count(1) for plane in self.planes)
        return light, max(plane.colours.count(2) for plane in self.planes)

    @cached_property
    def face_cells(self) -> Ints:
        """For each plane and anchor the light cells, then the dark ones; `cells` stands for none."""
        light, dark = self.squares
        table = np.full((len(self.planes), self.cells, light + dark), self.cells, np.int32)
        for index, plane in enumerate(self.planes):
            for anchor in range(self.cells):
                row, column = divmod(anchor, self.width)
                cells = [self.board.cell_at(column + x, row + y) for x, y in self.shapes[plane.shape].squares]
                if None in cells:
                    continue
                for colour, start in ((1, 0), (2, light)):
                    coloured = zip(cells, plane.colours, strict=True)
                    own = [c for c, k in coloured if c is not None and k == colour]
                    table[index, anchor, start : start + len(own)] = own
        return table.reshape(len(self.planes) * self.cells, light + dark)

    @cached_property
    def plane_shape(self) -> Ints:
        """For each plane its shape."""
        return np.array([plane.shape for plane in self.planes], np.int32)

    @cached_property
    def planes_by_shape(self) -> list[tuple[int, range]]:
        """The planes as runs of equal shape."""
        runs, start = [], 0
        for shape, members in groupby(self.plane_shape.tolist()):
            runs.append((shape, range(start, start + len(list(members)))))
            start = runs[-1][1].stop
        return runs

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
        """For each game the index of its scoring rule."""
        keys = [(game.stages[0].scoring, game.stages[0].tiebreak) for game in self.games]
        return np.array([self.rules.index(key) for key in keys], np.int32)

    @cached_property
    def tallies(self) -> tuple[tuple[Tally, ...], ...]:
        """For each scoring rule the tally of the score, then those of the tie-breaks."""
        by_rule: dict[int, tuple[Tally, ...]] = {}
        for rule, game in zip(self.game_rule.tolist(), self.games, strict=True):
            tallies = game.stages[0].tallies
            known = by_rule.setdefault(rule, tallies)
            for one, two in zip(known, tallies, strict=True):
                if any(a != b for a, b in zip(one.value, two.value, strict=False)):
                    raise Unsupported(ENGINE, one.rule, "points that depend on the board, in one environment")
            by_rule[rule] = max(known, tallies, key=lambda some: len(some[0].value))
        return tuple(by_rule[rule] for rule in range(len(self.rules)))

    @cached_property
    def adjacency(self) -> Adjacency:
        """The adjacency that joins squares into the groups whose labels the environment follows."""
        joins = {tallies[0].join for tallies in self.tallies if tallies[0].join}
        if len(joins) > 1:
            raise GameError("games whose groups join differently cannot share an environment")
        return joins.pop() if joins else Adjacency.EDGE

    def max_cells(self, source: Source) -> int:
        """Return an upper bound of the cells of one colour that a tally can count."""
        if source is Source.SYMBOLS:
            return self.cells
        smallest = min(len(shape.squares) for shape in self.shapes)
        pieces = min(self.cells // smallest, max(sum(game.stages[0].supply) for game in self.games))
        return min(self.cells, pieces * max(self.squares))

    def neighbours(self, adjacency: Adjacency) -> Ints:
        """For each cell its neighbours, filled up with `cells`; the last row has none."""
        masks = self.board.neighbours(adjacency)
        table = np.full((self.cells + 1, max(mask.bit_count() for mask in masks)), self.cells, np.int32)
        for cell, mask in enumerate(masks):
            near = list(bits(mask))
            table[cell, : len(near)] = near
        return table


def _check_supported(game: Game) -> None:
    """Raise `Unsupported` for a game that no batched environment plays."""
    if len(game.stages) != 1:
        raise Unsupported(ENGINE, "stages", f"{game} has {len(game.stages)} stages (expected one)")
    stage = game.stages[0]
    if stage.last_placement_bonus:
        raise Unsupported(ENGINE, "last-placement-bonus", f"{game} gives points for the last placement")
    if game.tie_rule not in (Tie.LIGHT, Tie.DARK, Tie.LAST, Tie.DRAW):
        raise Unsupported(ENGINE, "tie", f"tie rule {game.tie_rule}")
    for tally in stage.tallies:
        if tally.source not in (Source.SQUARES, Source.SYMBOLS):
            raise Unsupported(ENGINE, tally.rule, f"source {tally.source}")
    score = stage.tallies[0]
    if score.source is Source.SYMBOLS and score.join is not None:
        raise Unsupported(ENGINE, score.rule, "groups of symbols")


def _deciding(test: Test, masks: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the masks in which a test can fail, each with the counts that pass; masks come with sizes."""
    deciding = set()
    for mask, size in masks:
        reachable = (1 << mask.bit_count() + 1) - 1
        passing = test.counts.passing(size) & reachable
        if passing != reachable:
            deciding.add((mask, passing))
    return deciding
