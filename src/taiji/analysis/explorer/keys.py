"""Keys of positions up to symmetry: 48 bits that the web app computes in the same way.

A key is a sum over the covered cells of a hash of stage, kind, colour and cell, taken for each symmetry of
the game; the smallest sum is the key. So the order of the moves does not matter, and neither does a swap:
results are counted by colour, and a swap only exchanges who plays which.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from taiji.rules import Game, Placement, State, bits

Lanes = tuple[tuple[int, int], ...]
"""Two 32-bit sums for each symmetry."""

_MASK = 0xFFFFFFFF
_LANES = (0x9E3779B1, 0x85EBCA77)


def cell_hash(stage: int, kind: int, colour: int, cell: int, lane: int) -> int:
    """Return the summand of a covered cell; `colour` is 0 for none, 1 for light, 2 for dark."""
    value = ((((stage * 64 + kind) * 4 + colour) * 1024 + cell + 1) * _LANES[lane]) & _MASK
    value ^= value >> 16
    value = (value * 0x85EBCA6B) & _MASK
    value ^= value >> 13
    value = (value * 0xC2B2AE35) & _MASK
    return value ^ (value >> 16)


class PositionKeys:
    """Computes the keys of one game's positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symmetries = game.symmetries
        self._empty: Lanes = ((0, 0),) * len(self.symmetries)
        self._actions: dict[int, Lanes] = {}
        self.start = self.of_actions(move.action for move in game.opening_moves)

    def of_action(self, action: int) -> Lanes:
        """Return the summands of a placement; a swap and a named komi have none."""
        lanes = self._actions.get(action)
        if lanes is None:
            move = self.game.move(action)
            lanes = self._of_placement(move) if isinstance(move, Placement) else self._empty
            self._actions[action] = lanes
        return lanes

    def _of_placement(self, move: Placement) -> Lanes:
        stage, kind = move.stage_index, move.footprint.kind_index
        cells = [
            (cell, 1 if move.light >> cell & 1 else 2 if move.dark >> cell & 1 else 0)
            for cell in bits(move.cells)
        ]
        return tuple(
            (
                sum(cell_hash(stage, kind, colour, image[cell], 0) for cell, colour in cells) & _MASK,
                sum(cell_hash(stage, kind, colour, image[cell], 1) for cell, colour in cells) & _MASK,
            )
            for image in self.symmetries
        )

    def add(self, lanes: Lanes, action: int) -> Lanes:
        """Return the sums after one more action."""
        return tuple(
            ((a + c) & _MASK, (b + d) & _MASK)
            for (a, b), (c, d) in zip(lanes, self.of_action(action), strict=True)
        )

    def of_state(self, state: State) -> Lanes:
        """Return the sums of a position."""
        return self.of_actions(action for stage in state.placed for action in stage)

    def of_actions(self, actions: Iterable[int]) -> Lanes:
        """Return the sums of a number of placements."""
        lanes = self._empty
        for action in actions:
            lanes = self.add(lanes, action)
        return lanes


def key_of(lanes: Lanes) -> int:
    """Return the key: the smallest of all symmetric images."""
    return min(((b & 0xFFFF) << 32) | a for a, b in lanes)


@lru_cache(maxsize=32)
def get_keys(game: Game) -> PositionKeys:
    """Return the keys of a game from a small cache."""
    return PositionKeys(game)
