"""A sample of the shipped puzzles, proven by the naive referee: plain minimax over its own legal moves."""

from __future__ import annotations

from math import prod

import pytest

from taiji.analysis.puzzles import Puzzle, load_set, shipped_sets
from taiji.notation import parse_position
from tests.oracle import Oracle
from tests.rules.helpers import symbols_text

SAMPLE = 100
OF_EACH_SET = 3


def cost(puzzle: Puzzle) -> float:
    """Return about how many positions plain minimax visits: the choices shrink to nothing at the end."""
    plies = len(puzzle.solution) + len(puzzle.rest)
    return prod(max(1.0, puzzle.choices * (1 - ply / plies)) for ply in range(plies))


def sample() -> list[Puzzle]:
    """Return the cheapest puzzles of each set, and then of TAIJI, where the referee is fast."""
    by_set = {name: sorted(load_set(name), key=cost) for name in shipped_sets()}
    chosen = [puzzle for puzzles in by_set.values() for puzzle in puzzles[:OF_EACH_SET]]
    quick = [puzzle for name in by_set if name[6:].isdigit() for puzzle in by_set[name][OF_EACH_SET:]]
    return [*chosen, *sorted(quick, key=cost)[: SAMPLE - len(chosen)]]


def referee_at(puzzle: Puzzle) -> Oracle:
    """Play to the position: each placement as soon as the referee allows it."""
    state = parse_position(puzzle.position)
    symbols = state.game.stages[0].symbols
    rows = symbols_text(state.board, symbols.light, symbols.dark) if symbols else None
    oracle = Oracle(puzzle.game, rows)
    _, _, placed, _, seats = puzzle.position.split()
    for number, stage in enumerate(placed.split(";")):
        left = [] if stage == "-" else stage.split(",")
        while left:
            assert oracle.number == number
            legal = oracle.legal()
            move = next(text for text in left if text in legal)
            left.remove(move)
            oracle.play(move)
            if seats == "swapped" and "swap" in oracle.legal():
                oracle.play("swap")
    return oracle


def wins(oracle: Oracle, seat: str, known: dict[object, bool]) -> bool:
    """Return whether a seat wins with best play, by trying everything once."""
    if oracle.over:
        return oracle.winner() == seat
    key = (frozenset(oracle.kinds.items()), frozenset(oracle.squares.items()))
    if key not in known:
        found = any if oracle.seat_to_move == seat else all
        known[key] = found(wins(oracle.after(text), seat, known) for text in sorted(oracle.legal()))
    return known[key]


def test_the_sample_has_a_hundred_puzzles() -> None:
    assert len(sample()) == SAMPLE


@pytest.mark.parametrize("puzzle", sample(), ids=lambda puzzle: puzzle.id)
def test_exactly_one_move_wins(puzzle: Puzzle) -> None:
    oracle = referee_at(puzzle)
    seat = oracle.seat_to_move
    assert len(oracle.legal()) == puzzle.choices
    known: dict[object, bool] = {}
    winning = [text for text in oracle.legal() if wins(oracle.after(text), seat, known)]
    assert winning == [puzzle.solution[0]]
    for number, text in enumerate((*puzzle.solution, *puzzle.rest)):
        assert (oracle.seat_to_move == seat) == (number % 2 == 0)
        oracle = oracle.after(text)
    assert oracle.over
    assert oracle.winner() == seat
