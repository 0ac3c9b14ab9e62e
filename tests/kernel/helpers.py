"""Random games played by the kernel and by the Python state side by side."""

from __future__ import annotations

import random

from taiji.kernel import Kernel
from taiji.rules import Game


def play_side_by_side(game: Game, kernel: Kernel, rng: random.Random, *, every_score: bool = True) -> int:
    """Plays one random game on both sides; legal sets, scores and winner must agree. Returns the plies."""
    state, position = game.start(), kernel.start()
    plies = 0
    while not state.is_over:
        moves = state.legal()
        assert position.legal() == [move.action for move in moves]
        assert not position.is_over
        assert position.seat_to_move is state.seat_to_move
        assert position.core.stage_index == state.stage_index
        if every_score:
            assert position.scores() == state.scores()
        move = rng.choice(moves)
        state = state._play_unchecked(move)
        position.play(move.action)
        plies += 1
    outcome = state.outcome()
    assert outcome is not None
    assert position.is_over
    assert position.legal() == []
    assert position.scores() == outcome.scores
    assert position.winner() is outcome.winner
    return plies
