"""Training specs: TOML files that set the games, the size of the net and the length of the training."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from taiji.rules import Game, GameError, parse_game
from taiji.rules.tables import parse_toml
from taiji.training.config import LearningConfig


class SpecError(ValueError):
    """A spec that cannot be trained."""


@dataclass(frozen=True)
class NetSpec:
    """The size of the net."""

    blocks: int = 6
    channels: int = 64
    pooled: tuple[int, ...] = (1, 4)
    head: int = 32
    hidden: int = 64


@dataclass(frozen=True)
class SearchSpec:
    """The search of self-play."""

    simulations: int = 32
    candidates: int = 16
    value_scale: float = 1.0
    """The weight of the search's values against the prior."""
    late_simulations: int = 0
    """Simulations per move late in the training; 0 means no change."""
    late_after_fraction: float = 0.5
    """The fraction of the training time after which `late_simulations` applies."""


@dataclass(frozen=True)
class PoolSpec:
    """Games played in parallel on one padded board: their texts and the weight with which each is drawn."""

    games: dict[str, float]
    size: int = 2048
    """The number of games in parallel."""
    plies: int = 32
    """Plies per round of self-play; at least half of the longest game."""
    random_plies: int = 4
    random_symbols: float = 0.0
    every_n_rounds: int = 1
    """Run this pool only every N-th round."""


@dataclass(frozen=True)
class RunSpec:
    """The length of the training, and how its work is divided."""

    minutes: float = 9.0
    seed: int = 1
    start_net: str = ""
    """A net file, or the name of a shipped net, with whose weights a new run starts; empty means random."""
    precision: str = "bfloat16"
    capacity: int = 1_000_000
    """Positions in the replay buffer."""
    samples_per_position: float = 4.0
    """The mean number of times that a position is sampled for learning."""
    steps: int = 128
    """Learning steps per call of the device."""
    search_value_weight: float = 0.25
    """The weight of the search's value in the value target; the rest is the result of the game."""
    checkpoint_seconds: float = 60.0
    gate_seconds: float = 60.0
    gate_pairs: int = 256
    gate_opening_plies: int = 6
    """Plies of a gate game that are drawn from the policies."""


@dataclass(frozen=True)
class TrainingSpec:
    """Everything needed to train a net from scratch."""

    name: str
    pools: tuple[PoolSpec, ...]
    net: NetSpec = field(default_factory=NetSpec)
    search: SearchSpec = field(default_factory=SearchSpec)
    learning: LearningConfig = field(default_factory=LearningConfig)
    run: RunSpec = field(default_factory=RunSpec)

    def games(self) -> list[list[Game]]:
        """Return the games of each pool."""
        return [[parse_game(text) for text in pool.games] for pool in self.pools]


T = TypeVar("T")

OLD_KEYS = {
    "every": "every_n_rounds",
    "gate_openers": "gate_opening_plies",
    "late_from": "late_after_fraction",
    "reuse": "samples_per_position",
    "search_share": "search_value_weight",
    "trust": "value_scale",
}
"""Earlier spellings of keys, still accepted."""


