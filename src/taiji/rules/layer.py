"""The pieces of one stage as they lie on the board."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.rules.placements import Placement


@dataclass(frozen=True, slots=True)
class Layer:
    """The squares and covered cells of one stage, as masks."""

    light: int = 0
    dark: int = 0
    covered: int = 0
    kinds: tuple[int, ...] = ()
    """For each kind, the cells covered by its pieces."""

    def with_piece(self, move: Placement) -> Layer:
        """Return the layer with one more piece."""
        kind = move.footprint.kind_index
        kinds = (*self.kinds[:kind], self.kinds[kind] | move.cells, *self.kinds[kind + 1 :])
        return Layer(self.light | move.light, self.dark | move.dark, self.covered | move.cells, kinds)
