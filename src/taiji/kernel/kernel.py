"""A game in the compiled core: fast positions, perft and random playouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from taiji import _core
from taiji.kernel.compile import compile_game
from taiji.kernel.machine import MAX_THREADS
from taiji.rules import Game, Scores, Seat, State
from taiji.rules.errors import check_type
from taiji.rules.state import from_half_points

_NOBODY = 2
_NO_KOMI = -1
_UNLIMITED = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Playouts:
    """Totals of a number of random games."""

    playouts: int
    plies: int
    first_wins: int
    second_wins: int
    draws: int
    margin: float
    """The mean lead of seat FIRST in points."""
    seconds: float

    @property
    def per_second(self) -> float:
        """Playouts per second."""
        return self.playouts / self.seconds if self.seconds else 0.0


class Position:
    """A mutable position in the core; actions are the ids of placements, the swap and named komis."""

    __slots__ = ("core", "kernel")

    def __init__(self, kernel: Kernel, core: _core.Position) -> None:
        self.kernel = kernel
        self.core = core

    def copy(self) -> Position:
        """Return an independent copy."""
        return Position(self.kernel, self.core.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[object, tuple[Game, list[list[int]], bool, int | None]]:
        return restore_position, (self.kernel.game, self.placed, self.core.swapped, self.komi)

    @property
    def placed(self) -> list[list[int]]:
        """The placements of each stage so far, in the order in which they were played."""
        game = self.kernel.game
        placed: list[list[int]] = [[] for _ in range(self.core.stage_index + 1)]
        for action in self.core.history:
            if action < len(game.placements):
                placed[game.placements[action].stage_index].append(action)
        return placed

    @property
    def komi(self) -> int | None:
        """Half points for Light, fixed by the rules or named; None as long as they are to be named."""
        game = self.kernel.game
        if not game.komi_names:
            return game.komi
        first = game.komi_moves[0].action
        named = next((action for action in self.core.history if action >= first), None)
        return None if named is None else game.komi_names[named - first]

    def play(self, action: int) -> None:
        """Play an action; raise ValueError if it is not legal."""
        self.core.play(action)

    def legal(self) -> list[int]:
        """Return the legal actions, sorted."""
        return self.core.legal()

    def is_legal(self, action: int) -> bool:
        """Return whether the action is legal."""
        return self.core.is_legal(action)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.core.is_over

    @property
    def seat_to_move(self) -> Seat:
        """The seat whose turn it is."""
        return Seat(self.core.seat_to_move)

    @property
    def hash(self) -> int:
        """A 64-bit hash; equal positions have equal hashes."""
        return self.core.hash

    @property
    def history(self) -> list[int]:
        """The actions played so far, in order, without the opening that the game starts from."""
        return self.core.history[len(self.kernel.game.opening) :]

    def scores(self) -> Scores:
        """Return the totals by seat, over all stages so far."""
        first, second = self.core.scores
        return Scores(from_half_points(first), from_half_points(second))

    def winner(self) -> Seat | None:
        """Return the winner; None for a draw or an unfinished game."""
        seat = self.core.winner
        return None if seat == _NOBODY else Seat(seat)

    def perft(self, depth: int) -> int:
        """Return the number of sequences of exactly `depth` moves."""
        if depth < 0:
            raise ValueError(f"depth={depth}: invalid (expected 0 or more)")
        return self.core.perft(depth)

    def random_game(self, seed: int) -> list[int]:
        """Play one random game to its end and return its actions."""
        return self.core.random_game(seed)

    def random_games_hash(self, first_seed: int, count: int) -> int:
        """Return a hash of the legal moves, scores and winners of random games, to compare two builds by."""
        return self.core.random_games_hash(first_seed, count)

    def look_ahead(self, depth: int, seed: int = 0) -> tuple[int, float]:
        """Return the action with the best score difference after `depth` plies, and that difference.

        Among equal actions the seed chooses one.
        """
        if not 1 <= depth <= 4:
            raise ValueError(f"depth={depth}: invalid (expected 1 to 4)")
        action, half_points = self.core.look_ahead(depth, seed)
        return action, half_points / 2

    def playouts(
        self, count: int | None = None, *, seconds: float | None = None, threads: int = 1, seed: int = 0
    ) -> Playouts:
        """Play random games, uniform over placements, until `count` or `seconds` is reached.

        With a count the result depends only on count, seed and number of threads.
        """
        if count is None and seconds is None:
            raise ValueError("playouts: invalid (expected a count or a time in seconds)")
        if count is not None and count < 1:
            raise ValueError(f"count={count}: invalid (expected at least 1)")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds={seconds}: invalid (expected a positive number)")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads={threads}: invalid (expected 1 to {MAX_THREADS})")
        totals = self.core.playouts(count or _UNLIMITED, seconds or 0.0, threads, seed)
        first, second, draws = totals.wins
        margin = totals.margin / 2 / max(1, totals.playouts)
        return Playouts(totals.playouts, totals.plies, first, second, draws, margin, totals.seconds)


class Kernel:
    """A game in the compiled core: any game, also a custom one, within the core's size limits."""

    def __init__(self, game: Game) -> None:
        check_type("game", game, Game, "a Game")
        self.game = game
        self.compiled = compile_game(game)

    def start(self) -> Position:
        """Return the position before the first move."""
        return Position(self, _core.Position(self.compiled))

    def position_from_state(self, state: State) -> Position:
        """Return the core's position for a Python state of the same game."""
        if state.game != self.game:
            raise ValueError(f"the position belongs to {state.game}, not to {self.game}")
        return self.restore(state.placed, state.swapped, state.komi)

    def restore(self, placed: Sequence[Sequence[int]], swapped: bool, komi: int | None) -> Position:
        """Return the position with these placements by stage; `komi` matters if the rules let it be named."""
        position = self.start()
        named = next((move.action for move in self.game.komi_moves if move.half_points == komi), _NO_KOMI)
        position.core.restore(placed, swapped, named)
        return position


def get_kernel(game: Game) -> Kernel:
    """Return the kernel of a game from a small cache, because building one is slow."""
    check_type("game", game, Game, "a Game")
    return _kernel(game)


_kernel = lru_cache(maxsize=16)(Kernel)


def restore_position(game: Game, placed: list[list[int]], swapped: bool, komi: int | None = None) -> Position:
    """Return the position with these placements by stage."""
    return get_kernel(game).restore(placed, swapped, komi)
