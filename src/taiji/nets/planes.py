"""The inputs of a net for a `State`, and the policy index of each move; docs/nets.md lists the planes.

This is the reference: `taiji.envs.batched_observe` computes the same inputs for training and the compiled
core for play. Everything is seen from the mover's side: its own colour comes first, on the board, in the
supply and on the pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2, sqrt
from typing import TYPE_CHECKING, Any

from taiji.nets.layout import PolicyLayout
from taiji.nets.support import check_supported
from taiji.rules import Adjacency, Colour, Game, GameError, State, bits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from taiji.nets.layout import ScoringRule
    from taiji.rules import Move
    from taiji.rules.program import Tally

    Floats = NDArray[np.float32]

Number = Any
"""A Python number, or an array of any library."""

MARGIN_UNIT = 10.0
LEAD_CLIP = 4.0
SIDE_UNIT = 11.0
MARGIN_LIMIT = 30
"""Final margins beyond this limit share its bin."""
MARGIN_BINS = 2 * MARGIN_LIMIT + 1
"""Bins of the margin head: −30 or less, …, 30 or more."""


class Encoder:
    """Encodes the positions of one game for a net that supports the given scoring rules."""

    def __init__(self, game: Game, rules: Sequence[ScoringRule], *, sees_swap: bool = True) -> None:
        """`sees_swap` is False for a net of games without a swap: it has never seen that input."""
        self._sees_swap = sees_swap
        check_supported(game)
        self.game = game
        self.layout = layout = PolicyLayout([game])
        self.stage = stage = game.stages[0]
        rule = (stage.scoring, stage.tiebreak)
        if rule not in rules:
            raise GameError(f"{game}: the net does not support this scoring")
        self.rules = tuple(rules)
        self.rule = self.rules.index(rule)
        self.tally = stage.tallies[0]
        kinds, slots = len(stage.kinds), len(stage.stocks)
        self._supplies = slots if slots > 1 else 0
        self._kind_planes = kinds if kinds > 1 else 0
        self.planes = 3 + (0 if layout.symbols else 4) + self._kind_planes + kinds
        self.globals = 5 + len(self.rules) + self._supplies
        self.policy = len(layout.planes)
        self.index = self._build_policy_index()
        """[colour to move][action]: the index in the flattened policy; the swap and the komi are last."""

    def _build_policy_index(self) -> tuple[list[int], list[int]]:
        layout, cells = self.layout, self.layout.cells
        light, dark = ([-1] * self.game.action_count for _ in range(2))
        for index, action in enumerate(layout.actions_of(self.game)):
            if action < 0:
                continue
            plane, cell = divmod(index, cells)
            is_swap = plane == len(layout.planes)
            light[action] = index
            dark[action] = index if is_swap else layout.exchanged_planes[plane] * cells + cell
        for move in self.game.komi_moves:
            light[move.action] = dark[move.action] = len(layout.planes) * cells
        return light, dark

    def encode(self, state: State) -> tuple[Floats, Floats]:
        """Return the planes [planes, rows, columns] and the globals of a position."""
        return self._planes(state), self._globals(state)

    def _planes(self, state: State) -> Floats:
        board = self.stage.board
        rows = [_row(board.size, board.cells)]
        owned = [state.scoring_cells(colour) for colour in (state.colour_to_move, state.colour_to_move.other)]
        rows += [_row(board.size, own) for own in owned]
        if not self.layout.symbols:
            sizes, counting = zip(*(self._groups(own) for own in owned), strict=True)
            rows += [*sizes, *counting]
        if self._kind_planes:
            rows += [_row(board.size, covered) for covered in state.layer.kinds]
        for kind in self.stage.kinds:
            reach = 0
            for footprint in state.live_footprints:
                if footprint.kind == kind:
                    reach |= footprint.cells
            rows.append(_row(board.size, reach))
        import numpy as np

        return np.stack(rows).reshape(self.planes, board.height, board.width)

    def _groups(self, own: int) -> tuple[Floats, Floats]:
        """Return each square's group size, and the squares of groups as large as one that counts."""
        import numpy as np

        board = self.stage.board
        groups = board.groups(own, self.tally.join or Adjacency.EDGE)
        depth = self.tally.depth
        enough = groups[depth - 1].bit_count() if 0 < depth <= len(groups) else 1
        sizes, counting = np.zeros(board.size, np.float32), np.zeros(board.size, np.float32)
        for group in groups:
            cells = list(bits(group))
            sizes[cells] = len(cells)
            counting[cells] = len(cells) >= enough
        return sizes, counting

    def _globals(self, state: State) -> Floats:
        dark = state.colour_to_move is Colour.DARK
        cells = self.stage.board.cells.bit_count()
        colours = (state.colour_to_move, state.colour_to_move.other)
        own, other = (self.tally.score(state.board, state.scoring_cells(colour)) for colour in colours)
        lead = margin(self.tally, own, other, log2) / MARGIN_UNIT
        numbers = [
            float(dark),
            float(state.can_swap and self._sees_swap),
            state.covered.bit_count() / cells,
            sqrt(cells) / SIDE_UNIT,
            max(-LEAD_CLIP, min(LEAD_CLIP, lead)),
        ]
        numbers += [float(index == self.rule) for index in range(len(self.rules))]
        if self._supplies:
            order = self.layout.exchanged_stocks if dark else range(self._supplies)
            counts = [max(stock.count, 1) for stock in self.stage.stocks]
            numbers += [state.supply[stock] / count for stock, count in zip(order, counts, strict=True)]
        import numpy as np

        return np.array(numbers, np.float32)

    def policy_index(self, state: State, move: Move) -> int:
        """Return the index of a move in the flattened policy: planes, rows, columns, then the swap."""
        return self.index[state.colour_to_move][move.action]


def has_ratio_margin(tally: Tally) -> bool:
    """Return whether margins are ratios: scores that are not numbers of cells, such as products."""
    return not tally.linear and min(tally.value) >= 0


def margin(tally: Tally, own: Number, other: Number, log2: Callable[[Number], Number]) -> Number:
    """Return the lead in points, or in quarter octaves if margins are ratios.

    `log2` fits the type of the scores: `math.log2`, or that of an array library.
    """
    return 4.0 * (log2(own + 1) - log2(other + 1)) if has_ratio_margin(tally) else own - other


def _row(cells: int, mask: int) -> Floats:
    import numpy as np

    row = np.zeros(cells, np.float32)
    row[list(bits(mask))] = 1.0
    return row
