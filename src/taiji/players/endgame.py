"""Exact endgame play: solve the rest of a game instead of searching it, if the time budget allows."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import inf

from taiji.kernel import Kernel, Position, Solution, Solver, WinCheck
from taiji.players.base import CandidateMove, Info
from taiji.rules import MatchContext, Move, Seat, State

SOLVER_MEMORY_MIB = 64
SOLVER_TIME_FRACTION = 0.4
"""Fraction of a move's time that solving may take in games without placement constraints."""
CONSTRAINED_TIME_FRACTION = 0.5
"""The same with placement constraints; also the fraction for checking the moves that a search has found."""
NODES_PER_PLAYOUT = 3
"""Nodes that the solver visits in the time of one playout, roughly."""
NODES_PER_SECOND = 1_500_000.0
"""First guess of the solver's speed, until it has been measured."""
MIN_TIMING_S = 0.01
"""Shortest solver run that counts as a measurement of its speed."""
SOLVE_RATIO_UNCONSTRAINED = 5.0
"""Solve if the estimated nodes are at most this multiple of the affordable ones."""
SOLVE_RATIO_CONSTRAINED, CHECK_RATIO_CONSTRAINED = 5.0, 100.0
"""The same with placement constraints: for solving, and for checking single moves."""
MEAN_BRANCHING_RATIO = 0.37
"""Average number of legal moves over the rest of a game, relative to now."""
LENGTH_SAMPLE_GAMES = 24
"""Random playouts that estimate how many plies are left."""


class SolverPlan(Enum):
    """What the solver can afford within its time budget."""

    NONE = 0
    CHECK_MOVES = 1
    """Check single moves for a win."""
    SOLVE = 2
    """Solve the position."""


class Endgame:
    """Solves positions, or checks single moves for a win, within a fraction of a move's time.

    With `mirrors` it also knows the mirror theorem, which proves a win long before the end.
    """

    def __init__(self, kernel: Kernel, *, mirrors: bool = False) -> None:
        self._solver = Solver(kernel, memory=SOLVER_MEMORY_MIB)
        self._mirrors = mirrors
        self._nodes_per_s = NODES_PER_SECOND

    def mirror_win(self, position: Position, match: MatchContext | None) -> tuple[Move, Info] | None:
        """Return a move that wins by the mirror theorem, which takes no time to see, or None."""
        move = self._solver.mirror_win(position, match=match) if self._mirrors else None
        if move is None:
            return None
        return move, Info(1.0, pv=(move,), exact=True, candidates=(CandidateMove(move, 1.0, 1.0),))

    def plan(
        self, state: State, position: Position, seconds: float | None, playouts: int | None
    ) -> SolverPlan:
        """Return what the solver can afford, estimated from the branching and the length of playouts."""
        if state.stage_index + 1 < len(state.game.stages):
            return SolverPlan.NONE
        constrained = is_constrained(state)
        affordable = min(
            inf if seconds is None else _time_fraction(state) * seconds * self._nodes_per_s,
            inf if playouts is None else NODES_PER_PLAYOUT * playouts,
        )
        # Alpha-beta with good move ordering visits about the square root of all lines.
        branching = max(1.0, MEAN_BRANCHING_RATIO * len(position.legal()))
        nodes = branching ** (plies_left(position) / 2)
        if nodes <= (SOLVE_RATIO_CONSTRAINED if constrained else SOLVE_RATIO_UNCONSTRAINED) * affordable:
            return SolverPlan.SOLVE
        if constrained and nodes <= CHECK_RATIO_CONSTRAINED * affordable:
            return SolverPlan.CHECK_MOVES
        return SolverPlan.NONE

    def solve(
        self,
        state: State,
        position: Position,
        seconds: float | None,
        playouts: int | None,
        match: MatchContext | None,
    ) -> Solution | None:
        """Return what the solver has proven in its fraction of the time, or None if that was too short."""
        solution = self._solver.solve(
            position,
            seconds=None if seconds is None else _time_fraction(state) * seconds,
            nodes=None if playouts is None else NODES_PER_PLAYOUT * playouts,
            match=match,
            all_best=False,
        )
        self._update_speed(solution.nodes, solution.seconds)
        known = solution.solved or solution.winner is not None
        return solution if known and solution.best else None

    def find_winning_move(
        self,
        position: Position,
        moves: Sequence[int],
        seconds: float | None,
        playouts: int | None,
        match: MatchContext | None,
    ) -> WinCheck:
        """Look for a winning move among these actions, most promising first."""
        nodes = None if playouts is None else NODES_PER_PLAYOUT * playouts
        check = self._solver.find_win(position, moves, seconds=seconds, nodes=nodes, match=match)
        self._update_speed(check.nodes, check.seconds)
        return check

    def _update_speed(self, nodes: int, seconds: float) -> None:
        """Track the measured speed; other processes may slow the solver down."""
        if seconds >= MIN_TIMING_S:
            self._nodes_per_s += 0.3 * (nodes / seconds - self._nodes_per_s)

    def stop(self) -> None:
        """Stop the running solver."""
        self._solver.stop()


def is_constrained(state: State) -> bool:
    """Return whether the current stage has placement constraints."""
    return state.game.compiled.stages[state.stage_index].traits.is_constrained


def plies_left(position: Position) -> float:
    """Return the average number of plies that random playouts last from here."""
    games = position.playouts(LENGTH_SAMPLE_GAMES, seed=1)
    return games.plies / games.playouts


def _time_fraction(state: State) -> float:
    """Return the fraction of a move's time that the solver may take."""
    return CONSTRAINED_TIME_FRACTION if is_constrained(state) else SOLVER_TIME_FRACTION


def info_from_solution(state: State, solution: Solution) -> Info:
    """Return a solution as a player's evaluation, from the mover's view."""
    mover = state.seat_to_move
    win_prob = 0.5 if solution.winner is None else float(solution.winner is mover)
    margin = solution.margin
    if margin is not None and mover is Seat.SECOND:
        margin = -margin
    return Info(
        win_prob=win_prob,
        margin=margin,
        pv=solution.pv or solution.best[:1],
        playouts=solution.nodes,
        seconds=solution.seconds,
        exact=True,
        candidates=tuple(
            CandidateMove(move, 1 / len(solution.best), win_prob, margin=margin) for move in solution.best
        ),
    )
