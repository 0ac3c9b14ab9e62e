"""Rebuilds a position from the pieces on its board, in whatever order they were placed."""

from __future__ import annotations

from collections.abc import Iterable

from taiji.rules.errors import check_type
from taiji.rules.game import Game
from taiji.rules.placements import Move
from taiji.rules.reasons import IllegalMove, IllegalReason
from taiji.rules.state import State

MAX_POSITIONS = 20_000
"""How many positions are tried if the order of the placements matters."""


def restore(game: Game, placed: tuple[tuple[int, ...], ...], swapped: bool, komi: int | None = None) -> State:
    """Return the position with these placements; raise `IllegalMove` if no order of them is legal."""
    check_type("placed", placed, Iterable, "the action ids of each stage")
    state = State.start(game)
    if komi is not None:
        named = next((move for move in game.komi_moves if move.half_points == komi), None)
        if named is None:
            raise IllegalMove(IllegalReason("no-komi"))
        state = _play(state, named, swapped)
    opening = list(game.opening_moves)
    for actions in placed or [()]:
        check_type("placed", actions, Iterable, "the action ids of each stage")
        moves = [game.move(action) for action in actions]
        while opening:  # it lies on the board already
            if opening[-1] not in moves:
                raise IllegalMove(IllegalReason("no-opening"))
            moves.remove(opening.pop())
        state = _place_all(state, moves, swapped)
    if len(placed) > len(state.placed):
        raise IllegalMove(IllegalReason("wrong-stage"))
    if swapped != state.swapped:
        raise IllegalMove(IllegalReason("no-swap"))
    return state


def _place_all(state: State, moves: list[Move], swapped: bool) -> State:
    """Place some pieces of one stage, searching for an order if the order matters."""
    order_free = state.compiled_stage.traits.order_free
    seen: set[tuple[int, ...]] = set()
    obstacle = IllegalReason("no-order")
    shortest = len(moves) + 1
    stack = [(state, tuple(moves))]
    while stack and len(seen) < MAX_POSITIONS:
        current, left = stack.pop()
        if not left:
            return current
        ready = [index for index, move in enumerate(left) if current.is_legal(move)]
        if not ready and len(left) < shortest:
            shortest, obstacle = len(left), current.illegal_reason(left[0]) or obstacle
        for index in ready[:1] if order_free else reversed(ready):
            rest = left[:index] + left[index + 1 :]
            key = tuple(move.action for move in rest)
            if key not in seen:
                seen.add(key)
                stack.append((_play(current, left[index], swapped), rest))
    raise IllegalMove(obstacle)


def _play(state: State, move: Move, swapped: bool) -> State:
    after = state._play_unchecked(move)
    if swapped and after.can_swap and state.game.swap is not None:
        return after._play_unchecked(state.game.swap)
    return after
