"""The search by priors of the compiled core: it hands out positions in batches, and a net judges them."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Protocol

from taiji import _core
from taiji._core import ConvNet, NetViewSpec
from taiji.kernel.kernel import Kernel, Position
from taiji.kernel.search import MAX_MEMORY_BYTES, MEBIBYTE, Lead, MoveInfo, SearchResult, to_core_objective
from taiji.rules import State

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MIN_MEMORY_BYTES = 4 * MEBIBYTE
MAX_THREADS = 256
MAX_BATCH = 64
_TICK_S = 0.05
"""Seconds between two looks for signals while a search runs."""
_NAP_S = 1e-4
"""Seconds that a thread sleeps while others judge what it waits for."""


class Evaluator(Protocol):
    """Judges batches of positions outside the core; each thread has one of its own."""

    planes: Floats
    """The buffer [batch, planes, rows, columns] that the core fills."""
    globals: Floats
    """The buffer [batch, globals]."""

    def evaluate(self, count: int) -> tuple[Floats, Floats | None, Floats, Floats]:
        """Return policy, swap, value and margin of the first so many positions in the buffers, as logits."""
        ...


class CoreEvaluator:
    """Judges positions inside the core by a net whose shape it knows; each thread has one of its own."""

    def __init__(self, net: ConvNet, batch: int) -> None:
        self.worker = _core.NetWorker(net, batch)


@dataclass(frozen=True, slots=True)
class PuctOptions:
    """How a search by priors works; docs/players.md tells how the numbers were found."""

    exploration: float = 1.0
    """The weight of the priors in a fresh node."""
    growth: float = 0.5
    """How that weight grows with the logarithm of the visits over `horizon`."""
    horizon: float = 500.0
    """The visits from which it grows."""
    reduction: float = 0.15
    """What a move never visited is thought worse than its node, once all likelier ones were visited."""
    temperature: float = 1.0
    """The temperature of the policy; above 1 flattens it."""
    seed: int = 0
    memory: int = 256 * MEBIBYTE
    """The bytes that tree and cache may take."""
    reuse: bool = True
    """Keep what was learnt of a position when it is reached."""
    cache: bool = True
    """Remember what the net said of positions and their images under the board's symmetries."""

    def check(self) -> None:
        """Raise ValueError for options that cannot be; no tree is built for it."""
        if not MIN_MEMORY_BYTES <= self.memory <= MAX_MEMORY_BYTES:
            low, high = MIN_MEMORY_BYTES // MEBIBYTE, MAX_MEMORY_BYTES // MEBIBYTE
            raise ValueError(f"memory: the tree takes {low} to {high:,} MiB")
        if not (self.exploration > 0 and self.growth >= 0 and self.horizon > 0):
            raise ValueError("exploration and horizon are above 0, growth is not negative")
        if not (0 <= self.reduction <= 1 and self.temperature > 0):
            raise ValueError("reduction is between 0 and 1, temperature above 0")

    def core(self) -> _core.PuctOptions:
        """Return the core's own copy; raise ValueError for options that cannot be."""
        options = _core.PuctOptions()
        for field in fields(self):
            try:
                setattr(options, field.name, getattr(self, field.name))
            except TypeError:
                raise ValueError(f"{field.name}={getattr(self, field.name)} is out of range") from None
        return options


@dataclass(frozen=True, slots=True)
class PuctLimits:
    """When a search ends: after so many descents, evaluations or seconds, whichever is first."""

    playouts: int | None = None
    evaluations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("playouts", "evaluations", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name}={value}: give more than 0")


@dataclass(frozen=True, slots=True)
class PuctResult(SearchResult):
    """What a search by priors has found."""

    evaluations: int = 0
    """How many positions the net judged."""
    cache_hits: int = 0
    """How many the cache knew."""
    proven: bool = False
    """Whether the value is exact: every line that matters was followed to the end of the game."""


