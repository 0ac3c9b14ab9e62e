"""Judges records with the core: the same course of a game as by the rules' own states, many times faster."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from taiji.kernel.kernel import Kernel
from taiji.notation import NotationError
from taiji.notation.interchange import ReplayedPlies, ReplayedPly, replay_with_rules
from taiji.notation.moves import parse_stage_move
from taiji.rules import Colour, Outcome, Seat

if TYPE_CHECKING:
    from taiji.notation import Record
    from taiji.rules import Game, Move


MAX_CACHED_MOVES = 50_000
"""How many texts of moves are remembered of a game."""


def replay_with_kernel(record: Record) -> ReplayedPlies:
    """Judge a record; at a move that is garbled or not allowed the rules themselves say what is wrong."""
    table = _move_cache(record.game)
    kernel = table.kernel
    position = kernel.start() if record.start is None else kernel.position_from_state(record.start)
    core = position.core
    plies = []
    for step in record.steps:
        stage, mover, colour, choices = core.stage, Seat(core.mover), Colour(core.to_move), len(core.legal())
        try:
            move = table.move(stage, step.move)
            core.play(move.action)
        except (NotationError, ValueError):
            replay_with_rules(record)
            raise AssertionError(f"the core refuses {step.move}, the rules do not") from None
        plies.append(ReplayedPly(move, mover, colour, stage, choices, position.scores()))
    outcome = Outcome(position.winner(), position.scores()) if core.over else None
    return ReplayedPlies(tuple(plies), outcome)


class _MoveCache:
    """A game in the core, and the moves that were read so far by their texts."""

    def __init__(self, game: Game) -> None:
        self.kernel = Kernel(game)
        self._moves: dict[tuple[int, str], Move] = {}

    def move(self, stage: int, text: str) -> Move:
        """Read a move, or remember it."""
        found = self._moves.get((stage, text))
        if found is None:
            if len(self._moves) >= MAX_CACHED_MOVES:
                self._moves.clear()
            found = self._moves[stage, text] = parse_stage_move(self.kernel.game, stage, text)
        return found


@lru_cache(maxsize=16)
def _move_cache(game: Game) -> _MoveCache:
    return _MoveCache(game)
