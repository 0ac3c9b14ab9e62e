"""Observations: planes of numbers from 0 to 1 over the board, from the side of one seat.

The planes follow from the game value; docs/environments.md lists them for each game of the catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from operator import or_
from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from taiji.rules import Game, Layer, Seat, bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from taiji.kernel import Position

MASK_BITS = 128
"""The width of the core's masks."""
_TWO_MASKS = Struct("<4Q")


@dataclass(frozen=True, slots=True)
class Plane:
    """The name and the meaning of one plane."""

    name: str
    meaning: str


class Planes:
    """Encodes the positions of one game as [plane, row, column]; row 0 is the bottom row, as in cell names.

    The first planes are masks of cells; the others hold one number everywhere.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        stages = game.compiled.stages
        board = stages[0].board
        self._cells = board.size
        self._coloured = any(p.light or p.dark for p in game.placements)
        self._symbols = any(stage.counts_symbols for stage in stages)
        self._level = any(stage.traits.heights_matter for stage in stages)
        self._kinds = tuple(dict.fromkeys(kind for s in stages if len(s.kinds) > 1 for kind in s.kinds))
        masks, numbers = list(self._mask_planes()), list(self._number_planes())
        self.planes = (*masks, *numbers)
        """The planes in order."""
        self.shape = (len(self.planes), board.height, board.width)
        self._masks = len(masks)
        coloured = 1 + 2 * self._coloured
        self._squares = slice(1, coloured) if self._coloured else None
        self._rows = slice(coloured, len(masks))
        """The planes that are gathered from the pieces."""
        self._gathers = tuple(self._needs_gathering(number) for number in range(len(stages)))
        self._pieces = {placement.action: placement for placement in game.placements}
        self._known: tuple[int, list[int], Layer] = (0, [], Layer())
        self._empty = np.zeros((len(self.planes), board.size), np.float32)
        self._empty[0, list(bits(board.cells))] = 1

    def _needs_gathering(self, number: int) -> bool:
        """Return whether a stage has planes of symbols, kinds or ground."""
        stage = self.game.compiled.stages[number]
        return stage.counts_symbols or len(stage.kinds) > 1 or (self._level and number > 0)

    def _mask_planes(self) -> Iterator[Plane]:
        yield Plane("board", "every square of the board")
        if self._coloured:
            yield Plane("own", "squares of my colour placed in this stage")
            yield Plane("other", "squares of the other colour placed in this stage")
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
        if self.game.komi_names:
            yield Plane("names komi", "1 if the player to move has to name the komi")
            yield Plane("komi ahead", "the named komi if it is mine, over the highest that may be named")
            yield Plane("komi behind", "the named komi if it is the other player's, likewise")
        for number in range(2, len(stages) + 1):
            yield Plane(f"stage {number}", f"1 in stage {number}")
        if len(stages) > 1:
            yield Plane("ahead", "the points I lead by, over the number of squares, at most 1")
            yield Plane("behind", "the points I trail by, over the number of squares, at most 1")
        for stage in stages:
            if len(stage.stocks) > 1:
                for slot in stage.stocks:
                    yield Plane(f"left {slot.label}", f"the share that is left of {slot.count} {slot.label}")

    def encode(self, position: Position, seat: Seat) -> NDArray[np.float32]:
        """Return the planes of a position for a seat."""
        core = position.core
        colour = seat ^ core.swapped
        planes = self._empty.copy()
        if self._squares:
            own, other = (core.dark, core.light) if colour else (core.light, core.dark)
            planes[self._squares] = self._bits(_TWO_MASKS.pack(*own, *other))
        if self._gathers[core.stage_index]:
            masks = self._gather(core.history, core.stage_index, colour)
            data = b"".join(mask.to_bytes(MASK_BITS // 8, "little") for mask in masks)
            planes[self._rows] = self._bits(data)
        for number, value in enumerate(self._number_values(position, seat), self._masks):
            if value:
                planes[number] = value
        return planes.reshape(self.shape)

    def _bits(self, masks: bytes) -> NDArray[np.uint8]:
        """Return masks as rows of 0 and 1, one row per mask."""
        laid = np.unpackbits(np.frombuffer(masks, np.uint8), bitorder="little")
        return laid.reshape(-1, MASK_BITS)[:, : self._cells]

    def _gather(self, history: list[int], stage: int, colour: int) -> list[int]:
        """Return the masks that the core does not keep: symbols, kinds and ground."""
        below, count = self._layer_below(history, stage)
        kinds = dict.fromkeys(self._kinds, 0)
        covered = 0
        for action in history[count:]:
            piece = self._pieces.get(action)
            if piece is not None:
                covered |= piece.cells
                kinds[piece.kind] = kinds.get(piece.kind, 0) | piece.cells
        planes = []
        if self._symbols:
            symbols = self._stage_symbols(stage, below)
            planes += [symbols[colour] & ~covered, symbols[1 - colour] & ~covered]
        planes += [kinds[kind] for kind in self._kinds]
        if self._level:
            planes.append(below.covered)
        return planes

    def _layer_below(self, history: list[int], stage: int) -> tuple[Layer, int]:
        """Return the layer of the stage before and the number of actions until its end; cache both."""
        if not stage:
            return Layer(), 0
        known, path, layer = self._known
        if known != stage or history[: len(path)] != path:
            path = list(takewhile(lambda action: self._action_stage(action) < stage, history))
            below = [p for p in map(self._pieces.get, path) if p and p.stage_index == stage - 1]
            light, dark = reduce(or_, (p.light for p in below), 0), reduce(or_, (p.dark for p in below), 0)
            layer = Layer(light, dark, reduce(or_, (p.cells for p in below), 0))
            self._known = stage, path, layer
        return layer, len(path)

    def _action_stage(self, action: int) -> int:
        """Return the stage of a placement; a swap and a named komi count as the first stage."""
        piece = self._pieces.get(action)
        return piece.stage_index if piece else 0

    def _stage_symbols(self, stage: int, below: Layer) -> tuple[int, int]:
        """Return the light and the dark symbols: printed, or the squares of the stage before."""
        rules = self.game.compiled.stages[stage]
        if rules.symbols is not None:
            return rules.symbols.light, rules.symbols.dark
        return (below.light, below.dark) if rules.counts_symbols else (0, 0)

    def _number_values(self, position: Position, seat: Seat) -> list[float]:
        core, stages = position.core, self.game.stages
        values: list[float] = [seat ^ core.swapped, core.seat_to_move == seat and not core.is_over]
        if self.game.swap is not None:
            values.append(core.can_swap)
        if self.game.komi_names:
            komi = (position.komi or 0) / max(map(abs, self.game.komi_names))
            own = -komi if seat ^ core.swapped else komi
            values += [core.must_name_komi, max(0.0, own), max(0.0, -own)]
        values += [core.stage_index == number for number in range(1, len(stages))]
        if len(stages) > 1:
            halves = core.scores
            lead = (halves[seat] - halves[seat.other]) / 2 / self._cells
            values += [min(1.0, max(0.0, lead)), min(1.0, max(0.0, -lead))]
        for number, stage in enumerate(stages):
            if len(stage.stocks) > 1:
                left = core.supply if number == core.stage_index else stage.supply
                share = number >= core.stage_index
                values += [share * n / max(1, slot.count) for n, slot in zip(left, stage.stocks, strict=True)]
        return values