class Puct:
    """A search by priors of one game. It keeps its tree; `stop` may be called from another thread."""

    def __init__(self, kernel: Kernel, view: NetViewSpec, options: PuctOptions | None = None) -> None:
        self.kernel = kernel
        self.options = options or PuctOptions()
        self.options.check()
        self._core = _core.Puct(kernel.compiled, view, self.options.core())

    def encode(self, position: Position | State, symmetry: int, planes: Floats, numbers: Floats) -> None:
        """Write what the net sees of a position whose cells a symmetry of the game has moved."""
        self._core.see(self._position(position).core, symmetry, planes, numbers)

    def _position(self, position: Position | State) -> Position:
        return self.kernel.position_from_state(position) if isinstance(position, State) else position

    def run(
        self,
        position: Position | State,
        limits: PuctLimits,
        evaluators: Sequence[Evaluator | CoreEvaluator],
        *,
        match: Lead | None = None,
        on_info: Callable[[PuctResult], None] | None = None,
        every: float = 0.5,
    ) -> PuctResult:
        """Search with a thread an evaluator until a limit is reached or `stop` is called.

        With `lead`, a game counts as won when it wins the match.
        """
        halves, equal = to_core_objective(match)
        self._core.start(
            self._position(position).core,
            limits.playouts or 0,
            limits.evaluations or 0,
            limits.seconds or 0.0,
            halves,
            equal,
        )
        failures: list[BaseException] = []
        helpers = [
            threading.Thread(target=self._work_guarded, args=(slot, evaluator, failures), daemon=True)
            for slot, evaluator in enumerate(evaluators)
            if slot > 0
        ]
        for helper in helpers:
            helper.start()
        try:
            report = None if on_info is None else _Reporter(self, on_info, every)
            self._work(0, evaluators[0], report)
        except BaseException:
            self._core.stop()
            raise
        finally:
            for helper in helpers:
                helper.join()
        if failures:
            raise failures[0]
        return self.info()

    def _work_guarded(
        self, slot: int, evaluator: Evaluator | CoreEvaluator, failures: list[BaseException]
    ) -> None:
        try:
            self._work(slot, evaluator, None)
        except Exception as error:  # noqa: BLE001  it is raised again where the search was called
            failures.append(error)
            self._core.stop()

    def _work(self, slot: int, evaluator: Evaluator | CoreEvaluator, report: _Reporter | None) -> None:
        if isinstance(evaluator, CoreEvaluator):
            while not evaluator.worker.work(self._core, slot, _TICK_S):
                if report is not None:
                    report.maybe_report()
            return
        core, planes, numbers = self._core, evaluator.planes, evaluator.globals
        while (count := core.gather(slot, planes, numbers)) >= 0:
            if count == 0:
                time.sleep(_NAP_S)
                continue
            try:
                said = evaluator.evaluate(count)
                core.apply(slot, *said)
            except BaseException:
                core.drop(slot)
                raise
            if report is not None:
                report.maybe_report()

    def stop(self) -> None:
        """End the search that runs now; it answers with what it has found."""
        self._core.stop()

    def info(self) -> PuctResult:
        """Return what the search has found so far."""
        info = self._core.info()
        moves = tuple(MoveInfo(move.action, move.visits, move.win, move.margin) for move in info.moves)
        return PuctResult(
            action=moves[0].action if moves else -1,
            win_prob=info.win,
            margin=info.margin,
            pv=tuple(info.variation),
            playouts=info.playouts,
            seconds=info.seconds,
            nodes=info.nodes,
            memory=info.memory,
            moves=moves,
            evaluations=info.evaluations,
            cache_hits=info.remembered,
            proven=info.proven,
        )

    def reset(self) -> None:
        """Forget the tree and what the net said, as before a new game."""
        self._core.reset()


class _Reporter:
    """Tells somebody every so many seconds what a search has found."""

    def __init__(self, search: Puct, tell: Callable[[PuctResult], None], every: float) -> None:
        self._search, self._tell, self._every = search, tell, every
        self._next = time.monotonic() + every

    def maybe_report(self) -> None:
        """Tell it when it is time."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._tell(self._search.info())
