"""The player `solver`: best play, as far as the position can be solved."""

from __future__ import annotations

from dataclasses import replace

from taiji.kernel import Progress, Solver, get_kernel
from taiji.kernel.machine import check_memory, check_threads
from taiji.players.base import Info, Limit, PlayerError, Report, check_choice
from taiji.players.endgame import info_from_solution
from taiji.players.open_ended import REPORT_S
from taiji.players.options import integer, parse_options, player_text
from taiji.players.searching import short_search
from taiji.rules import Game, MatchContext, Move, State

MEMORY_MIB = 256


class SolverPlayer:
    """Solves the position and plays a best move; without a limit it takes as long as that needs."""

    def __init__(self, *, threads: int = 1, memory: int = MEMORY_MIB, name: str = "solver") -> None:
        self.name = name
        self._threads, self._memory = threads, memory
        self._solver: Solver | None = None
        self._stopped = False

    def prepare(self, game: Game) -> None:
        """Build the solver of the game."""
        self._ready(game)

    def _ready(self, game: Game) -> Solver:
        if self._solver is None or self._solver.kernel.game != game:
            self._solver = Solver(get_kernel(game), memory=self._memory, threads=self._threads)
        return self._solver

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a best move; raise `PlayerError` if the limit is reached before there is one.

        After `stop` a short tree search answers if nothing is proven yet.
        """
        check_choice(state, limit, match, report)
        self._stopped = False
        solution = self._ready(state.game).solve(
            state,
            seconds=None if limit.infinite else limit.seconds,
            nodes=None if limit.infinite else limit.playouts,
            match=match,
            all_best=False,
            on_progress=None if report is None else _ProgressReport(report),
        )
        if not solution.best and self._stopped:
            return short_search(state, match)
        if not solution.best:
            raise PlayerError(f"not solved within {solution.seconds:.1f} s ({solution.nodes:,} positions)")
        info = info_from_solution(state, solution)
        return info.pv[0], replace(info, exact=solution.solved)

    def stop(self) -> None:
        """Stop the running solver."""
        self._stopped = True
        if self._solver is not None:
            self._solver.stop()

    def new_game(self) -> None:
        """Keep the transposition table: proven values stay true."""

    def close(self) -> None:
        """Release the transposition table."""
        self._solver = None


def solver(**texts: str) -> SolverPlayer:
    """Make the player from the options of its text."""
    values = parse_options("solver", texts, {"threads": integer, "memory": integer}, {})
    try:
        check_threads(values.get("threads", 1))
        check_memory(values.get("memory", MEMORY_MIB))
    except ValueError as error:
        raise PlayerError(f"solver: {error}") from None
    return SolverPlayer(**values, name=player_text("solver", texts))


class _ProgressReport:
    """Reports how many positions the solver has searched, at most once per interval."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._next_s = REPORT_S

    def __call__(self, progress: Progress) -> None:
        if progress.seconds >= self._next_s:
            self._next_s = progress.seconds + REPORT_S
            self._report(Info(playouts=progress.nodes, seconds=progress.seconds))
