"""What an agent sees: planes of numbers from 0 to 1 over the board, from the side of one seat.

The planes follow from the game value; docs/environments.md lists them for each game of the catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from taiji.rules import Game, Seat, Uncovered, bits
from taiji.rules.constraints import LevelGround

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from taiji.kernel import Position
    from taiji.rules import Placement

MASK_BITS = 128
"""The core's masks have so many bits."""
_TWO_MASKS = Struct("<4Q")


@dataclass(frozen=True, slots=True)
class Plane:
    """One plane by name, and what it holds."""

    name: str
    meaning: str


class Planes:
    """Sees the positions of one game as [plane, row, column]; row 0 is the bottom row, as in cell names.

    The first planes are masks of cells; behind them come planes that have one number everywhere.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        stages = game.stages
        board = stages[0].board
        self._cells = board.size
        self._coloured = any(p.light or p.dark for p in game.placements)
        self._symbols = any(isinstance(stage.scoring, Uncovered) for stage in stages)
        self._level = any(isinstance(rule, LevelGround) for stage in stages for rule in stage.constraints)
        self._kinds = tuple(dict.fromkeys(kind for s in stages if len(s.kinds) > 1 for kind in s.kinds))
        masks, numbers = list(self._mask_planes()), list(self._number_planes())
        self.planes = (*masks, *numbers)
        """The planes in order."""
        self.shape = (len(self.planes), board.height, board.width)
        self._masks = len(masks)
        coloured = 1 + 2 * self._coloured
        self._squares = slice(1, coloured) if self._coloured else None
        self._pieces = slice(coloured, len(masks)) if len(masks) > coloured else None
        self._empty = np.zeros((len(self.planes), board.size), np.float32)
        self._empty[0, list(bits(board.cells))] = 1

    def _mask_planes(self) -> Iterator[Plane]:
        yield Plane("board", "every square of the board")
        if self._coloured:
            yield Plane("own", "squares of my colour laid in this stage")
            yield Plane("other", "squares of the other colour laid in this stage")
        if self._symbols:
            yield Plane("own symbols", "symbols of my colour that nothing covers")
            yield Plane("other symbols", "symbols of the other colour that nothing covers")
        for kind in self._kinds:
            yield Plane(f"kind {kind}", f"squares under pieces of kind {kind} of this stage")
        if self._level:
            yield Plane("ground", "squares that the stage before has covered")

    def _number_planes(self) -> Iterator[Plane]:
        stages = self.game.stages
        yield Plane("dark", "1 if I play the dark colour now")
        yield Plane("to move", "1 if it is my turn")
        if self.game.swap is not None:
            yield Plane("may swap", "1 if the player to move may swap")
        for number in range(2, len(stages) + 1):
            yield Plane(f"stage {number}", f"1 in stage {number}")
        if len(stages) > 1:
            yield Plane("ahead", "the points I lead by, over the number of squares, at most 1")
            yield Plane("behind", "the points I trail by, over the number of squares, at most 1")
        for stage in stages:
            if len(stage.slots) > 1:
                for slot in stage.slots:
                    yield Plane(f"left {slot.label}", f"the share that is left of {slot.count} {slot.label}")

    def of(self, position: Position, seat: Seat) -> NDArray[np.float32]:
        """Return what a seat sees of a position."""
        core = position.core
        colour = seat ^ core.swapped
        seen = self._empty.copy()
        if self._squares:
            own, other = (core.dark, core.light) if colour else (core.light, core.dark)
            seen[self._squares] = self._bits(_TWO_MASKS.pack(*own, *other))
        if self._pieces:
            masks = self._piece_masks(position, colour)
            data = b"".join(mask.to_bytes(MASK_BITS // 8, "little") for mask in masks)
            seen[self._pieces] = self._bits(data)
        for number, value in enumerate(self._number_values(position, seat), self._masks):
            if value:
                seen[number] = value
        return seen.reshape(self.shape)

    def _bits(self, masks: bytes) -> NDArray[np.uint8]:
        """Return masks as rows of 0 and 1, one a mask."""
        laid = np.unpackbits(np.frombuffer(masks, np.uint8), bitorder="little")
        return laid.reshape(-1, MASK_BITS)[:, : self._cells]

    def _piece_masks(self, position: Position, colour: int) -> Iterator[int]:
        """Yield what has to be gathered from the pieces on the board: symbols, kinds, ground."""
        core, game = position.core, self.game
        pieces = [game.placements[a] for a in core.history if a < len(game.placements)]
        here = [piece for piece in pieces if piece.stage == core.stage]
        below = [piece for piece in pieces if piece.stage == core.stage - 1]
        if self._symbols:
            symbols = self._symbols_of(core.stage, below)
            free = ~_union(piece.cells for piece in here)
            yield symbols[colour] & free
            yield symbols[1 - colour] & free
        for kind in self._kinds:
            yield _union(piece.cells for piece in here if piece.kind == kind)
        if self._level:
            yield _union(piece.cells for piece in below)

    def _symbols_of(self, stage: int, below: list[Placement]) -> tuple[int, int]:
        """Return the light and the dark symbols: printed, or the squares of the stage before."""
        rules = self.game.stages[stage]
        if rules.symbols is not None:
            return rules.symbols.light, rules.symbols.dark
        if isinstance(rules.scoring, Uncovered):
            return _union(p.light for p in below), _union(p.dark for p in below)
        return 0, 0

    def _number_values(self, position: Position, seat: Seat) -> list[float]:
        core, stages = position.core, self.game.stages
        found: list[float] = [seat ^ core.swapped, core.mover == seat and not core.over]
        if self.game.swap is not None:
            found.append(core.can_swap)
        found += [core.stage == number for number in range(1, len(stages))]
        if len(stages) > 1:
            halves = core.scores
            lead = (halves[seat] - halves[seat.other]) / 2 / self._cells
            found += [min(1.0, max(0.0, lead)), min(1.0, max(0.0, -lead))]
        for number, stage in enumerate(stages):
            if len(stage.slots) > 1:
                left = core.supply if number == core.stage else stage.supply
                share = number >= core.stage
                found += [share * n / max(1, slot.count) for n, slot in zip(left, stage.slots, strict=True)]
        return found


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
