"""A game in the compiled core: fast positions, counts of positions and random playouts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from taiji import _core
from taiji.kernel.compile import compile_game
from taiji.rules import Game, Placement, Scores, Seat, State
from taiji.rules.state import from_half_points

if TYPE_CHECKING:
    from taiji.rules import Move

_NOBODY = 2
_UNLIMITED = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Playouts:
    """What a number of random games came to."""

    playouts: int
    plies: int
    first_wins: int
    second_wins: int
    draws: int
    margin: float
    """The mean points of the first seat over the second."""
    seconds: float

    @property
    def per_second(self) -> float:
        """How many games a second were played."""
        return self.playouts / self.seconds if self.seconds else 0.0


class Position:
    """A position in the core, played on in place; an action id is a placement's number, or the swap's."""

    __slots__ = ("core", "kernel")

    def __init__(self, kernel: Kernel, core: _core.Position) -> None:
        self.kernel = kernel
        self.core = core

    def copy(self) -> Position:
        """Return a position that goes its own way from here."""
        return Position(self.kernel, self.core.copy())

    def play(self, action: int) -> None:
        """Play an action; raise ValueError where it is not legal."""
        self.core.play(action)

    def legal(self) -> list[int]:
        """Return the ids of every choice, sorted."""
        return self.core.legal()

    def is_legal(self, action: int) -> bool:
        """Tell whether the action is allowed."""
        return self.core.is_legal(action)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.core.over

    @property
    def seat_to_move(self) -> Seat:
        """The seat whose turn it is."""
        return Seat(self.core.mover)

    @property
    def hash(self) -> int:
        """A number that equal positions share."""
        return self.core.hash

    @property
    def history(self) -> list[int]:
        """Every action that led here, in order."""
        return self.core.history

    def scores(self) -> Scores:
        """Return the totals by seat, of all stages so far."""
        first, second = self.core.scores
        return Scores(from_half_points(first), from_half_points(second))

    def winner(self) -> Seat | None:
        """Return who won; None for a draw, or while the game goes on."""
        seat = self.core.winner
        return None if seat == _NOBODY else Seat(seat)

    def perft(self, depth: int) -> int:
        """Count the sequences of exactly `depth` moves from here."""
        if depth < 0:
            raise ValueError(f"depth {depth}: give 0 or more")
        return self.core.perft(depth)

    def random_game(self, seed: int) -> list[int]:
        """Play one random game to its end and return its actions."""
        return self.core.random_game(seed)

    def look_ahead(self, depth: int, seed: int = 0) -> tuple[int, float]:
        """Return the action with the best score difference after `depth` plies, and that difference.

        One of them at random where several are as good.
        """
        if not 1 <= depth <= 4:
            raise ValueError(f"depth {depth}: give 1 to 4")
        action, halves = self.core.look_ahead(depth, seed)
        return action, halves / 2

    def playouts(
        self, count: int | None = None, *, seconds: float | None = None, threads: int = 1, seed: int = 0
    ) -> Playouts:
        """Play random games from here until there are enough or time is up; uniform over placements.

        With a number, one seed and as many threads, the result is the same every time.
        """
        if count is None and seconds is None:
            raise ValueError("playouts need a number or a time")
        if count is not None and count < 1:
            raise ValueError(f"{count} playouts: give at least 1")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"{seconds} seconds: give a time above 0")
        _check_threads(threads)
        totals = self.core.playouts(count or _UNLIMITED, seconds or 0.0, threads, seed)
        first, second, draws = totals.wins
        margin = totals.margin / 2 / max(1, totals.playouts)
        return Playouts(totals.playouts, totals.plies, first, second, draws, margin, totals.seconds)


def _check_threads(threads: int) -> None:
    if not 1 <= threads <= 256:
        raise ValueError(f"{threads} threads: give 1 to 256")


class Kernel:
    """A game value in the compiled core; any game, custom ones too, up to the core's bounds on size."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.compiled = compile_game(game)

    def start(self) -> Position:
        """Return the position before the first move."""
        return Position(self, _core.Position(self.compiled))

    def position_from_state(self, state: State) -> Position:
        """Return the core's position for a Python state of the same game."""
        if state.game != self.game:
            raise ValueError(f"a position of {state.game} is none of {self.game}")
        position = self.start()
        for stage, placed in enumerate(state.placed):
            waiting = list(placed)
            while waiting:
                ready = next(action for action in waiting if position.is_legal(action))
                waiting.remove(ready)
                position.play(ready)
                if state.swapped and position.core.can_swap and position.core.stage == stage:
                    position.play(self.compiled.action_count - 1)
        return position

    def move(self, action: int) -> Move:
        """Return the rules' move for an action id."""
        return self.game.move(action)

    def action(self, move: Move) -> int:
        """Return the action id of a move."""
        assert isinstance(move, Placement) or move == self.game.swap
        return move.action


@lru_cache(maxsize=16)
def get_kernel(game: Game) -> Kernel:
    """Return the kernel of a game; building one takes a while, so the last few are kept."""
    return Kernel(game)
