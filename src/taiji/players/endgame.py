"""Exact play at the end: when the rest of a game is small enough, it is solved instead of searched."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import inf

from taiji.kernel import Kernel, Position, Solution, Solver, WinCheck
from taiji.players.base import CandidateMove, Info
from taiji.rules import MatchContext, Seat, State

SOLVER_MEMORY_MIB = 64
"""Megabytes of the solver's table."""
SOLVER_TIME_FRACTION = 0.4
"""The part of a move's time that an attempt to solve may take in a plain game."""
CONSTRAINED_TIME_FRACTION = 0.5
"""The same where pieces bind each other; also the part for a look at what the search has chosen."""
NODES_PER_PLAYOUT = 3
"""About as many positions are solved in the time of one playout."""
NODES_PER_SECOND = 1_500_000.0
"""About as many positions are solved in a second, before it has been measured."""
MIN_TIMING_S = 0.01
"""Seconds of solving from which its speed can be told."""
SOLVE_RATIO_UNCONSTRAINED = 5.0
"""How many times the positions that it may see the solver may need, by guess, to be tried in a plain game."""
SOLVE_RATIO_CONSTRAINED, CHECK_RATIO_CONSTRAINED = 0.5, 10.0
"""The same where pieces bind each other: to solve, and to judge single moves."""
MEAN_BRANCHING_RATIO = 0.37
"""The choices of a ply as a part of those of the first, on the mean of a rest."""
LENGTH_SAMPLE_GAMES = 24
"""Random games that tell how long the rest of a game is."""


class SolverPlan(Enum):
    """What the solver may do for a position in the time there is."""

    NONE = 0
    CHECK_MOVES = 1
    """Tell of single moves whether they win."""
    SOLVE = 2


class Endgame:
    """Solves the rest of a game, or judges single moves, where a part of the time may be enough."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._solver = Solver(kernel, memory=SOLVER_MEMORY_MIB)
        self._speed = NODES_PER_SECOND

    def plan(
        self, state: State, position: Position, seconds: float | None, playouts: int | None
    ) -> SolverPlan:
        """Guess what can be done from the choices now and the length of random games."""
        if state.stage_index + 1 < len(state.game.stages):
            return SolverPlan.NONE
        is_constrained = bool(state.current_stage.constraints)
        reach = min(
            inf if seconds is None else _time_fraction(state) * seconds * self._speed,
            inf if playouts is None else NODES_PER_PLAYOUT * playouts,
        )
        plies = plies_left(position)
        # Alpha-beta with good order looks at about the square root of all lines.
        need = max(1.0, MEAN_BRANCHING_RATIO * len(position.legal())) ** (plies / 2)
        if need <= (SOLVE_RATIO_CONSTRAINED if is_constrained else SOLVE_RATIO_UNCONSTRAINED) * reach:
            return SolverPlan.SOLVE
        return (
            SolverPlan.CHECK_MOVES
            if is_constrained and need <= CHECK_RATIO_CONSTRAINED * reach
            else SolverPlan.NONE
        )

    def try_solve(
        self, state: State, seconds: float | None, playouts: int | None, match: MatchContext | None
    ) -> Solution | None:
        """Return what a quick attempt found, or None where it is too early or was not enough."""
        position = self._kernel.position_from_state(state)
        if self.plan(state, position, seconds, playouts) is not SolverPlan.SOLVE:
            return None
        return self.solve(state, position, seconds, playouts, match)

    def solve(
        self,
        state: State,
        position: Position,
        seconds: float | None,
        playouts: int | None,
        match: MatchContext | None,
    ) -> Solution | None:
        """Return what a part of the time has proven, or None where it was not enough."""
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
        """Look for a win among these moves, the likeliest first."""
        nodes = None if playouts is None else NODES_PER_PLAYOUT * playouts
        verdict = self._solver.find_win(position, moves, seconds=seconds, nodes=nodes, match=match)
        self._update_speed(verdict.nodes, verdict.seconds)
        return verdict

    def _update_speed(self, nodes: int, seconds: float) -> None:
        """Follow the speed of the machine, which may be a busy one."""
        if seconds >= MIN_TIMING_S:
            self._speed += 0.3 * (nodes / seconds - self._speed)

    def stop(self) -> None:
        """End an attempt under way."""
        self._solver.stop()


def plies_left(position: Position) -> float:
    """Return how long random games from here last."""
    games = position.playouts(LENGTH_SAMPLE_GAMES, seed=1)
    return games.plies / games.playouts


def _time_fraction(state: State) -> float:
    """Return the part of a move's time that the solver may take."""
    return CONSTRAINED_TIME_FRACTION if state.current_stage.constraints else SOLVER_TIME_FRACTION


def info_from_solution(state: State, solution: Solution) -> Info:
    """Return a solution as a player's thought, from the mover's side."""
    own = {None: 0.5, state.seat_to_move: 1.0, state.seat_to_move.other: 0.0}[solution.winner]
    margin = solution.margin
    if margin is not None and state.seat_to_move is Seat.SECOND:
        margin = -margin
    game = state.game
    line = solution.pv or solution.best[:1]
    return Info(
        win_prob=own,
        margin=margin,
        pv=tuple(game.move(action) for action in line),
        playouts=solution.nodes,
        seconds=solution.seconds,
        exact=True,
        candidates=tuple(
            CandidateMove(game.move(action), 1 / len(solution.best), own, margin=margin)
            for action in solution.best
        ),
    )
