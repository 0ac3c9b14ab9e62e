"""The layout of a net's policy: each placement of a family of games as a plane and a cell of one grid.

A *shape* is a footprint up to translation; a *plane* is a shape with a face, that is an oriented piece. An
action is `plane * cells + anchor`; the anchor is the square of the shape nearest its middle. The swap, if the
games have one, is the action after all planes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from taiji.rules import Board, Game, GameError, Placement, Unsupported, bits
from taiji.rules.placements import Footprint
from taiji.rules.program import Source
from taiji.rules.scoring import Scoring

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Bools = NDArray[np.bool_]

ScoringRule = tuple[Scoring, tuple[Scoring, ...]]
"""A scoring and its tie-breaks."""


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
    stock: int


class PolicyLayout:
    """The planes and actions shared by single-stage games with the same pieces."""

    def __init__(self, games: Sequence[Game]) -> None:
        """Lay out the planes; raise `GameError` if the games do not share their pieces."""
        if not games:
            raise GameError("a policy layout needs at least one game")
        self.games = tuple(games)
        self.largest_game = max(games, key=lambda game: game.stages[0].board.size)
        self.stage = self.largest_game.stages[0]
        self.board: Board = self.stage.board
        self.width, self.height, self.cells = self.board.width, self.board.height, self.board.size
        for game in games:
            self._check_compatible(game)
        self.swap = self.stage.swap
        self.stocks = len(self.stage.stocks)
        self.kinds = len(self.stage.kinds)
        self.symbols = self._scores_symbols(self.largest_game)
        self._shapes: dict[tuple[int, int, int], tuple[Shape, int]] = {}
        self._build_planes()

    @staticmethod
    def _scores_symbols(game: Game) -> bool:
        return game.stages[0].tallies[0].source is Source.SYMBOLS

    def _check_compatible(self, game: Game) -> None:
        if len(game.stages) != 1:
            raise GameError(f"{game}: a policy layout covers games of one stage")
        ours, theirs = self.stage, game.stages[0]
        same = (
            ours.pieces == theirs.pieces
            and ours.swap == theirs.swap
            and self._scores_symbols(self.largest_game) is self._scores_symbols(game)
        )
        if not same:
            raise GameError(f"{game} and {self.largest_game} differ in more than board and scoring")
        if theirs.board.width > self.width or theirs.board.height > self.height:
            raise GameError(f"the board of {game} does not fit on that of {self.largest_game}")

    def embed(self, board: Board, mask: int) -> Bools:
        """Return a mask of a smaller board as a row of this grid, with the bottom left corners aligned."""
        import numpy as np

        row = np.zeros(self.cells, np.bool_)
        for cell in bits(mask):
            row[cell // board.width * self.width + cell % board.width] = True
        return row

    def _build_planes(self) -> None:
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
        """Return the cell nearest the centroid of these cells, the lowest of equals."""
        positions = [divmod(cell, self.width) for cell in cells]
        count, rows, columns = len(cells), sum(row for row, _ in positions), sum(col for _, col in positions)
        # Distances are scaled by the number of cells to stay integers, so that ties are exact.
        distances = [(count * row - rows) ** 2 + (count * col - columns) ** 2 for row, col in positions]
        return cells[distances.index(min(distances))]

    def _shape(self, footprint: Footprint, board: Board | None = None) -> tuple[Shape, int]:
        """Return the shape of a footprint and its anchor on this grid; `board` defaults to the largest."""
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
        """[game, action]: the game's own action, -1 if its board has no such placement."""
        import numpy as np

        return np.array([self.actions_of(game) for game in self.games], np.int32)

    def actions_of(self, game: Game) -> list[int]:
        """Return a game's own action for each action of the layout, -1 if its board has no such placement."""
        actions = [-1] * (len(self.planes) * self.cells)
        board = game.stages[0].board
        for placement in game.placements:
            actions[self._action(board, placement)] = placement.action
        return actions if game.swap is None else [*actions, game.swap.action]

    def _action(self, board: Board, placement: Placement) -> int:
        shape, anchor = self._shape(placement.footprint, board)
        plane = PolicyPlane(self.shape_index[shape], _colours(placement), placement.stock)
        return self.plane_index[plane] * self.cells + anchor

    @cached_property
    def colour_swapped_planes(self) -> Ints:
        """`exchanged_planes` as an array."""
        import numpy as np

        return np.array(self.exchanged_planes, np.int32)

    @cached_property
    def colour_swapped_stocks(self) -> Ints:
        """`exchanged_stocks` as an array."""
        import numpy as np

        return np.array(self.exchanged_stocks, np.int32)

    @cached_property
    def exchanged_planes(self) -> list[int]:
        """For each plane, the plane of the same piece with its colours exchanged."""
        index = {(plane.shape, plane.colours): number for number, plane in enumerate(self.planes)}
        swapped = [(plane.shape, tuple((0, 2, 1)[c] for c in plane.colours)) for plane in self.planes]
        if not set(swapped) <= set(index):
            raise Unsupported("the policy layout", "pieces", "a piece has no twin with exchanged colours")
        return [index[key] for key in swapped]

    @cached_property
    def exchanged_stocks(self) -> list[int]:
        """For each stock of the supply, the stock of the same pieces with their colours exchanged."""
        table = list(range(self.stocks))
        for plane, other in zip(self.planes, self.exchanged_planes, strict=True):
            table[plane.stock] = self.planes[other].stock
        return table

    @cached_property
    def rules(self) -> tuple[ScoringRule, ...]:
        """The distinct scoring rules of the games."""
        return tuple(dict.fromkeys((g.stages[0].scoring, g.stages[0].tiebreak) for g in self.games))


def _colours(placement: Placement) -> tuple[int, ...]:
    """Return the colour of each square of a placement: 1 light, 2 dark, 0 none."""
    light, dark = placement.light, placement.dark
    return tuple(1 if light >> c & 1 else 2 if dark >> c & 1 else 0 for c in bits(placement.cells))
