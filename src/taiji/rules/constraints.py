"""What may lie where: the rules of placing as data, each able to say why it forbids a footprint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from taiji.rules.geometry import Board, bits
from taiji.rules.placements import Footprint
from taiji.rules.reasons import IllegalReason


class PlacementContext(NamedTuple):
    """What a constraint looks at: the pieces of this stage and the ground they lie on."""

    board: Board
    covered: int
    kinds: tuple[int, ...]
    """For each kind, the cells covered by its pieces."""
    ground: int
    """The cells covered by the stage before."""


@dataclass(frozen=True)
class MustTouch:
    """Every piece but the first shares an edge with one already placed."""

    def allows(self, footprint: Footprint, site: PlacementContext) -> bool:
        """Tell whether the footprint keeps the rule."""
        return not site.covered or bool(footprint.halo & site.covered)

    def reason(self, footprint: Footprint, site: PlacementContext) -> IllegalReason:
        """Say how the footprint breaks the rule."""
        return IllegalReason("no-touch", tuple(site.board.names(footprint.cells)))


@dataclass(frozen=True)
class SameKindApart:
    """No two pieces of the same kind share an edge."""

    def allows(self, footprint: Footprint, site: PlacementContext) -> bool:
        """Tell whether the footprint keeps the rule."""
        return not footprint.halo & site.kinds[footprint.kind_index]

    def reason(self, footprint: Footprint, site: PlacementContext) -> IllegalReason:
        """Say how the footprint breaks the rule."""
        touched = site.board.names(footprint.halo & site.kinds[footprint.kind_index])
        return IllegalReason("same-kind", (touched[0],), footprint.kind)


@dataclass(frozen=True)
class NoFullBlock:
    """No block of this size is ever fully covered."""

    width: int = 2
    height: int = 2

    def allows(self, footprint: Footprint, site: PlacementContext) -> bool:
        """Tell whether the footprint keeps the rule."""
        covered = site.covered | footprint.cells
        return not any(block & covered == block for block in footprint.blocks)

    def reason(self, footprint: Footprint, site: PlacementContext) -> IllegalReason:
        """Say how the footprint breaks the rule."""
        covered = site.covered | footprint.cells
        full = next(block for block in footprint.blocks if block & covered == block)
        low, high = min(bits(full)), max(bits(full))
        corners = (site.board.name(low), site.board.name(high))
        return IllegalReason("full-block", corners, f"{self.width}×{self.height}")


@dataclass(frozen=True)
class FirstMustCover:
    """The first piece covers these cells."""

    cells: int

    def allows(self, footprint: Footprint, site: PlacementContext) -> bool:
        """Tell whether the footprint keeps the rule."""
        return bool(site.covered) or footprint.cells & self.cells == self.cells

    def reason(self, footprint: Footprint, site: PlacementContext) -> IllegalReason:
        """Say how the footprint breaks the rule."""
        return IllegalReason("first-covers", tuple(site.board.names(self.cells)))


@dataclass(frozen=True)
class LevelGround:
    """All squares of a piece lie at the same height: on bare board, or on pieces of the stage before."""

    def allows(self, footprint: Footprint, site: PlacementContext) -> bool:
        """Tell whether the footprint keeps the rule."""
        raised = footprint.cells & site.ground
        return raised in (0, footprint.cells)

    def reason(self, footprint: Footprint, site: PlacementContext) -> IllegalReason:
        """Say how the footprint breaks the rule."""
        hanging = site.board.names(footprint.cells & ~site.ground)
        what = "one half" if footprint.cells.bit_count() == 2 else "a part of it"
        return IllegalReason("not-level", (hanging[0],), what)


Constraint = MustTouch | SameKindApart | NoFullBlock | FirstMustCover | LevelGround
