"""Solve a puzzle move by move: the verdict on each move, and the defence that answers it."""

from __future__ import annotations

from enum import Enum

from taiji.analysis.puzzles.data import Puzzle
from taiji.notation import parse_position
from taiji.rules import Move, State


class Verdict(Enum):
    """What became of a move."""

    WRONG = "wrong"
    """It misses the goal: exactly one other move reaches it."""
    RIGHT = "right"
    """It is the only move; the defence has answered, and another move is to be found."""
    SOLVED = "solved"


class Attempt:
    """A try at a puzzle, which begins again at no cost after a wrong move."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.start = parse_position(puzzle.position)
        self.state: State = self.start
        self.moves: list[Move] = []
        """The right moves so far and the answers to them."""
        self.mistakes = 0

    @property
    def is_solved(self) -> bool:
        """Whether every move of the solution is found."""
        return len(self.moves) == len(self.puzzle.solution)

    @property
    def next_move(self) -> Move:
        """The move to be found."""
        return self.state.parse(self.puzzle.solution[len(self.moves)])

    def try_move(self, move: Move | str) -> Verdict:
        """Check a move and answer a correct one; raise `IllegalMove` or `NotationError` if it is illegal."""
        tried = self.state.parse(move) if isinstance(move, str) else move
        self.state.play(tried)
        if tried != self.next_move:
            self.mistakes += 1
            return Verdict.WRONG
        self._play()
        if self.is_solved:
            return Verdict.SOLVED
        self._play()
        return Verdict.RIGHT

    def reveal(self) -> Move:
        """Play the next move of the solution and its answer; it counts as a mistake."""
        move = self.next_move
        self.mistakes += 1
        self._play()
        if not self.is_solved:
            self._play()
        return move

    def _play(self) -> None:
        move = self.next_move
        self.state = self.state.play(move)
        self.moves.append(move)

    def final(self) -> State:
        """Return the end of the game with best play after the solution."""
        state = self.state
        for text in (*self.puzzle.solution[len(self.moves) :], *self.puzzle.rest):
            state = state.play(text)
        return state
