"""The exact solver of the compiled core: who wins, by how much, and how."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from taiji import _core
from taiji.kernel.kernel import Kernel, Position
from taiji.kernel.search import Lead
from taiji.rules import Points, Seat, State
from taiji.rules.state import from_half_points

_TIES = {None: 2, Seat.FIRST: 0, Seat.SECOND: 1}
_BY_THE_GAME = -1
_UNKNOWN = 1 << 60
"""Bounds beyond this are none."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a solver is: positions seen, and what it knows of the margin of seat FIRST."""

    nodes: int
    seconds: float
    lower: Points | None
    upper: Points | None


@dataclass(frozen=True, slots=True)
class Solution:
    """What was found; margins are those of seat FIRST, with the lead that was given."""

    solved: bool
    winner: Seat | None
    """Who wins with best play: nobody in a draw, or while it is not known."""
    margin: Points | None
    """The margin of seat FIRST with best play, where it was asked for."""
    best: tuple[int, ...]
    """The best moves, the first one that of the line; one or none where time ran out."""
    pv: tuple[int, ...]
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class WinCheck:
    """What a look for a win found: a move that wins, or moves that do not."""

    winning_move: int | None
    refuted: tuple[int, ...]
    """Moves that are known not to win."""
    nodes: int
    seconds: float


class Solver:
    """Solves positions of one game; it keeps what it learnt from one to the next."""

    def __init__(self, kernel: Kernel, *, memory: int = 64) -> None:
        if not 1 <= memory <= 1_000_000:
            raise ValueError(f"memory={memory}: give 1 to 1,000,000 megabytes")
        self.kernel = kernel
        self._core = _core.Solver(kernel.compiled, memory)

    def solve(
        self,
        position: Position | State,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        match: Lead | None = None,
        all_best: bool = True,
        winner_only: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """Solve a position within the limits; `winner_only` asks who wins, not by how much."""
        if isinstance(position, State):
            position = self.kernel.position_from_state(position)
        halves, equal = _aim(match)
        found: list[_core.SolveResult] = []

        def work() -> None:
            found.append(
                self._core.solve(
                    position.core, seconds or 0.0, nodes or 0, halves, equal, all_best, winner_only
                )
            )

        if on_progress is None:
            work()
        else:
            self._run_with_progress(work, on_progress)
        return _solution(found[0], winner_only)

    def find_win(
        self,
        position: Position,
        first: Sequence[int],
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        match: Lead | None = None,
    ) -> WinCheck:
        """Look for one move that wins within the limits, these ones first and in this order."""
        halves, equal = _aim(match)
        result = self._core.win(position.core, seconds or 0.0, nodes or 0, halves, equal, list(first))
        win = result.best[0] if result.best else None
        return WinCheck(win, tuple(result.refuted), result.nodes, result.seconds)

    def _run_with_progress(self, work: Callable[[], None], on_progress: Callable[[Progress], None]) -> None:
        """Do the work in a thread while this one reports and hears interrupts."""
        began = time.monotonic()
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.1)
                least, most = (_margin(value) for value in self._core.bounds)
                on_progress(Progress(self._core.nodes, time.monotonic() - began, least, most))
        except BaseException:
            self.stop()
            thread.join()
            raise

    def stop(self) -> None:
        """End the solving under way, from another thread."""
        self._core.stop()


def _aim(lead: Lead | None) -> tuple[int, int]:
    """Return a lead as the core takes it: half points, and who wins equal totals."""
    return (0, _BY_THE_GAME) if lead is None else (round(2 * lead.points), _TIES[lead.equal_totals])


def _margin(value: int) -> Points | None:
    if abs(value) >= _UNKNOWN:
        return None
    return from_half_points((value + 1) // 3 if value >= 0 else -((1 - value) // 3))


def _solution(result: _core.SolveResult, winner_only: bool) -> Solution:
    winner = Seat.FIRST if result.lower > 0 else Seat.SECOND if result.upper < 0 else None
    margin = _margin(result.lower) if result.solved and not winner_only else None
    return Solution(
        result.solved, winner, margin, tuple(result.best), tuple(result.line), result.nodes, result.seconds
    )
