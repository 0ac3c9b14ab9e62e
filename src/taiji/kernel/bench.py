"""Measures the speed of playouts and search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.kernel.kernel import Kernel
from taiji.kernel.search import Search, SearchLimits, SearchOptions

if TYPE_CHECKING:
    from taiji.rules import Game

_WARM_UP = 1000
"""Playouts before the clock starts, to fill the caches."""

Row = dict[str, str | int | float]


def bench_playouts(game: Game, seconds: float, threads: int, seed: int = 1) -> Row:
    """Play random games for `seconds` and return the speed."""
    start = Kernel(game).start()
    start.playouts(_WARM_UP)
    result = start.playouts(seconds=seconds, threads=threads, seed=seed)
    return {
        "game": str(game),
        "threads": threads,
        "playouts_per_s": round(result.per_second, 1),
        "plies_per_s": round(result.plies / result.seconds, 1),
        "playouts": result.playouts,
        "seconds": round(result.seconds, 3),
        "plies_per_game": round(result.plies / result.playouts, 2),
        "first_wins": round(result.first_wins / result.playouts, 4),
    }


def bench_search(game: Game, playouts: int, threads: int, memory: int, seed: int = 1) -> Row:
    """Search the first move with `playouts` playouts and return the speed, with that of plain playouts."""
    kernel = Kernel(game)
    start = kernel.start()
    start.playouts(_WARM_UP)
    bare = start.playouts(playouts, threads=threads, seed=seed)
    result = Search(kernel, SearchOptions(threads=threads, seed=seed, memory=memory)).run(
        start, SearchLimits(playouts=playouts)
    )
    return {
        "game": str(game),
        "threads": threads,
        "playouts_per_s": round(result.per_second, 1),
        "bare_playouts_per_s": round(bare.per_second, 1),
        "ratio": round(result.per_second / bare.per_second, 3),
        "playouts": result.playouts,
        "seconds": round(result.seconds, 3),
        "nodes": result.nodes,
        "memory_bytes": result.memory,
    }
