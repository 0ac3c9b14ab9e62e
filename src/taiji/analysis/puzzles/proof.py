"""Proofs by the solver: the only move that reaches a goal, and its line against the best defence."""

from __future__ import annotations

from taiji.analysis.puzzles.data import Goal, Puzzle, PuzzleError
from taiji.kernel import Kernel, Position, Solver, get_kernel
from taiji.notation import NotationError, parse_position
from taiji.rules import Game, IllegalMove, Seat

MAX_NODES = 4_000_000
"""Positions that the solver may visit for one question while puzzles are made."""
MEMORY_MIB = 32


class NotSolved(Exception):
    """The solver reached its limit."""


class Prover:
    """Answers questions about positions of one game exactly; `max_nodes` limits each of them."""

    def __init__(self, game: Game, goal: Goal = "win", *, max_nodes: int | None = MAX_NODES) -> None:
        self.kernel: Kernel = get_kernel(game)
        self._solver = Solver(self.kernel, memory=MEMORY_MIB)
        self._goal = goal
        self._max_nodes = max_nodes

    def only_move(self, position: Position) -> int | None:
        """Return the only action that reaches the goal, or None if there is none or more than one."""
        if self._goal == "margin":
            best = self.best_moves(position)
            return best[0] if len(best) == 1 else None
        mover = position.seat_to_move
        if not self.wins(position, mover):
            return None
        only = None
        for action in position.legal():
            after = position.copy()
            after.play(action)
            if self.wins(after, mover):
                if only is not None:
                    return None
                only = action
        return only

    def wins(self, position: Position, seat: Seat) -> bool:
        """Return whether a seat wins with best play."""
        if position.is_over:
            return position.winner() is seat
        solution = self._solver.solve(position, nodes=self._max_nodes, winner_only=True, all_best=False)
        if not solution.solved:
            raise NotSolved
        return solution.winner is seat

    def best_moves(self, position: Position) -> list[int]:
        """Return every action with the best margin."""
        solution = self._solver.solve(position, nodes=self._max_nodes)
        if (
            not solution.solved or not solution.pv
        ):  # without a variation, the limit ended the list of best moves
            raise NotSolved
        return [move.action for move in solution.best]

    def line(self, position: Position, key: int) -> list[int]:
        """Return the solution that begins with the only move, as long as some defence leaves only one."""
        moves, position = [key], position.copy()
        position.play(key)
        while (step := self.best_defence(position)) is not None:
            moves += step
            for action in step:
                position.play(action)
        return moves

    def best_defence(self, position: Position) -> tuple[int, int] | None:
        """Return the defence that leaves the most choices of which only one is right, and that answer."""
        if position.is_over:
            return None
        attacker = position.seat_to_move.other
        defences = position.legal() if self._goal == "win" else self.best_moves(position)
        best, most_choices = None, 1
        for action in defences:
            after = position.copy()
            after.play(action)
            if after.is_over or after.seat_to_move is not attacker:
                continue
            choices = len(after.legal())
            if choices > most_choices and (answer := self.only_move(after)) is not None:
                best, most_choices = (action, answer), choices
        return best

    def rest(self, position: Position) -> list[int]:
        """Return best play to the end of the game."""
        solution = self._solver.solve(position, nodes=self._max_nodes, all_best=False)
        if not solution.solved:
            raise NotSolved
        return [move.action for move in solution.pv]


def prove(puzzle: Puzzle, prover: Prover | None = None) -> None:
    """Prove a puzzle again from its position alone; raise `PuzzleError` if any part of it does not hold."""
    try:
        state = parse_position(puzzle.position)
    except NotationError as error:
        raise PuzzleError(f"{puzzle.id}: position: {error}") from error
    if str(state.game) != puzzle.game:
        raise PuzzleError(f"{puzzle.id}: game: {puzzle.game!r} (expected {str(state.game)!r})")
    if state.is_over:
        raise PuzzleError(f"{puzzle.id}: position: the game is over")
    if puzzle.choices and puzzle.choices != len(state.legal()):
        raise PuzzleError(f"{puzzle.id}: choices: {puzzle.choices} (expected {len(state.legal())})")
    prover = prover or Prover(state.game, puzzle.goal, max_nodes=None)
    solver_seat = state.seat_to_move
    for number, text in enumerate((*puzzle.solution, *puzzle.rest), 1):
        try:
            after = state.play(text)
        except (IllegalMove, NotationError) as error:
            raise PuzzleError(f"{puzzle.id}: move {number} ({text!r}): {error}") from error
        if number <= len(puzzle.solution) and number % 2:
            action = prover.only_move(prover.kernel.position_from_state(state))
            if action is None:
                raise PuzzleError(
                    f"{puzzle.id}: move {number} ({text}): not the only move that reaches the goal"
                )
            if action != state.parse(text).action:
                best = state.game.move(action)
                raise PuzzleError(f"{puzzle.id}: move {number} ({text}): not the best move (expected {best})")
        state = after
    outcome = state.outcome()
    if puzzle.rest and outcome is None:
        raise PuzzleError(f"{puzzle.id}: rest: the game goes on after it (expected moves to its end)")
    if outcome is not None and puzzle.goal == "win" and outcome.winner is not solver_seat:
        raise PuzzleError(f"{puzzle.id}: rest: the side that solves does not win after it (expected its win)")
