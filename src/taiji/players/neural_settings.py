"""Settings of the player `neural`, and the options in its text that set them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from taiji.kernel import PuctLimits, PuctOptions
from taiji.kernel.machine import check_threads
from taiji.kernel.puct import MAX_BATCH
from taiji.players.base import PlayerError
from taiji.players.options import Parser, field_parsers, integer, one_of, parse_options, real, yes_no

_LIMIT_PARSERS: dict[str, Parser] = {"playouts": integer, "evaluations": integer, "seconds": real}
_RUNTIME_ALIASES = {"core-floats": "core-float32"}
_OPTION_ALIASES = {
    "at_most": "max_evaluations",
    "handover": "handover_plies",
    "exploration": "cpuct",
    "growth": "cpuct_factor",
    "horizon": "cpuct_base",
    "reduction": "fpu_reduction",
    "temperature": "policy_temperature",
}
"""Earlier option names, still accepted."""


def _runtime(text: str) -> str:
    return str(one_of("core", "core-float32", "onnxruntime")(_RUNTIME_ALIASES.get(text, text)))


_OWN_PARSERS: dict[str, Parser] = {
    "net": Path,
    "threads": integer,
    "batch": integer,
    "max_evaluations": integer,
    "handover_plies": real,
    "policy_temperature": real,
    "runtime": _runtime,
    "endgame": yes_no,
    "mirrors": yes_no,
    "book": yes_no,
}
"""The options that are fields of `NeuralSettings`."""


@dataclass(frozen=True, slots=True)
class NeuralSettings:
    """How the player thinks; `fixed_limits` override the limit of each call if there are any."""

    options: PuctOptions
    fixed_limits: PuctLimits
    net: Path | None = None
    """A net file; None takes the bundled nets."""
    threads: int = 1
    batch: int = 1
    endgame: bool = True
    mirrors: bool = False
    """Whether to win by the mirror theorem where that is possible."""
    book: bool = False
    """Whether to play the first moves that long searches found balanced."""
    runtime: str = "core"
    """`core`: in the core if it knows the net's shape, with int16 products if those are faster;
    `core-float32`: the same without int16; `onnxruntime`: never in the core."""
    handover_plies: float = 9.0
    """In games with placement constraints, let `mcts` take over once random playouts average at most this
    many plies."""
    policy_temperature: float | None = None
    """Softmax temperature of the policy; None takes the default of the game."""
    max_evaluations: int | None = None
    """Maximum evaluations per move beside the limit's seconds; the limit's playouts then apply only to games
    without a net."""

    @property
    def limits_itself(self) -> bool:
        """Whether every search has a limit of its own, even without one from the caller."""
        return self.fixed_limits != PuctLimits() or self.max_evaluations is not None

    def check(self) -> None:
        """Raise ValueError if a setting is out of range."""
        if self.policy_temperature is not None:
            replace(self.options, policy_temperature=self.policy_temperature).check()
        self.options.check()
        check_threads(self.threads)
        if not 1 <= self.batch <= MAX_BATCH:
            raise ValueError(f"batch={self.batch}: invalid (expected 1 to {MAX_BATCH})")
        if self.mirrors and not self.endgame:
            raise ValueError("mirrors=yes: invalid with endgame=no")
        if self.max_evaluations == 0:
            raise ValueError("max_evaluations=0: invalid (expected at least 1)")


def parse_settings(seed: int | None, texts: Mapping[str, str]) -> NeuralSettings:
    """Return the settings that the options of a text ask for; raise `PlayerError` that names a bad one."""
    parsers = {**_LIMIT_PARSERS, **field_parsers(PuctOptions()), **_OWN_PARSERS}
    values = parse_options("neural", texts, parsers, _OPTION_ALIASES)

    def take(keys: Mapping[str, Any]) -> dict[str, Any]:
        return {key: values.pop(key) for key in keys if key in values}

    limits, own = take(_LIMIT_PARSERS), take(_OWN_PARSERS)
    if seed is not None:
        values.setdefault("seed", seed)
    try:
        settings = NeuralSettings(PuctOptions(**values), PuctLimits(**limits), **own)
        settings.check()
    except ValueError as error:
        raise PlayerError(f"neural: {error}") from error
    return settings
