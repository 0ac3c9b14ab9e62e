"""The tree search of the compiled core, for any game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from taiji import _core
from taiji.kernel.kernel import Kernel, Position
from taiji.kernel.machine import MAX_THREADS, check_memory
from taiji.rules import MatchContext, Seat, State

if TYPE_CHECKING:
    from collections.abc import Callable

MEBIBYTE = 1 << 20
MAX_MEMORY_BYTES = 64 << 30

_TICK_S = 0.05
"""Interval at which a running search checks for signals."""
_TIE_WINNERS = {None: 2, Seat.FIRST: 0, Seat.SECOND: 1}
_GAME_TIE_RULE = -1


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Parameters of the tree search; docs/search.md has the measurements behind the defaults."""

    amaf: bool = True
    """Use AMAF statistics (GRAVE); without them the search is plain UCT."""
    exploration: float = 0.05
    """The factor of sqrt(ln N / (n + 1)), for N visits of the node and n of the move."""
    first_play_urgency: float = 0.6
    """The value of a move without statistics."""
    rave_bias: float = 3e-4
    """How soon a move's own mean outweighs its AMAF mean."""
    grave_ref: int = 50
    """Visits from which a node's own AMAF statistics are used instead of an ancestor's."""
    amaf_min_visits: int = 12
    """Visits from which a node collects AMAF statistics."""
    amaf_prior: float = 2.0
    """AMAF visits with an even result that every action starts with."""
    expand_visits: int = 4
    """Visits after which a move gets a node."""
    widening_factor: float = 1.2
    """Growth of a node's visits between two searches for new candidates."""
    playout_candidates: int = 1
    """Random moves of which a playout plays the best; not used in games without placement constraints."""
    amaf_playouts: bool = False
    """Choose among these moves by AMAF mean instead of immediate gain."""
    threads: int = 1
    seed: int = 0
    memory: int = 256 * MEBIBYTE
    """Maximum bytes of the tree."""
    reuse: bool = True
    """Keep the subtree of a position when it is reached."""

    def check(self) -> None:
        """Raise ValueError if an option is out of range, without building a tree."""
        if not 1 <= self.threads <= MAX_THREADS:
            raise ValueError(f"threads={self.threads}: invalid (expected 1 to {MAX_THREADS})")
        if not MEBIBYTE <= self.memory <= MAX_MEMORY_BYTES:
            raise ValueError(f"memory: invalid (expected 1 to {MAX_MEMORY_BYTES // MEBIBYTE:,} MiB)")
        check_memory(self.memory // MEBIBYTE)
        self.core()

    def core(self) -> _core.SearchOptions:
        """Return the options as a core object; raise ValueError if a number does not fit its type."""
        options = _core.SearchOptions()
        for field in fields(self):
            try:
                setattr(options, field.name, getattr(self, field.name))
            except TypeError:
                option = f"{field.name}={getattr(self, field.name)}"
                raise ValueError(f"{option}: invalid (expected a number such as {field.default})") from None
        return options


PLAIN_UCT = SearchOptions(amaf=False, exploration=0.2, first_play_urgency=1.0, expand_visits=1)
"""UCT without any enhancement: the baseline of strength measurements."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of a search, whichever is reached first; without any it runs until `stop`."""

    playouts: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.playouts is not None and self.playouts < 1:
            raise ValueError(f"playouts={self.playouts}: invalid (expected at least 1)")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds={self.seconds}: invalid (expected a positive number)")


def to_core_objective(match: MatchContext | None) -> tuple[int, int]:
    """Return the lead of seat FIRST in half points and the code of the winner of equal totals."""
    return (0, _GAME_TIE_RULE) if match is None else (round(2 * match.lead), _TIE_WINNERS[match.tie_winner])


@dataclass(frozen=True, slots=True)
class MoveInfo:
    """Statistics of a move at the root; win probability and margin of the player to move."""

    action: int
    visits: int
    win_prob: float
    margin: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search; win probabilities and margins are those of the player to move."""

    action: int
    win_prob: float
    margin: float
    """The expected final margin in points, of this game alone."""
    pv: tuple[int, ...]
    playouts: int
    seconds: float
    nodes: int
    memory: int
    moves: tuple[MoveInfo, ...]
    """The moves at the root, best first."""

    @property
    def per_second(self) -> float:
        """Playouts per second."""
        return self.playouts / self.seconds if self.seconds else 0.0


class Search:
    """A tree search of one game. It keeps its tree between runs; other threads may call `stop`."""

    def __init__(self, kernel: Kernel, options: SearchOptions | None = None) -> None:
        self.kernel = kernel
        self.options = options or SearchOptions()
        self._core = _core.Search(kernel.compiled, self.options.core())

    def run(
        self,
        position: Position | State,
        limits: SearchLimits,
        *,
        match: MatchContext | None = None,
        on_info: Callable[[SearchResult], None] | None = None,
        every: float = 0.5,
    ) -> SearchResult:
        """Search until a limit is reached or `stop` is called; call `on_info` every `every` seconds.

        With `match`, the search maximises the probability to win the match instead of the game.
        """
        if isinstance(position, State):
            position = self.kernel.position_from_state(position)
        lead, tie_winner = to_core_objective(match)
        self._core.start(position.core, limits.playouts or 0, limits.seconds or 0.0, lead, tie_winner)
        try:
            waited = 0.0
            while not self._core.wait(_TICK_S):
                waited += _TICK_S
                if on_info is not None and waited >= every:
                    waited = 0.0
                    on_info(self.info())
        except BaseException:
            self.stop()
            self._core.wait(1.0)
            raise
        return self.info()

    def stop(self) -> None:
        """Stop the running search; it returns its current result."""
        self._core.stop()

    def info(self) -> SearchResult:
        """Return the current result."""
        info = self._core.info()
        moves = tuple(MoveInfo(move.action, move.visits, move.win_prob, move.margin) for move in info.moves)
        return SearchResult(
            action=moves[0].action if moves else -1,
            win_prob=info.win_prob,
            margin=info.margin,
            pv=tuple(info.pv),
            playouts=info.playouts,
            seconds=info.seconds,
            nodes=info.nodes,
            memory=info.memory,
            moves=moves,
        )

    def reset(self) -> None:
        """Drop the tree and restart the random streams, as before a new game."""
        self._core.reset()
