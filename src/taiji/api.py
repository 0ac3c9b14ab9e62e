"""The functions of `import taiji` that combine several layers; no layer imports this module."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from taiji.players import Limit, MatchContext, make_player
from taiji.rules import State
from taiji.rules.errors import check_callback, check_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.analysis import Analysis, Review
    from taiji.kernel import Progress, Solution
    from taiji.notation import NotationError, Record
    from taiji.notation.files import PathLike, RecordFile
    from taiji.players import Player

DEFAULT_PLAYER = "neural"
"""The player that analyses and reviews: the strongest one."""
DEFAULT_ANALYSIS_S = 1.0
"""Seconds of an analysis without a limit."""


def read(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002 - the word that a caller expects
    on_error: Callable[[NotationError], None] | None = None,
) -> RecordFile:
    """Read the records of a file, one at a time: `for record in taiji.read("games.tji")`.

    The format is told by the content, else by the extension, unless `format` names it. Every game is checked
    by the rules. The `NotationError` of an invalid game is passed to `on_error`, or raised if that is None.
    """
    from taiji.kernel.fast_replay import replay_with_kernel
    from taiji.notation.files import read_file

    return read_file(path, format=format, on_error=on_error, replayer=replay_with_kernel)


def write(
    path: PathLike,
    records: Record | Iterable[Record],
    *,
    format: str | None = None,  # noqa: A002 - as above
    rows: str = "positions",
) -> int:
    """Write records to a file and return how many; any iterable will do, and none is held in memory.

    The format is that of the extension, unless `format` names it; `rows` is `positions` or `games`, for CSV
    and Parquet. The file appears once it is complete. Raise `NotationError` for a record that is invalid or
    that the format cannot hold.
    """
    from taiji.kernel.fast_replay import replay_with_kernel
    from taiji.notation.files import write_file

    return write_file(path, records, format=format, rows=rows, replayer=replay_with_kernel)


def player(text: str, *, seed: int | None = None) -> Player:
    """Make the player that a text such as `level:5`, `mcts:playouts=1000` or `ugi:./engine` names."""
    return make_player(text, seed=seed)


def analyse(
    state: State,
    player: Player | str = DEFAULT_PLAYER,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int | None = None,
    match: MatchContext | None = None,
    on_progress: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """Return a player's analysis of a position; without a limit it takes a second.

    `on_progress` receives interim results.
    """
    from taiji.analysis import analyse as analyse_position

    check_type("state", state, State, "a State")
    check_type("match", match, (MatchContext, type(None)), "a MatchContext or None")
    check_callback("on_progress", on_progress)
    limit = Limit(DEFAULT_ANALYSIS_S if seconds is None and playouts is None else seconds, playouts)
    with _opened(player, seed) as engine:
        engine.prepare(state.game)
        return analyse_position(state, engine, limit, match=match, report=on_progress)


def review(
    record: Record,
    player: Player | str = DEFAULT_PLAYER,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int | None = None,
    on_progress: Callable[[Review], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Review:
    """Review a game: for each move the better one, what was lost and its mark; for each seat its accuracy.

    `seconds` and `playouts` are limits per position. `on_progress` receives the review so far after each
    position; when `should_stop` returns True, the review ends with what is known.
    """
    from taiji.analysis import review_game
    from taiji.notation import Record

    check_type("record", record, Record, "a Record, such as taiji.read yields")
    check_callback("on_progress", on_progress)
    if not callable(should_stop):
        raise TypeError(f"should_stop: invalid {type(should_stop).__name__} (expected a function)")
    replay = record.replay()
    limit = None if seconds is None and playouts is None else Limit(seconds, playouts)
    with _opened(player, seed) as engine:
        return review_game(
            replay.states[0], replay.moves, engine, limit, on_progress=on_progress, should_stop=should_stop
        )


def solve(
    state: State,
    *,
    seconds: float | None = None,
    memory: int = 64,
    threads: int = 1,
    winner_only: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Solve a position exactly: the winner, the margin, every best move and the principal variation.

    `memory` is in MiB; `winner_only` skips the margin and all best moves but one. If `seconds` pass first,
    `solved` is False.
    """
    from taiji.kernel import Solver, get_kernel

    check_type("state", state, State, "a State")
    check_type("winner_only", winner_only, bool, "True or False")
    check_callback("on_progress", on_progress)
    limit = Limit(seconds)
    solver = Solver(get_kernel(state.game), memory=memory, threads=threads)
    # With a callback the solver runs in a thread, so that Ctrl-C is heard.
    report = on_progress or (lambda _: None)
    return solver.solve(state, seconds=limit.seconds, winner_only=winner_only, on_progress=report)


@contextmanager
def _opened(player: Player | str, seed: int | None) -> Iterator[Player]:
    """Yield the player; close it afterwards if it was named by a text."""
    if not isinstance(player, str):
        if not callable(getattr(player, "choose", None)):
            raise TypeError(f"player: invalid (expected a player or its text, not {type(player).__name__})")
        yield player
        return
    engine = make_player(player, seed=seed)
    try:
        yield engine
    finally:
        engine.close()
