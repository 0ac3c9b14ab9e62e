"""The tree search of the compiled core: any game, several threads, a bound on memory, a tree that is kept."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from taiji import _core
from taiji.kernel.kernel import Kernel, Position
from taiji.rules import Seat, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.rules import Points

MEBIBYTE = 1 << 20
MAX_THREADS = 256
MAX_MEMORY_BYTES = 64 << 30

_TICK_S = 0.05
"""Seconds between two looks for signals while a search runs."""
_TIES = {None: 2, Seat.FIRST: 0, Seat.SECOND: 1}
_GAME_TIE_RULE = -1


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search works; what each number does is measured in docs/search.md."""

    amaf: bool = True
    """Learn from moves wherever they were played (GRAVE); plain UCT without."""
    exploration: float = 0.05
    """The constant before sqrt(ln N / n)."""
    first_play: float = 0.6
    """The value of a move that nothing is known of."""
    bias: float = 3e-4
    """How soon a move's own mean outweighs what is known of it elsewhere."""
    reference: int = 50
    """The visits from which a node's own statistics of moves played later are trusted."""
    collect: int = 12
    """The visits from which a node collects them."""
    doubt: float = 2.0
    """Visits at an even result that every action is thought to have had elsewhere."""
    expand: int = 4
    """The visits after which a move gets a node of its own."""
    rescan: float = 1.2
    """A node looks for new candidates when its visits have grown by this factor."""
    candidates: int = 1
    """Random moves of which a playout plays the best; TAIJI's playouts stay uniform."""
    learned: bool = False
    """The best is the one that did best in the search so far, not the one that brings most at once."""
    threads: int = 1
    seed: int = 0
    memory: int = 256 * MEBIBYTE
    """The bytes that the tree may take."""
    reuse: bool = True
    """Keep what was learnt of a position when it is reached."""

    def check(self) -> None:
        """Raise ValueError for options that cannot be; no tree is built for it."""
        if not 1 <= self.threads <= MAX_THREADS:
            raise ValueError(f"threads={self.threads}: give 1 to {MAX_THREADS}")
        if not MEBIBYTE <= self.memory <= MAX_MEMORY_BYTES:
            raise ValueError(f"memory: the tree takes 1 to {MAX_MEMORY_BYTES // MEBIBYTE:,} MiB")
        self.core()

    def core(self) -> _core.SearchOptions:
        """Return the core's own copy; raise ValueError for options that cannot be."""
        options = _core.SearchOptions()
        for field in fields(self):
            try:
                setattr(options, field.name, getattr(self, field.name))
            except TypeError:
                raise ValueError(f"{field.name}={getattr(self, field.name)} is out of range") from None
        return options


PLAIN_UCT = SearchOptions(amaf=False, exploration=0.2, first_play=1.0, expand=1)
"""Upper confidence bounds on trees without any enhancement: the yardstick of strength."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When a search ends: after so many playouts, so much time, or both; `stop` ends it too."""

    playouts: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.playouts is not None and self.playouts < 1:
            raise ValueError(f"{self.playouts} playouts: give at least 1")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"{self.seconds} seconds: give a time above 0")


@dataclass(frozen=True, slots=True)
class Lead:
    """What a match has brought so far: points the first seat is ahead by, and who wins equal totals."""

    points: Points
    equal_totals: Seat | None = None


def to_core_objective(lead: Lead | None) -> tuple[int, int]:
    """Return a lead as the core takes it: half points of the first seat, and who wins equal totals."""
    return (0, _GAME_TIE_RULE) if lead is None else (round(2 * lead.points), _TIES[lead.equal_totals])


@dataclass(frozen=True, slots=True)
class MoveInfo:
    """What is known of one move: visits, and win probability and margin for the player to move."""

    action: int
    visits: int
    win_prob: float
    margin: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search has found: the best move and all about it; probabilities and margins are the mover's."""

    action: int
    win_prob: float
    margin: float
    """The points that the player to move may expect to be ahead by, in this game alone."""
    pv: tuple[int, ...]
    playouts: int
    seconds: float
    nodes: int
    memory: int
    moves: tuple[MoveInfo, ...]

    @property
    def per_second(self) -> float:
        """How many playouts a second were made."""
        return self.playouts / self.seconds if self.seconds else 0.0


class Search:
    """A search of one game. It keeps its tree from run to run; `stop` may be called from another thread."""

    def __init__(self, kernel: Kernel, options: SearchOptions | None = None) -> None:
        self.kernel = kernel
        self.options = options or SearchOptions()
        self._core = _core.Search(kernel.compiled, self.options.core())

    def run(
        self,
        position: Position | State,
        limits: SearchLimits,
        *,
        match: Lead | None = None,
        on_info: Callable[[SearchResult], None] | None = None,
        every: float = 0.5,
    ) -> SearchResult:
        """Search until a limit is reached or `stop` is called; report to `on_info` every so many seconds.

        With `lead`, a game counts as won when it wins the match. Without a limit it runs until it is stopped.
        """
        if isinstance(position, State):
            position = self.kernel.position_from_state(position)
        halves, equal = to_core_objective(match)
        self._core.start(position.core, limits.playouts or 0, limits.seconds or 0.0, halves, equal)
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
        """End the search that runs now; it answers with what it has found."""
        self._core.stop()

    def info(self) -> SearchResult:
        """Return what the search has found so far."""
        info = self._core.info()
        moves = tuple(MoveInfo(move.action, move.visits, move.win, move.margin) for move in info.moves)
        return SearchResult(
            action=moves[0].action if moves else -1,
            win_prob=info.win,
            margin=info.margin,
            pv=tuple(info.variation),
            playouts=info.playouts,
            seconds=info.seconds,
            nodes=info.nodes,
            memory=info.memory,
            moves=moves,
        )

    def reset(self) -> None:
        """Forget the tree and begin the seed anew, as before a new game."""
        self._core.reset()
