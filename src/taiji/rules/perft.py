"""Counting positions: the check that every implementation of the rules must agree on."""

from __future__ import annotations

from taiji.rules.state import State


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of exactly `depth` moves from a position."""
    if depth == 0:
        return 1
    moves = state.legal()
    if depth == 1:
        return len(moves)
    return sum(perft(state._play_unchecked(move), depth - 1) for move in moves)
