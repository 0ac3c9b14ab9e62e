"""The stones of an SGF board before and after each ply of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.rules import Placement, bits

if TYPE_CHECKING:
    from taiji.notation.replays import ReplayedPly
    from taiji.rules import Board, Game, State

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def point(board: Board, cell: int) -> str:
    """Return the SGF name of a cell: column and row, counted from the top left."""
    row, column = divmod(cell, board.width)
    return LETTERS[column] + LETTERS[board.height - 1 - row]


@dataclass(frozen=True, slots=True)
class Stones:
    """White and black stones and dimmed points; `changes` are the properties of the last ply."""

    game: Game
    stage: int
    white: int = 0
    black: int = 0
    dim: int = 0
    covered: int = 0
    """Cells covered in this stage."""
    changes: tuple[tuple[str, list[str]], ...] = ()
    new: tuple[int, ...] = ()
    """Cells of a piece without colours that was just placed."""

    @classmethod
    def from_state(cls, state: State) -> Stones:
        """Return the stones of a position."""
        if state.compiled_stage.counts_symbols:
            free = ~state.covered
            white, black = state.symbols.light & free, state.symbols.dark & free
            return cls(state.game, state.stage_index, white, black, state.covered, state.covered)
        return cls(state.game, state.stage_index, state.light, state.dark, state.ground, state.covered)

    def setup_properties(self) -> list[tuple[str, list[str]]]:
        """Return the properties that set up this board."""
        properties = [("AW", self._points(self.white)), ("AB", self._points(self.black))]
        return [*properties, ("DD", self._points(self.dim))] if self.dim else properties

    def after(self, ply: ReplayedPly) -> Stones:
        """Return the stones after a ply; the first ply of a stage clears what does not count in it."""
        stage = self.game.compiled.stages[ply.stage]
        counts_symbols = stage.counts_symbols
        white, black, dim, covered = self.white, self.black, self.dim, self.covered
        if ply.stage != self.stage:
            dim, covered = (0 if counts_symbols else covered), 0
            if not counts_symbols:
                white = black = 0
            elif stage.symbols is not None:
                white, black = stage.symbols.light, stage.symbols.dark
        new: tuple[int, ...] = ()
        if isinstance(ply.move, Placement):
            white, black = white & ~ply.move.cells | ply.move.light, black & ~ply.move.cells | ply.move.dark
            covered |= ply.move.cells
            if counts_symbols:
                dim |= ply.move.cells
                new = tuple(bits(ply.move.cells))
        changes = self._changes(white, black, dim)
        return Stones(self.game, ply.stage, white, black, dim, covered, changes, new)

    def _changes(self, white: int, black: int, dim: int) -> tuple[tuple[str, list[str]], ...]:
        added = [("AW", white & ~self.white), ("AB", black & ~self.black)]
        added.append(("AE", (self.white | self.black) & ~(white | black)))
        properties = [(name, self._points(mask)) for name, mask in added if mask]
        if dim != self.dim:
            properties.append(("DD", self._points(dim) or [""]))
        return tuple(properties)

    def _points(self, mask: int) -> list[str]:
        board = self.game.stages[self.stage].board
        return [point(board, cell) for cell in bits(mask)]
