"""The PUCT search of the compiled core: it hands out batches of positions for a net to evaluate."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Protocol

from taiji import _core
from taiji._core import ConvNet, NetEncoderSpec
from taiji.kernel.kernel import Kernel, Position
from taiji.kernel.machine import check_memory
from taiji.kernel.search import MAX_MEMORY_BYTES, MEBIBYTE, MoveInfo, SearchResult, to_core_objective
from taiji.rules import MatchContext, State

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MIN_MEMORY_BYTES = 4 * MEBIBYTE
MAX_BATCH = 64
_TICK_S = 0.05
"""Interval at which a running search checks for signals."""
_NAP_S = 1e-4
"""Sleep of a thread that waits for the evaluations of others."""


class Evaluator(Protocol):
    """Evaluates batches of positions outside the core; each thread needs its own."""

    planes: Floats
    """The buffer [batch, planes, rows, columns], filled by the core."""
    globals: Floats
    """The buffer [batch, globals], filled by the core."""

    def evaluate(self, count: int) -> tuple[Floats, Floats | None, Floats, Floats]:
        """Return policy, swap, value and margin logits of the first `count` positions in the buffers."""
        ...


class CoreEvaluator:
    """Evaluates positions with a net that runs in the core; each thread needs its own."""

    def __init__(self, net: ConvNet, batch: int) -> None:
        self.worker = _core.NetWorker(net, batch)


@dataclass(frozen=True, slots=True)
class PuctOptions:
    """Parameters of the PUCT search; docs/players.md has the measurements behind the defaults."""

    cpuct: float = 1.0
    """The weight of the priors in a fresh node."""
    cpuct_factor: float = 0.5
    """Growth of that weight with ln(1 + visits / `cpuct_base`)."""
    cpuct_base: float = 500.0
    """Visits at which the growth sets in."""
    fpu_reduction: float = 0.15
    """First-play urgency: value lost by an unvisited move, times the square root of the visited prior."""
    policy_temperature: float = 1.0
    """The softmax temperature of the policy; above 1 flattens it."""
    seed: int = 0
    memory: int = 256 * MEBIBYTE
    """Maximum bytes of tree and cache together."""
    reuse: bool = True
    """Keep the subtree of a position when it is reached."""
    cache: bool = True
    """Cache evaluations; symmetric positions share an entry."""

    def check(self) -> None:
        """Raise ValueError if an option is out of range, without building a tree."""
        if not MIN_MEMORY_BYTES <= self.memory <= MAX_MEMORY_BYTES:
            low, high = MIN_MEMORY_BYTES // MEBIBYTE, MAX_MEMORY_BYTES // MEBIBYTE
            raise ValueError(f"memory: invalid (expected {low} to {high:,} MiB)")
        check_memory(self.memory // MEBIBYTE)
        if not (self.cpuct > 0 and self.cpuct_factor >= 0 and self.cpuct_base > 0):
            raise ValueError("cpuct and cpuct_base must be positive, cpuct_factor not negative")
        if not (0 <= self.fpu_reduction <= 1 and self.policy_temperature > 0):
            raise ValueError("fpu_reduction must be in 0 to 1, policy_temperature positive")

    def core(self) -> _core.PuctOptions:
        """Return the options as a core object; raise ValueError if a number does not fit its type."""
        options = _core.PuctOptions()
        for field in fields(self):
            try:
                setattr(options, field.name, getattr(self, field.name))
            except TypeError:
                option = f"{field.name}={getattr(self, field.name)}"
                raise ValueError(f"{option}: invalid (expected a number such as {field.default})") from None
        return options


@dataclass(frozen=True, slots=True)
class PuctLimits:
    """Limits of a PUCT search, whichever is reached first; without any it runs until `stop`."""

    playouts: int | None = None
    evaluations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("playouts", "evaluations", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name}={value}: invalid (expected a positive number)")


@dataclass(frozen=True, slots=True)
class PuctResult(SearchResult):
    """The result of a PUCT search."""

    evaluations: int = 0
    """Positions evaluated by the net."""
    cache_hits: int = 0
    """Positions found in the cache."""
    proven: bool = False
    """Whether the value is exact: every relevant line reached the end of the game."""


class Puct:
    """A PUCT search of one game. It keeps its tree between runs; other threads may call `stop`."""

    def __init__(self, kernel: Kernel, encoder: NetEncoderSpec, options: PuctOptions | None = None) -> None:
        self.kernel = kernel
        self.options = options or PuctOptions()
        self.options.check()
        self._core = _core.Puct(kernel.compiled, encoder, self.options.core())

    def encode(
        self, position: Position | State, symmetry: int, planes: Floats, global_inputs: Floats
    ) -> None:
        """Write the inputs of the net for a position moved by a symmetry of the game."""
        self._core.encode(self._position(position).core, symmetry, planes, global_inputs)

    def _position(self, position: Position | State) -> Position:
        return self.kernel.position_from_state(position) if isinstance(position, State) else position

    def run(
        self,
        position: Position | State,
        limits: PuctLimits,
        evaluators: Sequence[Evaluator | CoreEvaluator],
        *,
        match: MatchContext | None = None,
        on_info: Callable[[PuctResult], None] | None = None,
        every: float = 0.5,
    ) -> PuctResult:
        """Search with one thread per evaluator until a limit is reached or `stop` is called.

        With `match`, the search maximises the probability to win the match instead of the game.
        """
        lead, tie_winner = to_core_objective(match)
        self._core.start(
            self._position(position).core,
            limits.playouts or 0,
            limits.evaluations or 0,
            limits.seconds or 0.0,
            lead,
            tie_winner,
        )
        failures: list[BaseException] = []
        helpers = [
            threading.Thread(target=self._work_guarded, args=(worker, evaluator, failures), daemon=True)
            for worker, evaluator in enumerate(evaluators)
            if worker > 0
        ]
        for helper in helpers:
            helper.start()
        try:
            reporter = None if on_info is None else _Reporter(self, on_info, every)
            self._work(0, evaluators[0], reporter)
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
        self, worker: int, evaluator: Evaluator | CoreEvaluator, failures: list[BaseException]
    ) -> None:
        try:
            self._work(worker, evaluator, None)
        except Exception as error:  # noqa: BLE001  `run` raises it again in the calling thread
            failures.append(error)
            self._core.stop()

    def _work(self, worker: int, evaluator: Evaluator | CoreEvaluator, reporter: _Reporter | None) -> None:
        if isinstance(evaluator, CoreEvaluator):
            while not evaluator.worker.work(self._core, worker, _TICK_S):
                if reporter is not None:
                    reporter.maybe_report()
            return
        core, planes, global_inputs = self._core, evaluator.planes, evaluator.globals
        while (count := core.collect_batch(worker, planes, global_inputs)) >= 0:
            if count == 0:
                time.sleep(_NAP_S)
                continue
            try:
                core.apply_batch(worker, *evaluator.evaluate(count))
            except BaseException:
                core.discard_batch(worker)
                raise
            if reporter is not None:
                reporter.maybe_report()

    def stop(self) -> None:
        """Stop the running search; it returns its current result."""
        self._core.stop()

    def info(self) -> PuctResult:
        """Return the current result."""
        info = self._core.info()
        moves = tuple(MoveInfo(move.action, move.visits, move.win_prob, move.margin) for move in info.moves)
        return PuctResult(
            action=moves[0].action if moves else -1,
            win_prob=info.win_prob,
            margin=info.margin,
            pv=tuple(info.pv),
            playouts=info.playouts,
            seconds=info.seconds,
            nodes=info.nodes,
            memory=info.memory,
            moves=moves,
            evaluations=info.evaluations,
            cache_hits=info.cache_hits,
            proven=info.proven,
        )

    def reset(self) -> None:
        """Drop the tree and the cache, as before a new game."""
        self._core.reset()


class _Reporter:
    """Passes the current result to a callback at regular intervals."""

    def __init__(self, search: Puct, on_info: Callable[[PuctResult], None], every: float) -> None:
        self._search, self._on_info, self._every = search, on_info, every
        self._next = time.monotonic() + every

    def maybe_report(self) -> None:
        """Report if the interval has passed."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._on_info(self._search.info())