def _section(kind: type[T], where: str, table: Any) -> T:
    """Read a TOML table into a dataclass; raise `SpecError` for unknown keys and wrong types."""
    if not isinstance(table, dict):
        raise SpecError(f"{where}: invalid (expected a table, not {table!r})")
    known = {part.name: part for part in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for written, value in table.items():
        key = OLD_KEYS.get(written, written)
        if key not in known:
            raise SpecError(f"{where}: unknown key {written!r} (expected {', '.join(known)})")
        if key in values:
            raise SpecError(f"{where}: {written} and {key} are one setting: give it once")
        wanted = str(known[key].type)
        fits = {
            "int": isinstance(value, int) and not isinstance(value, bool),
            "float": isinstance(value, int | float) and not isinstance(value, bool),
            "str": isinstance(value, str),
            "tuple[int, ...]": isinstance(value, list) and all(isinstance(v, int) for v in value),
            "dict[str, float]": isinstance(value, dict)
            and all(isinstance(v, int | float) and v > 0 for v in value.values()),
        }
        if not fits[wanted]:
            raise SpecError(f"{where}: {written} = {value!r}: invalid (expected {wanted})")
        values[key] = tuple(value) if isinstance(value, list) else value
    return kind(**values)


def spec_from_toml(text: str) -> TrainingSpec:
    """Parse a spec; raise `SpecError` if it cannot be trained."""
    table = parse_toml(text, SpecError)
    parts = {"name", "pool", "net", "search", "learning", "run"}
    for key in table:
        if key not in parts:
            raise SpecError(f"unknown key {key!r} (expected {', '.join(sorted(parts))})")
    pools = table.get("pool")
    if not isinstance(pools, list) or not pools:
        raise SpecError("a spec needs at least one [[pool]] of games")
    for index, pool in enumerate(pools, 1):
        if not isinstance(pool, dict) or not pool.get("games"):
            raise SpecError(f'pool {index}: games = {{ "taiji:size=7" = 1.0 }} is missing')
    spec = TrainingSpec(
        name=str(table.get("name", "net")),
        pools=tuple(_section(PoolSpec, f"pool {i}", pool) for i, pool in enumerate(pools, 1)),
        net=_section(NetSpec, "net", table.get("net", {})),
        search=_section(SearchSpec, "search", table.get("search", {})),
        learning=_section(LearningConfig, "learning", table.get("learning", {})),
        run=_section(RunSpec, "run", table.get("run", {})),
    )
    _check_ranges(spec)
    return spec


def read_spec(path: Path) -> TrainingSpec:
    """Read a spec file; raise `SpecError` naming the file if it cannot be trained."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SpecError(f"{path}: not UTF-8 text") from error
    try:
        return spec_from_toml(text)
    except SpecError as error:
        raise SpecError(f"{path}: {error}") from error


def _check_ranges(spec: TrainingSpec) -> None:
    def between(where: str, value: float, low: float, high: float) -> None:
        if not low <= value <= high:
            raise SpecError(f"{where} = {value} is out of bounds (expected {low} to {high})")

    between("net: blocks", spec.net.blocks, 1, 40)
    between("net: channels", spec.net.channels, 4, 512)
    between("net: head", spec.net.head, 1, 512)
    between("net: hidden", spec.net.hidden, 1, 1024)
    for block in spec.net.pooled:
        between("net: pooled", block, 0, spec.net.blocks - 1)
    between("search: candidates", spec.search.candidates, 2, 64)
    between("search: simulations", spec.search.simulations, spec.search.candidates, 1024)
    if spec.search.late_simulations:
        between("search: late_simulations", spec.search.late_simulations, spec.search.candidates, 1024)
    between("search: value_scale", spec.search.value_scale, 0.01, 10)
    between("search: late_after_fraction", spec.search.late_after_fraction, 0, 1)
    between("learning: batch", spec.learning.batch, 8, 65536)
    if spec.learning.batch % 8:
        raise SpecError(f"learning: batch = {spec.learning.batch}: invalid (expected a multiple of 8)")
    between("learning: rate", spec.learning.rate, 1e-7, 1.0)
    between("run: minutes", spec.run.minutes, 0.01, 10_000)
    between("run: search_value_weight", spec.run.search_value_weight, 0, 1)
    between("run: steps", spec.run.steps, 1, 100_000)
    if spec.run.precision not in ("bfloat16", "float32"):
        raise SpecError(f"run: precision = {spec.run.precision!r}: invalid (expected bfloat16 or float32)")
    for index, pool in enumerate(spec.pools, 1):
        where = f"pool {index}"
        between(f"{where}: size", pool.size, 1, 1 << 20)
        between(f"{where}: plies", pool.plies, 1, 1000)
        between(f"{where}: random_plies", pool.random_plies, 0, 100)
        between(f"{where}: random_symbols", pool.random_symbols, 0, 1)
        between(f"{where}: every_n_rounds", pool.every_n_rounds, 1, 1000)
        between("run: capacity", spec.run.capacity, pool.size * pool.plies, 1 << 28)
        try:
            games = [parse_game(text) for text in pool.games]
        except GameError as error:
            raise SpecError(f"{where}: {error}") from error
        longest = max(sum(stage.supply) for game in games for stage in game.stages)
        if 2 * pool.plies < longest:
            raise SpecError(
                f"{where}: plies = {pool.plies} is less than half of the longest game ({longest})"
            )
        for game in games:
            board = game.stages[0].board
            if board.width != board.height:
                raise SpecError(f"{where}: {game} is not played on a square board")
