"""The kernel's replayer: the same result as `replay_with_rules`, many times faster."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from taiji.kernel.kernel import Kernel
from taiji.notation import NotationError
from taiji.notation.replays import ReplayedPlies, ReplayedPly, replay_with_rules
from taiji.rules import Colour, Outcome, Seat
from taiji.rules.errors import Unsupported
from taiji.rules.move_text import parse_stage_move
from taiji.rules.traits import score_bits

if TYPE_CHECKING:
    from taiji.rules import Game, Move, State


MAX_CACHED_MOVES = 50_000
"""Maximum number of parsed moves cached per game."""

_SEATS, _COLOURS = tuple(Seat), tuple(Colour)
_MAX_SCORE_BITS = 61
"""The core keeps totals of half points in 64 bits: a sign, one bit for halves and one for sums of stages."""


def replay_with_kernel(start: State, texts: Sequence[str]) -> ReplayedPlies:
    """Replay moves in the core; leave to the rules what it cannot do, and the errors of invalid moves."""
    cache = _move_cache(start.game)
    if cache is None:
        return replay_with_rules(start, texts)
    position = cache.kernel.position_from_state(start) if start.ply else cache.kernel.start()
    core = position.core
    plies = []
    for text in texts:
        stage, seat, colour = core.stage_index, _SEATS[core.seat_to_move], _COLOURS[core.colour_to_move]
        choices = len(core.legal())
        try:
            move = cache.parse(stage, text)
            core.play(move.action)
        except (NotationError, ValueError):
            replay_with_rules(start, texts)
            raise AssertionError(f"the core rejects {text}, the rules do not") from None
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


@lru_cache(maxsize=32)
def _move_cache(game: Game) -> _MoveCache | None:
    """Return the cache of a game; None if the core does not support it, or could not count its scores."""
    tallies = [
        (tally, stage.board.cells.bit_count()) for stage in game.compiled.stages for tally in stage.tallies
    ]
    if any(score_bits(tally, cells) > _MAX_SCORE_BITS for tally, cells in tallies):
        return None
    try:
        return _MoveCache(game)
    except Unsupported:
        return None
