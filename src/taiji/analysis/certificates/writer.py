"""Makes a certificate with the solver: one winning answer for every position that a strategy meets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taiji.analysis.certificates.certificate import (
    Certificate,
    CertificateError,
    Key,
    check_supported,
    key_of,
    move_image,
)
from taiji.kernel import Solver, get_kernel
from taiji.notation import format_position
from taiji.rules import Game, MatchContext, Placement, Points, Seat


def make_certificate(game: Game, definition: Mapping[str, Any] | str, *, memory: int = 256) -> Certificate:
    """Solve a game from its start and collect the answers of both sides."""
    check_supported(game)
    solver = Solver(get_kernel(game), memory=memory)
    margin = solver.solve(game.start(), all_best=False).margin
    assert margin is not None, "without a limit the solver finds the margin"
    answers = {seat: _strategy(game, seat, margin, solver) for seat in Seat}
    return Certificate(game, definition, margin, answers)


def _strategy(game: Game, seat: Seat, margin: Points, solver: Solver) -> dict[Key, str]:
    """Return a seat's answers in a game that it wins by reaching the margin."""
    kernel = get_kernel(game)
    match = MatchContext(-margin, seat)
    answers: dict[Key, str] = {}
    seen: set[Key] = set()
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        key, image = key_of(state)
        if key in seen or state.is_over:
            continue
        seen.add(key)
        if state.seat_to_move is not seat:
            waiting += [state.play(move) for move in state.legal()]
            continue
        action = solver.find_win(kernel.position_from_state(state), (), match=match).winning_move
        move = None if action is None else game.move(action)
        if not isinstance(move, Placement):
            raise CertificateError(f"{format_position(state)}: no winning placement (a bug of the solver)")
        answers[key] = str(move_image(game, move, image))
        waiting.append(state.play(move))
    return answers
