"""Exact play at the end: when the rest of a game is small enough, it is solved instead of searched."""

from __future__ import annotations

from math import log10

from taiji.kernel import Kernel, Lead, Solution, Solver
from taiji.players.base import Info
from taiji.rules import Seat, State

MEMORY = 64
"""Megabytes of the solver's table."""
SHARE = 0.4
"""The part of a move's time that an attempt to solve may take."""
NODES_A_PLAYOUT = 3
"""About as many positions are solved in the time of one playout."""
NODES_A_SECOND = 1.5e6
MOST_CHOICES = 200
"""Choices from which no attempt is made, whatever the time."""
OPTIMISM = 0.7
"""Powers of ten by which an end may look larger than the budget and still be tried: guesses are rough."""
_PLAYOUTS = 16
_SHRINKING = 0.43
"""By how many powers of ten the choices of a ply fall below those of the first, on the mean of a rest."""


class Endgame:
    """Solves the rest of a game where there is hope to do so within a part of the time."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._solver = Solver(kernel, memory=MEMORY)

    def attempt(
        self, state: State, seconds: float | None, playouts: int | None, lead: Lead | None
    ) -> Solution | None:
        """Return what a quick attempt found, or None where it is too early or was not enough."""
        seconds = None if seconds is None else SHARE * seconds
        nodes = None if playouts is None else NODES_A_PLAYOUT * playouts
        budget = min(
            float("inf") if seconds is None else seconds * NODES_A_SECOND,
            float("inf") if nodes is None else nodes,
        )
        if not self._hopeful(state, budget):
            return None
        solution = self._solver.solve(state, seconds=seconds, nodes=nodes, lead=lead, every_best=False)
        known = solution.solved or solution.winner is not None
        return solution if known and solution.best else None

    def _hopeful(self, state: State, budget: float) -> bool:
        """Guess from the choices now and the length of random games how many positions the rest has."""
        if state.stage + 1 < len(state.game.stages):
            return False
        choices = len(state.legal())
        if choices > MOST_CHOICES:
            return False
        rest = self._kernel.position_from_state(state).playouts(_PLAYOUTS, seed=state.ply)
        # Alpha-beta with good order looks at about the square root of all lines.
        size = rest.plies / rest.playouts / 2 * max(0.0, log10(choices) - _SHRINKING)
        return size <= log10(max(1.0, budget)) + OPTIMISM

    def stop(self) -> None:
        """End an attempt under way."""
        self._solver.stop()


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
