"""Measures the speed of playouts and search, and the signature by which a change of the search shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.kernel.kernel import Kernel
from taiji.kernel.search import Search, SearchLimits, SearchOptions
from taiji.rules import parse_game

if TYPE_CHECKING:
    from taiji.rules import Game

SIGNATURE_GAMES = (
    "taiji:size=7",
    "taiji",
    "tailits",
    "battle-of-lits",
    "tailits+taiji",
    "taiji+battle-of-lits",
)
SIGNATURE_PLAYOUTS = 3000
SIGNATURE_MOVES = 2

_WARM_UP = 1000
"""Playouts before the clock starts: tables come into the caches, threads have run once."""

Row = dict[str, str | int | float]


def bench_playouts(game: Game, seconds: float, threads: int) -> Row:
    """Play at random for so long and return how fast it went."""
    start = Kernel(game).start()
    start.playouts(_WARM_UP)
    result = start.playouts(seconds=seconds, threads=threads, seed=1)
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


def bench_search(game: Game, playouts: int, threads: int, memory: int) -> Row:
    """Search the first move with so many playouts and return how fast it went, bare playouts beside it."""
    kernel = Kernel(game)
    start = kernel.start()
    start.playouts(_WARM_UP)
    bare = start.playouts(playouts, threads=threads, seed=1)
    result = Search(kernel, SearchOptions(threads=threads, seed=1, memory=memory)).run(
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


def signature() -> int:
    """Return the nodes of fixed searches, one thread and one seed: it changes when the search does."""
    nodes = 0
    for text in SIGNATURE_GAMES:
        kernel = Kernel(parse_game(text))
        search = Search(kernel, SearchOptions(seed=1))
        position = kernel.start()
        for _ in range(SIGNATURE_MOVES):
            result = search.run(position, SearchLimits(playouts=SIGNATURE_PLAYOUTS))
            nodes += result.nodes
            position.play(result.action)
    return nodes
