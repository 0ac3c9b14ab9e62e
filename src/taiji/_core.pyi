"""The compiled core of taiji; use it through taiji.kernel."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

Words = tuple[int, int]

def version() -> str: ...

@disjoint_base
class Scoring:
    def __init__(self, rule: int, count: int, king: bool) -> None: ...

@disjoint_base
class StageSpec:
    def __init__(self) -> None: ...
    width: int
    height: int
    first: int
    cells: Sequence[Words]
    halos: Sequence[Words]
    kinds: Sequence[int]
    faces: Sequence[int]
    light: Sequence[Words]
    dark: Sequence[Words]
    slots: Sequence[int]
    supply: Sequence[int]
    blocks: Sequence[Words]
    first_covers: Words
    must_touch: bool
    same_kind_apart: bool
    level_ground: bool
    scoring: Scoring
    tiebreak: Sequence[Scoring]
    last_bonus: int
    swap: bool
    symbols: tuple[Words, Words] | None

@disjoint_base
class Tables:
    def __init__(
        self, stages: Sequence[StageSpec], tie: int, swap: bool, symmetries: Sequence[Sequence[int]]
    ) -> None: ...
    @property
    def action_count(self) -> int: ...
    @property
    def symmetries(self) -> int: ...

@disjoint_base
class PlayoutTotals:
    @property
    def playouts(self) -> int: ...
    @property
    def plies(self) -> int: ...
    @property
    def wins(self) -> list[int]: ...
    @property
    def margin(self) -> int: ...
    @property
    def seconds(self) -> float: ...

@disjoint_base
class Position:
    def __init__(self, tables: Tables) -> None: ...
    def copy(self) -> Position: ...
    def play(self, action: int) -> None: ...
    def is_legal(self, action: int) -> bool: ...
    def legal(self) -> list[int]: ...
    @property
    def history(self) -> list[int]: ...
    @property
    def over(self) -> bool: ...
    @property
    def can_swap(self) -> bool: ...
    @property
    def swapped(self) -> bool: ...
    @property
    def stage(self) -> int: ...
    @property
    def mover(self) -> int: ...
    @property
    def to_move(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def hash(self) -> int: ...
    @property
    def scores(self) -> tuple[int, int]: ...
    @property
    def winner(self) -> int: ...
    @property
    def light(self) -> Words: ...
    @property
    def dark(self) -> Words: ...
    @property
    def covered(self) -> Words: ...
    @property
    def supply(self) -> list[int]: ...
    def perft(self, depth: int) -> int: ...
    def random_game(self, seed: int) -> list[int]: ...
    def look_ahead(self, depth: int, seed: int) -> tuple[int, int]: ...
    def playouts(self, number: int, seconds: float, threads: int, seed: int) -> PlayoutTotals: ...

@disjoint_base
class SearchOptions:
    def __init__(self) -> None: ...
    amaf: bool
    exploration: float
    first_play: float
    bias: float
    reference: int
    collect: int
    doubt: float
    expand: int
    rescan: float
    threads: int
    seed: int
    memory: int
    candidates: int
    learned: bool
    reuse: bool

@disjoint_base
class MoveInfo:
    @property
    def action(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def win(self) -> float: ...
    @property
    def margin(self) -> float: ...

@disjoint_base
class SearchInfo:
    @property
    def playouts(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def win(self) -> float: ...
    @property
    def margin(self) -> float: ...
    @property
    def memory(self) -> int: ...
    @property
    def variation(self) -> list[int]: ...
    @property
    def moves(self) -> list[MoveInfo]: ...

@disjoint_base
class Search:
    def __init__(self, tables: Tables, options: SearchOptions) -> None: ...
    def start(
        self, position: Position, playouts: int, seconds: float, lead: int, equal_totals: int
    ) -> None: ...
    def wait(self, seconds: float) -> bool: ...
    def stop(self) -> None: ...
    def info(self) -> SearchInfo: ...
    def reset(self) -> None: ...

@disjoint_base
class NetViewSpec:
    def __init__(self) -> None: ...
    planes: int
    globals: int
    kinds: int
    rule: int
    rules: int
    depth: int
    groups: bool
    ratio: bool
    policy: int
    swap: bool
    board: Words
    places: Sequence[int]
    slot_order: Sequence[int]
    slot_counts: Sequence[int]

@disjoint_base
class PuctOptions:
    def __init__(self) -> None: ...
    exploration: float
    growth: float
    horizon: float
    reduction: float
    temperature: float
    seed: int
    memory: int
    reuse: bool
    cache: bool

@disjoint_base
class PuctInfo(SearchInfo):
    @property
    def evaluations(self) -> int: ...
    @property
    def remembered(self) -> int: ...
    @property
    def proven(self) -> bool: ...

@disjoint_base
class Puct:
    def __init__(self, tables: Tables, view: NetViewSpec, options: PuctOptions) -> None: ...
    def see(
        self, position: Position, symmetry: int, planes: NDArray[np.float32], numbers: NDArray[np.float32]
    ) -> None: ...
    def start(
        self,
        position: Position,
        playouts: int,
        evaluations: int,
        seconds: float,
        lead: int,
        equal_totals: int,
    ) -> None: ...
    def gather(self, slot: int, planes: NDArray[np.float32], numbers: NDArray[np.float32]) -> int: ...
    def apply(
        self,
        slot: int,
        policy: NDArray[np.float32],
        swap: NDArray[np.float32] | None,
        value: NDArray[np.float32],
        margin: NDArray[np.float32],
    ) -> None: ...
    def drop(self, slot: int) -> None: ...
    def stop(self) -> None: ...
    def info(self) -> PuctInfo: ...
    def reset(self) -> None: ...

def arithmetic() -> str: ...

@disjoint_base
class ConvNet:
    def __init__(
        self, tensors: Mapping[str, NDArray[np.float32]], height: int, width: int, fixed: bool = True
    ) -> None: ...
    @property
    def planes(self) -> int: ...
    @property
    def globals(self) -> int: ...
    @property
    def policies(self) -> int: ...
    @property
    def swap(self) -> bool: ...
    @property
    def tile(self) -> int: ...
    def judge(
        self,
        planes: NDArray[np.float32],
        numbers: NDArray[np.float32],
        policy: NDArray[np.float32],
        swap: NDArray[np.float32],
        value: NDArray[np.float32],
        margin: NDArray[np.float32],
    ) -> None: ...

@disjoint_base
class NetWorker:
    def __init__(self, net: ConvNet, batch: int) -> None: ...
    def work(self, search: Puct, slot: int, seconds: float) -> bool: ...

@disjoint_base
class SolveResult:
    @property
    def solved(self) -> bool: ...
    @property
    def lower(self) -> int: ...
    @property
    def upper(self) -> int: ...
    @property
    def best(self) -> list[int]: ...
    @property
    def line(self) -> list[int]: ...
    @property
    def refuted(self) -> list[int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...

@disjoint_base
class Solver:
    def __init__(self, tables: Tables, megabytes: int) -> None: ...
    def solve(
        self,
        position: Position,
        seconds: float,
        nodes: int,
        lead: int,
        equal_totals: int,
        every_best: bool,
        winner_only: bool,
    ) -> SolveResult: ...
    def win(
        self,
        position: Position,
        seconds: float,
        nodes: int,
        lead: int,
        equal_totals: int,
        first: Sequence[int],
    ) -> SolveResult: ...
    def stop(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def bounds(self) -> tuple[int, int]: ...
