"""The compiled core of taiji; use it through taiji.kernel."""

import enum
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

Words = tuple[int, int]

def version() -> str: ...

class Plane(enum.Enum):
    PIECE = 0
    COVERED = 1
    AFTER = 2
    KIND = 3
    GROUND = 4

class Region(enum.Enum):
    UNDER = 0
    AROUND_EDGE = 1
    AROUND_KING = 2
    FIXED = 3
    EACH = 4

class When(enum.Enum):
    ALWAYS = 0
    FIRST = 1
    LATER = 2

class Join(enum.Enum):
    NONE = 0
    EDGE = 1
    KING = 2

class Fold(enum.Enum):
    SUM = 0
    PRODUCT = 1

class Tie(enum.Enum):
    LIGHT = 0
    DARK = 1
    LAST = 2
    DRAW = 3

@disjoint_base
class TestSpec:
    def __init__(
        self,
        plane: Plane,
        region: Region,
        when: When,
        ranges: Sequence[tuple[int, int]],
        sets: Sequence[Words],
    ) -> None: ...

@disjoint_base
class Tally:
    def __init__(
        self,
        symbols: bool,
        join: Join,
        first: int,
        last: int,
        fold: Fold,
        value: Sequence[int],
        linear: bool,
        monotone: bool,
    ) -> None: ...

@disjoint_base
class StageSpec:
    def __init__(self) -> None: ...
    width: int
    height: int
    board: Words
    first: int
    cells: Sequence[Words]
    kinds: Sequence[int]
    faces: Sequence[int]
    light: Sequence[Words]
    dark: Sequence[Words]
    slots: Sequence[int]
    supply: Sequence[int]
    tests: Sequence[TestSpec]
    score: Tally
    tiebreak: Sequence[Tally]
    last_bonus: int
    swap_after: int
    symbols: tuple[Words, Words] | None

@disjoint_base
class CompiledGame:
    def __init__(
        self,
        stages: Sequence[StageSpec],
        tie: Tie,
        komi: int,
        komi_names: Sequence[int],
        opening: Sequence[int],
        symmetries: Sequence[Sequence[int]],
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
    def __init__(self, game: CompiledGame) -> None: ...
    def copy(self) -> Position: ...
    def play(self, action: int) -> None: ...
    def restore(self, placed: Sequence[Sequence[int]], swapped: bool, komi_action: int) -> None: ...
    def is_legal(self, action: int) -> bool: ...
    def legal(self) -> list[int]: ...
    @property
    def history(self) -> list[int]: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def can_swap(self) -> bool: ...
    @property
    def must_name_komi(self) -> bool: ...
    @property
    def swapped(self) -> bool: ...
    @property
    def stage_index(self) -> int: ...
    @property
    def seat_to_move(self) -> int: ...
    @property
    def colour_to_move(self) -> int: ...
    @property
    def last_seat(self) -> int: ...
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
    def random_games_hash(self, first_seed: int, count: int) -> int: ...
    def look_ahead(self, depth: int, seed: int) -> tuple[int, int]: ...
    def playouts(self, count: int, seconds: float, threads: int, seed: int) -> PlayoutTotals: ...

@disjoint_base
class SearchOptions:
    def __init__(self) -> None: ...
    amaf: bool
    exploration: float
    first_play_urgency: float
    rave_bias: float
    grave_ref: int
    amaf_min_visits: int
    amaf_prior: float
    expand_visits: int
    widening_factor: float
    threads: int
    seed: int
    memory: int
    playout_candidates: int
    amaf_playouts: bool
    reuse: bool

@disjoint_base
class MoveInfo:
    @property
    def action(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def win_prob(self) -> float: ...
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
    def win_prob(self) -> float: ...
    @property
    def margin(self) -> float: ...
    @property
    def memory(self) -> int: ...
    @property
    def pv(self) -> list[int]: ...
    @property
    def moves(self) -> list[MoveInfo]: ...

@disjoint_base
class Search:
    def __init__(self, game: CompiledGame, options: SearchOptions) -> None: ...
    def start(
        self, position: Position, playouts: int, seconds: float, lead: int, tie_winner: int
    ) -> None: ...
    def wait(self, seconds: float) -> bool: ...
    def stop(self) -> None: ...
    def info(self) -> SearchInfo: ...
    def reset(self) -> None: ...

@disjoint_base
class NetEncoderSpec:
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
    by_margin: bool
    board: Words
    policy_index: Sequence[int]
    slot_order: Sequence[int]
    slot_counts: Sequence[int]

@disjoint_base
class PuctOptions:
    def __init__(self) -> None: ...
    cpuct: float
    cpuct_factor: float
    cpuct_base: float
    fpu_reduction: float
    policy_temperature: float
    seed: int
    memory: int
    reuse: bool
    cache: bool

@disjoint_base
class PuctInfo(SearchInfo):
    @property
    def evaluations(self) -> int: ...
    @property
    def cache_hits(self) -> int: ...
    @property
    def proven(self) -> bool: ...

@disjoint_base
class Puct:
    def __init__(self, game: CompiledGame, encoder: NetEncoderSpec, options: PuctOptions) -> None: ...
    def encode(
        self,
        position: Position,
        symmetry: int,
        planes: NDArray[np.float32],
        global_inputs: NDArray[np.float32],
    ) -> None: ...
    def start(
        self,
        position: Position,
        playouts: int,
        evaluations: int,
        seconds: float,
        lead: int,
        tie_winner: int,
    ) -> None: ...
    def collect_batch(
        self, worker: int, planes: NDArray[np.float32], global_inputs: NDArray[np.float32]
    ) -> int: ...
    def apply_batch(
        self,
        worker: int,
        policy: NDArray[np.float32],
        swap: NDArray[np.float32] | None,
        value: NDArray[np.float32],
        margin: NDArray[np.float32],
    ) -> None: ...
    def discard_batch(self, worker: int) -> None: ...
    def stop(self) -> None: ...
    def info(self) -> PuctInfo: ...
    def reset(self) -> None: ...

def simd_backend() -> str: ...
def simd_backends() -> list[str]: ...

@disjoint_base
class ConvNet:
    def __init__(
        self,
        tensors: Mapping[str, NDArray[np.float32]],
        height: int,
        width: int,
        int16: bool = True,
        backend: str = "",
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
    def evaluate(
        self,
        planes: NDArray[np.float32],
        global_inputs: NDArray[np.float32],
        policy: NDArray[np.float32],
        swap: NDArray[np.float32],
        value: NDArray[np.float32],
        margin: NDArray[np.float32],
    ) -> None: ...

@disjoint_base
class NetWorker:
    def __init__(self, net: ConvNet, batch: int) -> None: ...
    def work(self, search: Puct, worker: int, seconds: float) -> bool: ...

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
    def pv(self) -> list[int]: ...
    @property
    def refuted(self) -> list[int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...

@disjoint_base
class Solver:
    def __init__(self, game: CompiledGame, megabytes: int, threads: int) -> None: ...
    def solve(
        self,
        position: Position,
        seconds: float,
        nodes: int,
        lead: int,
        tie_winner: int,
        all_best: bool,
        winner_only: bool,
    ) -> SolveResult: ...
    def find_win(
        self,
        position: Position,
        seconds: float,
        nodes: int,
        lead: int,
        tie_winner: int,
        first: Sequence[int],
    ) -> SolveResult: ...
    def mirror_win(self, position: Position, lead: int, tie_winner: int) -> int: ...
    def stop(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def bounds(self) -> tuple[int, int]: ...
