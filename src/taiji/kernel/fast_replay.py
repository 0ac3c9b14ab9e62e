"""Replays records in the core: the same result as with the rules' states, many times faster."""

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
"""Maximum number of parsed moves cached per game."""


def replay_with_kernel(record: Record) -> ReplayedPlies:
    """Replay a record; if a move is invalid or illegal, raise the NotationError of the rules."""
    cache = _move_cache(record.game)
    kernel = cache.kernel
    position = kernel.start() if record.start is None else kernel.position_from_state(record.start)
    core = position.core
    plies = []
    for step in record.steps:
        stage, seat, colour = core.stage_index, Seat(core.seat_to_move), Colour(core.colour_to_move)
        choices = len(core.legal())
        try:
            move = cache.parse(stage, step.move)
            core.play(move.action)
        except (NotationError, ValueError):
            replay_with_rules(record)
            raise AssertionError(f"the core refuses {step.move}, the rules do not") from None
        plies.append(ReplayedPly(move, seat, colour, stage, choices, position.scores()))
    outcome = Outcome(position.winner(), position.scores()) if core.is_over else None
    return ReplayedPlies(tuple(plies), outcome)


class _MoveCache:
    """The kernel of a game, and its parsed moves by stage and text."""

    def __init__(self, game: Game) -> None:
        self.kernel = Kernel(game)
        self._moves: dict[tuple[int, str], Move] = {}

    def parse(self, stage: int, text: str) -> Move:
        """Return the move of a text, from the cache if possible."""
        move = self._moves.get((stage, text))
        if move is None:
            if len(self._moves) >= MAX_CACHED_MOVES:
                self._moves.clear()
            move = self._moves[stage, text] = parse_stage_move(self.kernel.game, stage, text)
        return move


@lru_cache(maxsize=16)
def _move_cache(game: Game) -> _MoveCache:
    return _MoveCache(game)
