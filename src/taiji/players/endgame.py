"""Exact play at the end: when the rest of a game is small enough, it is solved instead of searched."""

from __future__ import annotations

import threading

from taiji.kernel import Kernel, Lead, Solution, Solver
from taiji.players.base import Info
from taiji.rules import Seat, State

MEMORY = 64
"""Megabytes of the solver's table."""
SHARE = 0.4
"""The part of a move's time that an attempt to solve may take."""
NODES_A_PLAYOUT = 3
"""About as many positions are solved in the time of one playout."""
MOST_FREE = 30
"""Free cells, of those that can still be covered, up to which an attempt is made in a plain game."""
MOST_CHOICES = 150
"""Choices up to which an attempt is made in any other game."""


class Endgame:
    """Solves the rest of a game where there is hope to do so within a part of the time."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._solver: Solver | None = None
        self._lock = threading.Lock()

    def attempt(
        self, state: State, seconds: float | None, playouts: int | None, lead: Lead | None
    ) -> Solution | None:
        """Return what a quick attempt found, or None where it is too early or was not enough."""
        if not self._hopeful(state):
            return None
        if self._solver is None:
            self._solver = Solver(self._kernel, memory=MEMORY)
        solution = self._solver.solve(
            state,
            seconds=None if seconds is None else SHARE * seconds,
            nodes=None if playouts is None else NODES_A_PLAYOUT * playouts,
            lead=lead,
            every_best=False,
        )
        known = solution.solved or solution.winner is not None
        return solution if known and solution.best else None

    @staticmethod
    def _hopeful(state: State) -> bool:
        if state.stage + 1 < len(state.game.stages):
            return False
        if not state.rules.constraints:
            free = 0
            for footprint in state.live:
                free |= footprint.cells
            return free.bit_count() <= MOST_FREE
        return len(state.legal()) <= MOST_CHOICES

    def stop(self) -> None:
        """End an attempt under way."""
        if self._solver is not None:
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
