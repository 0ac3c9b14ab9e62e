"""Training specs: TOML files that say which games a net learns, how large it is and how long it trains."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from taiji.rules import Game, GameError, parse_game
from taiji.training.config import LearningConfig


class SpecError(ValueError):
    """A spec that cannot be trained."""


@dataclass(frozen=True)
class NetSpec:
    """How large the net is."""

    blocks: int = 6
    channels: int = 64
    pooled: tuple[int, ...] = (1, 4)
    head: int = 32
    hidden: int = 64


@dataclass(frozen=True)
class SearchSpec:
    """How self-play searches."""

    simulations: int = 32
    candidates: int = 16
    trust: float = 1.0
    """How much the values that the search finds weigh against the prior."""
    late_simulations: int = 0
    """How many simulations there are late in the training; 0 for as many as before."""
    late_from: float = 0.5
    """The share of the training time after which it is late."""


@dataclass(frozen=True)
class PoolSpec:
    """Games that play at once on one padded board: their texts and how often each is drawn."""

    games: dict[str, float]
    size: int = 2048
    """How many play at once."""
    plies: int = 32
    """How many plies they play before the net learns; at least half of the longest game."""
    random_plies: int = 4
    random_symbols: float = 0.0
    every: int = 1
    """The pool plays in every so-manieth round."""


@dataclass(frozen=True)
class RunSpec:
    """How long it trains, and how the work is cut up."""

    minutes: float = 9.0
    seed: int = 1
    precision: str = "bfloat16"
    capacity: int = 1_000_000
    """How many positions the ring of examples holds."""
    reuse: float = 4.0
    """How often a position is learnt from, on average."""
    steps: int = 128
    """How many steps of learning make one call of the device."""
    search_share: float = 0.25
    """The share of the search's value in the target; the rest is the result."""
    checkpoint_seconds: float = 60.0
    gate_seconds: float = 60.0
    gate_pairs: int = 256
    gate_openers: int = 6


@dataclass(frozen=True)
class TrainingSpec:
    """All that is needed to train a net from nothing."""

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


def _section(kind: type[T], where: str, table: Any) -> T:
    """Read a table into a dataclass, refusing unknown keys and wrong types."""
    if not isinstance(table, dict):
        raise SpecError(f"{where} is a table, not {table!r}")
    known = {part.name: part for part in fields(kind)}  # type: ignore[arg-type]
    for key, value in table.items():
        if key not in known:
            raise SpecError(f"{where}: unknown key {key!r}; there are {', '.join(known)}")
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
            raise SpecError(f"{where}: {key} = {value!r} is no {wanted}")
    made = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return kind(**made)


def spec_from_toml(text: str) -> TrainingSpec:
    """Read a spec; raise `SpecError` where it cannot be trained."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"not TOML: {error}") from error
    parts = {"name", "pool", "net", "search", "learning", "run"}
    for key in table:
        if key not in parts:
            raise SpecError(f"unknown key {key!r}; there are {', '.join(sorted(parts))}")
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
    """Read a spec file; raise `SpecError` naming it where it cannot be trained."""
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
            raise SpecError(f"{where} = {value} is out of bounds: {low} to {high}")

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
    between("search: trust", spec.search.trust, 0.01, 10)
    between("search: late_from", spec.search.late_from, 0, 1)
    between("learning: batch", spec.learning.batch, 8, 65536)
    if spec.learning.batch % 8:
        raise SpecError(f"learning: batch = {spec.learning.batch} is no multiple of 8, one part a symmetry")
    between("learning: rate", spec.learning.rate, 1e-7, 1.0)
    between("run: minutes", spec.run.minutes, 0.01, 10_000)
    between("run: search_share", spec.run.search_share, 0, 1)
    between("run: steps", spec.run.steps, 1, 100_000)
    if spec.run.precision not in ("bfloat16", "float32"):
        raise SpecError(f"run: precision = {spec.run.precision!r} is neither bfloat16 nor float32")
    for index, pool in enumerate(spec.pools, 1):
        where = f"pool {index}"
        between(f"{where}: size", pool.size, 1, 1 << 20)
        between(f"{where}: plies", pool.plies, 1, 1000)
        between(f"{where}: random_plies", pool.random_plies, 0, 100)
        between(f"{where}: random_symbols", pool.random_symbols, 0, 1)
        between(f"{where}: every", pool.every, 1, 1000)
        between("run: capacity", spec.run.capacity, pool.size * pool.plies, 1 << 28)
        try:
            found = [parse_game(text) for text in pool.games]
        except GameError as error:
            raise SpecError(f"{where}: {error}") from error
        longest = max(sum(stage.supply) for game in found for stage in game.stages)
        if 2 * pool.plies < longest:
            raise SpecError(f"{where}: plies = {pool.plies} is less than half of the longest game, {longest}")
        for game in found:
            board = game.stages[0].board
            if board.width != board.height:
                raise SpecError(f"{where}: {game} is not played on a square board")
