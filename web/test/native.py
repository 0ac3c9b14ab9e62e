"""Print what the native core finds, as JSON, to compare the WebAssembly core with.

`native.py`: for each of `GAMES` its definition, a hash of 1,000 random games, seeded searches and solved
endgames. Floating-point numbers are printed exactly.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple, replace
from typing import Any

from web.test.playthroughs import definition

from taiji.kernel import Search, SearchLimits, SearchOptions, Solver, get_kernel
from taiji.kernel.kernel import Kernel, Position
from taiji.kernel.search import SearchResult
from taiji.players.presets import search_preset
from taiji.rules import parse_game

GAMES = (
    "taiji:size=7",
    "taiji",
    "taiji:size=11,diagonal=yes",
    "tailits",
    "battle-of-lits",
    "tailits+taiji",
    "taiji+battle-of-lits",
)
RANDOM_GAMES = 1000
SEARCHES, SEARCH_PLAYOUTS = 15, 400
ENDGAMES, ENDGAME_PLIES, ENDGAME_NODES = 4, 5, 20_000


def option_list(options: SearchOptions) -> list[float]:
    """Return search options in the order that the WebAssembly core reads."""
    skipped = ("threads", "memory", "reuse", "seed")
    names = [name for name in SearchOptions.__slots__ if name not in skipped]
    values = [float(getattr(options, name)) for name in names]
    return [*values, float(options.seed), float(options.memory), float(options.reuse)]


def play(kernel: Kernel, actions: list[int]) -> Position:
    """Return the position after some actions."""
    position = kernel.start()
    for action in actions:
        position.play(action)
    return position


def result_json(result: SearchResult) -> dict[str, Any]:
    """Return a result without its time."""
    moves = [list(astuple(move)) for move in result.moves]
    return {
        "nodes": result.nodes,
        "playouts": result.playouts,
        "pv": list(result.pv),
        "win_prob": result.win_prob,
        "margin": result.margin,
        "moves": moves,
    }


def search_json(kernel: Kernel, number: int) -> dict[str, Any]:
    """Run a seeded search twice, the second time from the move found, so that the tree is reused."""
    variants = (search_preset(kernel.game), SearchOptions(), SearchOptions(playout_candidates=4))
    options = replace(variants[number % 3], seed=number, memory=32 << 20)
    game = kernel.start().random_game(number)
    opening = game[: len(game) * number // (SEARCHES + 2)]
    search, position = Search(kernel, options), play(kernel, opening)
    results = []
    for _ in range(2):
        if position.is_over:
            break
        results.append(search.run(position, SearchLimits(playouts=SEARCH_PLAYOUTS)))
        position.play(results[-1].action)
    return {
        "options": option_list(options),
        "placed": play(kernel, opening).placed,
        "swapped": play(kernel, opening).core.swapped,
        "playouts": SEARCH_PLAYOUTS,
        "results": list(map(result_json, results)),
    }


def endgame_json(kernel: Kernel, seed: int) -> dict[str, Any]:
    """Solve the end of a random game."""
    game = kernel.start().random_game(1000 + seed)
    position = play(kernel, game[:-ENDGAME_PLIES])
    solution = Solver(kernel, memory=4).solve(position, nodes=ENDGAME_NODES)
    return {
        "placed": position.placed,
        "swapped": position.core.swapped,
        "max_nodes": ENDGAME_NODES,
        "nodes": solution.nodes,
        "solved": solution.solved,
        "winner": None if solution.winner is None else int(solution.winner),
        "margin": solution.margin,
        "best": [move.action for move in solution.best],
        "pv": [move.action for move in solution.pv],
    }


def native(text: str) -> dict[str, Any]:
    """Return what the native core finds in one game."""
    game = parse_game(text)
    kernel = get_kernel(game)
    return {
        "definition": definition(game),
        "symmetries": [list(image) for image in game.symmetries],
        "random_games": RANDOM_GAMES,
        "hash": f"{kernel.start().random_games_hash(1, RANDOM_GAMES):016x}",
        "searches": [search_json(kernel, number) for number in range(SEARCHES)],
        "endgames": [endgame_json(kernel, seed) for seed in range(ENDGAMES)],
    }


if __name__ == "__main__":
    json.dump([native(text) for text in GAMES], sys.stdout)
