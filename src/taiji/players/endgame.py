"""Exact play at the end: when the rest of a game is small enough, it is solved instead of searched."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import inf

from taiji.kernel import Kernel, Lead, Position, Solution, Solver, Verdict
from taiji.players.base import Info
from taiji.rules import Seat, State

MEMORY = 64
"""Megabytes of the solver's table."""
SHARE = 0.4
"""The part of a move's time that an attempt to solve may take in a plain game."""
BOUND_SHARE = 0.5
"""The same where pieces bind each other; also the part for a look at what the search has chosen."""
NODES_A_PLAYOUT = 3
"""About as many positions are solved in the time of one playout."""
NODES_A_SECOND = 1_500_000.0
"""About as many positions are solved in a second, before it has been measured."""
LONG_ENOUGH = 0.01
"""Seconds of solving from which its speed can be told."""
TRIED = 5.0
"""How many times the positions that it may see the solver may need, by guess, to be tried in a plain game."""
SOLVED, JUDGED = 0.5, 10.0
"""The same where pieces bind each other: to solve, and to judge single moves."""
CHOICES_MET = 0.37
"""The choices of a ply as a part of those of the first, on the mean of a rest."""
SAMPLE = 24
"""Random games that tell how long the rest of a game is."""


class Hope(Enum):
    """What the solver may do for a position in the time there is."""

    NONE = 0
    JUDGE = 1
    """Tell of single moves whether they win."""
    SOLVE = 2


class Endgame:
    """Solves the rest of a game, or judges single moves, where a part of the time may be enough."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._solver = Solver(kernel, memory=MEMORY)
        self._speed = NODES_A_SECOND

    def hope(self, state: State, position: Position, seconds: float | None, playouts: int | None) -> Hope:
        """Guess what can be done from the choices now and the length of random games."""
        if state.stage + 1 < len(state.game.stages):
            return Hope.NONE
        bound = bool(state.rules.constraints)
        reach = min(
            inf if seconds is None else _share(state) * seconds * self._speed,
            inf if playouts is None else NODES_A_PLAYOUT * playouts,
        )
        plies = plies_left(position)
        # Alpha-beta with good order looks at about the square root of all lines.
        need = max(1.0, CHOICES_MET * len(position.legal())) ** (plies / 2)
        if need <= (SOLVED if bound else TRIED) * reach:
            return Hope.SOLVE
        return Hope.JUDGE if bound and need <= JUDGED * reach else Hope.NONE

    def attempt(
        self, state: State, seconds: float | None, playouts: int | None, lead: Lead | None
    ) -> Solution | None:
        """Return what a quick attempt found, or None where it is too early or was not enough."""
        position = self._kernel.position_from_state(state)
        if self.hope(state, position, seconds, playouts) is not Hope.SOLVE:
            return None
        return self.solve(state, position, seconds, playouts, lead)

    def solve(
        self,
        state: State,
        position: Position,
        seconds: float | None,
        playouts: int | None,
        lead: Lead | None,
    ) -> Solution | None:
        """Return what a part of the time has proven, or None where it was not enough."""
        solution = self._solver.solve(
            position,
            seconds=None if seconds is None else _share(state) * seconds,
            nodes=None if playouts is None else NODES_A_PLAYOUT * playouts,
            lead=lead,
            every_best=False,
        )
        self._learn(solution.nodes, solution.seconds)
        known = solution.solved or solution.winner is not None
        return solution if known and solution.best else None

    def judge(
        self,
        position: Position,
        moves: Sequence[int],
        seconds: float | None,
        playouts: int | None,
        lead: Lead | None,
    ) -> Verdict:
        """Look for a win among these moves, the likeliest first."""
        nodes = None if playouts is None else NODES_A_PLAYOUT * playouts
        verdict = self._solver.find_win(position, moves, seconds=seconds, nodes=nodes, lead=lead)
        self._learn(verdict.nodes, verdict.seconds)
        return verdict

    def _learn(self, nodes: int, seconds: float) -> None:
        """Follow the speed of the machine, which may be a busy one."""
        if seconds >= LONG_ENOUGH:
            self._speed += 0.3 * (nodes / seconds - self._speed)

    def stop(self) -> None:
        """End an attempt under way."""
        self._solver.stop()


def plies_left(position: Position) -> float:
    """Return how long random games from here last."""
    games = position.playouts(SAMPLE, seed=1)
    return games.plies / games.playouts


def _share(state: State) -> float:
    """Return the part of a move's time that the solver may take."""
    return BOUND_SHARE if state.rules.constraints else SHARE


def info_of(state: State, solution: Solution) -> Info:
    """Return a solution as a player's thought, from the mover's side."""
    own = {None: 0.5, state.mover: 1.0, state.mover.other: 0.0}[solution.winner]
    margin = solution.margin
    if margin is not None and state.mover is Seat.SECOND:
        margin = -margin
    game = state.game
    line = solution.line or solution.best[:1]
    return Info(
        win=own,
        margin=margin,
        line=tuple(game.move(action) for action in line),
        playouts=solution.nodes,
        seconds=solution.seconds,
        exact=True,
        choices=tuple((game.move(action), 1 / len(solution.best), own) for action in solution.best),
    )
