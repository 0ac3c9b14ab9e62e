"""The exact solver of the compiled core: winner, margin and best play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral

from taiji import _core
from taiji.kernel.kernel import Kernel, Position
from taiji.kernel.machine import check_memory, check_threads
from taiji.kernel.search import to_core_objective
from taiji.notation.wording import counted
from taiji.rules import Game, MatchContext, Move, Points, Seat, State
from taiji.rules.errors import check_type
from taiji.rules.state import from_half_points

_UNBOUNDED = 1 << 60
"""Values of at least this magnitude stand for an unknown bound."""


_TICK_S = 0.1
"""Interval between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a solver: positions searched, and bounds of the margin of seat FIRST if known."""

    nodes: int
    seconds: float
    lower: Points | None
    upper: Points | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a solver; margins are those of seat FIRST, including the lead of the match."""

    solved: bool
    winner: Seat | None
    """The winner with best play; None for a draw or if unknown."""
    margin: Points | None
    """The margin with best play; None if unknown or not asked for."""
    best: tuple[Move, ...]
    """The best moves, that of `pv` first; at most one if a limit was reached."""
    pv: tuple[Move, ...]
    """Principal variation, to the end of the game."""
    nodes: int
    seconds: float

    def __str__(self) -> str:
        parts = [] if self.solved else ["not solved"]
        if self.winner is not None:
            by = "" if self.margin is None else f" by {abs(self.margin):g}"
            parts.append(f"seat {self.winner.name.lower()} wins{by}")
        elif self.solved:
            parts.append("a draw")
        if self.best:
            parts.append(f"best {' '.join(map(str, self.best))}")
        if len(self.pv) > 1:
            parts.append(f"line {' '.join(map(str, self.pv))}")
        return f"{'; '.join(parts)} ({counted(self.nodes, 'position')} in {self.seconds:.2f} s)"


@dataclass(frozen=True, slots=True)
class WinCheck:
    """The result of a search for a winning move."""

    winning_move: int | None
    refuted: tuple[int, ...]
    """Moves that are proven not to win."""
    nodes: int
    seconds: float


class Solver:
    """Solves positions of one game; it keeps its transposition table between calls.

    All `threads` share the table. With one thread the number of positions is always the same.
    """

    def __init__(self, kernel: Kernel, *, memory: int = 64, threads: int = 1) -> None:
        check_type("memory", memory, Integral, "an integer, in MiB")
        check_type("threads", threads, Integral, "an integer")
        if not 1 <= memory <= 1_000_000:
            raise ValueError(f"memory={memory}: invalid (expected 1 to 1,000,000 MiB)")
        check_memory(memory)
        check_threads(threads)
        self.kernel = kernel
        self._core = _core.Solver(kernel.compiled, memory, threads)

    def solve(
        self,
        position: Position | State,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        match: MatchContext | None = None,
        all_best: bool = True,
        winner_only: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """Solve a position within the limits; `winner_only` skips the margin and all best moves but one."""
        if isinstance(position, State):
            position = self.kernel.position_from_state(position)
        lead, tie_winner = to_core_objective(match)

        def work() -> _core.SolveResult:
            return self._core.solve(
                position.core, seconds or 0.0, nodes or 0, lead, tie_winner, all_best, winner_only
            )

        result = work() if on_progress is None else self._run_with_progress(work, on_progress)
        return _solution(self.kernel.game, result, winner_only)

    def find_win(
        self,
        position: Position,
        first: Sequence[int],
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        match: MatchContext | None = None,
    ) -> WinCheck:
        """Look for a winning move within the limits, trying the moves of `first` in order."""
        lead, tie_winner = to_core_objective(match)
        result = self._core.find_win(position.core, seconds or 0.0, nodes or 0, lead, tie_winner, list(first))
        winning_move = result.best[0] if result.best else None
        return WinCheck(winning_move, tuple(result.refuted), result.nodes, result.seconds)

    def mirror_win(self, position: Position | State, *, match: MatchContext | None = None) -> Move | None:
        """Return a move that wins because its player can mirror every move after it, or None, at once."""
        if isinstance(position, State):
            position = self.kernel.position_from_state(position)
        action = self._core.mirror_win(position.core, *to_core_objective(match))
        return None if action < 0 else self.kernel.game.move(action)

    def _run_with_progress(
        self, work: Callable[[], _core.SolveResult], on_progress: Callable[[Progress], None]
    ) -> _core.SolveResult:
        """Run the work in a thread while this one reports progress and handles interrupts."""
        from concurrent.futures import Future, wait  # with logging it costs milliseconds

        began = time.monotonic()
        future: Future[_core.SolveResult] = Future()
        ended = False

        def run() -> None:
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001  the calling thread raises it again
                future.set_exception(error)

        # Not Thread.join: an interrupted join takes the running thread for ended.
        threading.Thread(target=run, daemon=True).start()
        try:
            while not ended:
                ended = bool(wait([future], timeout=_TICK_S).done)
                lower, upper = (_margin(value) for value in self._core.bounds)
                on_progress(Progress(self._core.nodes, time.monotonic() - began, lower, upper))
        except BaseException:
            self.stop()
            wait([future])
            raise
        return future.result()

    def stop(self) -> None:
        """Stop the running solver, from another thread."""
        self._core.stop()


def _margin(value: int) -> Points | None:
    """Return the margin of a solver value (see core/solver.hpp), or None if it is unbounded."""
    if abs(value) >= _UNBOUNDED:
        return None
    return from_half_points((value + 1) // 3 if value >= 0 else -((1 - value) // 3))


def _solution(game: Game, result: _core.SolveResult, winner_only: bool) -> Solution:
    winner = Seat.FIRST if result.lower > 0 else Seat.SECOND if result.upper < 0 else None
    margin = _margin(result.lower) if result.solved and not winner_only else None
    best, pv = (tuple(game.move(action) for action in actions) for actions in (result.best, result.pv))
    return Solution(result.solved, winner, margin, best, pv, result.nodes, result.seconds)
