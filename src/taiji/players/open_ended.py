"""Thinking without a time limit: a search reports until `stop`, while a solver tries to prove its result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from taiji.kernel import Position, Solution
from taiji.players.base import Info, Limit, Report
from taiji.players.endgame import Endgame, SolverPlan, info_from_solution
from taiji.rules import MatchContext, Move, State

WATCH_S = 0.1
"""Interval at which a running search is watched."""
REPORT_S = 0.5
"""Interval at which it is reported."""
SOLVER_HORIZON_S = 600.0
"""The solver helps if it could afford to solve the position within this time."""
MAX_DEPTH_SEARCH_S = 60.0
"""Time after which a search for a depth ends even if its principal variation is shorter."""
STOPPED_SEARCH_S = 0.03
"""Length of the search that answers if there is no result yet when `stop` comes or the limit is reached."""


class BackgroundSolver:
    """Solves a position in a thread of its own, if that is affordable, until the `with` block ends."""

    def __init__(
        self, endgame: Endgame | None, state: State, position: Position, match: MatchContext | None
    ) -> None:
        self.solution: Solution | None = None
        """What was proven so far."""
        self._endgame = endgame
        self._arguments = (state, position, None, None, match)
        self._thread: threading.Thread | None = None
        if endgame is not None and endgame.plan(state, position, SOLVER_HORIZON_S, None) is SolverPlan.SOLVE:
            self._thread = threading.Thread(target=self._solve, daemon=True)

    def __enter__(self) -> BackgroundSolver:
        if self._thread is not None:
            self._thread.start()
        return self

    def _solve(self) -> None:
        assert self._endgame is not None
        self.solution = self._endgame.solve(*self._arguments)

    def __exit__(self, *_: object) -> None:
        while self._endgame is not None and self._thread is not None and self._thread.is_alive():
            # Repeated, because a solver that is just starting may miss the first call.
            self._endgame.stop()
            self._thread.join(0.01)


class SearchWatch:
    """Passes a running search on to a report, and stops it at its depth or when a solver is done.

    It also repeats a `stop` that came before the search had begun, if `is_stopped` says that one came.
    """

    def __init__(
        self,
        limit: Limit,
        report: Report | None,
        stop: Callable[[], None],
        is_stopped: Callable[[], bool],
        solver: BackgroundSolver | None = None,
    ) -> None:
        self._limit, self._report, self._stop, self._solver = limit, report, stop, solver
        self.is_stopped = is_stopped
        self._next = time.monotonic() + REPORT_S
        self.interval_s = WATCH_S if limit.depth is not None or solver is not None else REPORT_S
        """How often the search calls this watch."""

    def __call__(self, info: Info) -> None:
        """Look at the current result of the search."""
        proven = self._solver is not None and self._solver.solution is not None
        deep = (
            not self._limit.infinite and self._limit.depth is not None and len(info.pv) >= self._limit.depth
        )
        if proven or deep or self.is_stopped():
            self._stop()
        if self._report is not None and time.monotonic() >= self._next:
            self._next = time.monotonic() + REPORT_S
            self._report(info)


def choose_open_ended(
    state: State,
    limit: Limit,
    solver: BackgroundSolver,
    watch: SearchWatch,
    search: Callable[[float | None, SearchWatch], tuple[Move, Info]],
) -> tuple[Move, Info]:
    """Search until `stop` or the depth while the solver works; return its proof, or else the search's result.

    `search` receives its time limit in seconds: None until `stop`, a long one for a depth, and a short one if
    `stop` has come already.
    """
    with solver:
        seconds = None if limit.infinite else MAX_DEPTH_SEARCH_S
        result = search(STOPPED_SEARCH_S if watch.is_stopped() else seconds, watch)
    if solver.solution is None:
        return result
    info = info_from_solution(state, solver.solution)
    return info.pv[0], info
