"""`taiji solve` tells what it has found in the words of the game."""

from __future__ import annotations

from taiji.cli.solve import _lines
from taiji.kernel import Solution
from taiji.rules import Seat, parse_game


def test_an_unfinished_solution_names_the_winner_as_the_game_does() -> None:
    state = parse_game("battle-of-lits").start()
    found = Solution(solved=False, winner=Seat.SECOND, margin=None, best=(), pv=(), nodes=1200, seconds=1.0)
    assert _lines(state, found) == ["not solved; O wins (1,200 positions in 1.00 s)"]
