"""What a net sees of a `State`, and where it says what of each move; docs/nets.md lists the planes.

This is the reference: `taiji.envs.batched_observe` computes the same for training and the compiled core
for play. Everything is seen from the mover's side: its own colour comes first, on the board, in the
supply and on the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, sqrt
from typing import TYPE_CHECKING

import numpy as np

from taiji.nets.layout import PolicyLayout
from taiji.rules import (
    Colour,
    Game,
    GameError,
    GroupProduct,
    LargestGroups,
    NthLargestGroup,
    State,
    SumOfSquares,
    UncoveredSymbols,
    Unsupported,
    bits,
)
from taiji.rules.scoring import Scoring

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.nets.layout import ScoringRule
    from taiji.rules import Move

    Floats = NDArray[np.float32]

MARGIN_UNIT = 10.0
LEAD_CLIP = 4.0
SIDE_UNIT = 11.0
MARGIN_LIMIT = 30
"""Final margins beyond this limit share its bin."""
MARGIN_BINS = 2 * MARGIN_LIMIT + 1
"""Bins of the margin head: −30 or less, …, 30 or more."""


class Encoder:
    """Sees the positions of one game as a net that knows the given rules of scoring does."""

    def __init__(self, game: Game, rules: Sequence[ScoringRule]) -> None:
        self.game = game
        self.layout = layout = PolicyLayout([game])
        self.stage = stage = game.stages[0]
        rule = (stage.scoring, stage.tiebreak)
        if rule not in rules:
            raise GameError(f"{game}: the net has not learnt this way to score")
        self.rules = tuple(rules)
        self.rule = self.rules.index(rule)
        kinds, slots = len(stage.kinds), len(stage.stocks)
        self._supplies = slots if slots > 1 else 0
        self._kind_planes = kinds if kinds > 1 else 0
        self.planes = 3 + (0 if layout.symbols else 4) + self._kind_planes + kinds
        self.globals = 5 + len(self.rules) + self._supplies
        self.policy = len(layout.planes)
        self.index = self._build_policy_index()
        """[colour, action]: where the policy speaks of an action to this mover; a swap is last."""

    def _build_policy_index(self) -> NDArray[np.int32]:
        layout, cells = self.layout, self.layout.cells
        action_of = layout.game_actions[0]
        table = np.full((2, self.game.action_count), -1, np.int32)
        known = np.flatnonzero(action_of >= 0)
        table[:, action_of[known]] = known
        exchange = layout.colour_swapped_planes
        placed = known[known < len(layout.planes) * cells]
        table[Colour.DARK, action_of[placed]] = exchange[placed // cells] * cells + placed % cells
        return table

    def encode(self, state: State) -> tuple[Floats, Floats]:
        """Return the planes [planes, rows, columns] and the numbers about the whole position."""
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
        return np.stack(rows).reshape(self.planes, board.height, board.width)

    def _groups(self, own: int) -> tuple[Floats, Floats]:
        """Return the size of the group at every square, and which groups are as large as one that counts."""
        board = self.stage.board
        groups = board.groups(own, self.layout.adjacency)
        look = counting_depth(self.stage.scoring)
        enough = groups[look - 1].bit_count() if 0 < look <= len(groups) else 1
        sizes, counting = np.zeros(board.size, np.float32), np.zeros(board.size, np.float32)
        for group in groups:
            cells = list(bits(group))
            sizes[cells] = len(cells)
            counting[cells] = len(cells) >= enough
        return sizes, counting

    def _globals(self, state: State) -> Floats:
        dark = state.colour_to_move is Colour.DARK
        cells = self.stage.board.cells.bit_count()
        points = [
            self.stage.scoring.score(state.board, state.scoring_cells(c))
            for c in (state.colour_to_move, state.colour_to_move.other)
        ]
        lead = margin(self.stage.scoring, points[0], points[1]) / MARGIN_UNIT
        numbers = [
            float(dark),
            float(state.can_swap),
            state.covered.bit_count() / cells,
            sqrt(cells) / SIDE_UNIT,
            max(-LEAD_CLIP, min(LEAD_CLIP, lead)),
        ]
        numbers += [float(index == self.rule) for index in range(len(self.rules))]
        if self._supplies:
            order = self.layout.colour_swapped_stocks if dark else range(self._supplies)
            most = [max(slot.count, 1) for slot in self.stage.stocks]
            numbers += [state.supply[slot] / most[place] for place, slot in enumerate(order)]
        return np.array(numbers, np.float32)

    def policy_index(self, state: State, move: Move) -> int:
        """Return where the flattened policy (planes, rows, columns; the swap last) speaks of a move."""
        return int(self.index[state.colour_to_move, move.action])


def margin(rule: Scoring, own: float, other: float) -> float:
    """Return the lead in points, or in quarter octaves where scores are products or squares."""
    if isinstance(rule, GroupProduct | SumOfSquares):
        return 4.0 * (log2(own + 1) - log2(other + 1))
    return own - other


def counting_depth(rule: Scoring) -> int:
    """Return how many of the largest groups a rule looks at; 0 for all."""
    match rule:
        case LargestGroups(groups) | SumOfSquares(groups):
            return groups
        case NthLargestGroup(rank):
            return rank
        case GroupProduct(groups):
            return groups or 0
        case UncoveredSymbols():
            return 0
        case _:
            raise Unsupported("net encoder", rule.key, "unknown scoring")


def _row(cells: int, mask: int) -> Floats:
    row = np.zeros(cells, np.float32)
    row[list(bits(mask))] = 1.0
    return row
