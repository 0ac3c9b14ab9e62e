"""Print what players of the Python package choose, as JSON, to compare those of the page with.

`native_players.py` plays the beginning, the middle and the end of random games of each game with seeded
players, each of which keeps its tree for the next move.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from random import Random
from typing import Any

from web.test.playthroughs import definition

from taiji.kernel import get_kernel
from taiji.players import CandidateMove, Info, Limit, MatchContext, make_player
from taiji.players.level_table import get_levels
from taiji.players.levels import choose_candidate
from taiji.rules import Game, Seat, State, parse_game

GAMES = (
    "taiji:size=7",
    "taiji",
    "tailits",
    "battle-of-lits",
    "tailits+taiji",
    "taiji+battle-of-lits",
    "taiji:size=5,score=squares",
)
PLAYERS = (
    ("level:1", None, 0.3),
    ("level:2", None, 0.1),
    ("level:3", None, 0.0),
    ("level:3", None, 0.6),
    ("level:4", None, 0.4),
    ("level:5", None, 0.8),
    ("mcts:playouts=300", None, 0.7),
    ("mcts:playouts=2000", None, 0.85),
    ("mcts:playouts=200", MatchContext(3, Seat.SECOND), 0.5),
    ("uct:playouts=200", None, 0.5),
    ("greedy", None, 0.4),
    ("alphabeta", None, 0.9),
    ("random", None, 0.2),
)
"""The player, the context of a match, and the part of the game that has been played."""
NEURAL = (("neural:evaluations=40", 0.1), ("level:10", 0.9))
SAMPLES = (
    (1.0, (9, 5, 5, 1, 0)),
    (0.3, (200, 150, 3)),
    (2.5, (7, 6, 5, 4, 3, 2, 1)),
    (0.7, (0, 0)),
    (0.05, (80, 79)),
)
"""Temperatures, and the visits of candidates from which a level chooses."""
SAMPLE_SIZE = 40
MOVES = 2


def info_json(info: Info) -> dict[str, Any]:
    """Return an evaluation without its time."""
    return {
        "winProb": info.win_prob,
        "margin": info.margin,
        "pv": [move.action for move in info.pv],
        "playouts": info.playouts,
        "exact": info.exact,
        "candidates": [
            [entry.move.action, entry.share, entry.win_prob, entry.visits, entry.margin]
            for entry in info.candidates
        ],
    }


def state_after(game: Game, seed: int, part: float) -> State:
    """Return a position of a random game after this part of its moves."""
    actions = get_kernel(game).start().random_game(seed)
    state = game.start()
    for action in actions[: int(part * len(actions))]:
        state = state.play(game.move(action))
    return state


def case(game: Game, text: str, match: MatchContext | None, part: float, seed: int) -> dict[str, Any]:
    """Let a player choose a few moves in a row."""
    player = make_player(text, seed=seed)
    state, turns = state_after(game, seed, part), []
    for _ in range(MOVES):
        if state.is_over:
            break
        move, info = player.choose(state, Limit(), match=match)
        placed, swapped = [list(stage) for stage in state.placed], state.swapped
        turns.append({"placed": placed, "swapped": swapped, "move": move.action, "info": info_json(info)})
        state = state.play(move)
    player.close()
    tie = None if match is None else match.tie_winner
    context = None if match is None else {"lead": match.lead, "tieWinner": None if tie is None else int(tie)}
    return {"player": text, "seed": seed, "match": context, "turns": turns}


def samples(game: Game) -> list[dict[str, Any]]:
    """Return which candidates the levels choose, by their index."""
    rows = []
    for seed, (temperature, visits) in enumerate(SAMPLES, 3):
        random = Random(seed)
        entries = [CandidateMove(game.move(i), 0.0, visits=count) for i, count in enumerate(visits)]
        chosen = [choose_candidate(entries, temperature, random).move.action for _ in range(SAMPLE_SIZE)]
        rows.append({"seed": seed, "temperature": temperature, "visits": visits, "chosen": chosen})
    return rows


def level_rows(game: Game) -> list[dict[str, Any]]:
    """Return the levels of a game, without what is 0."""
    return [{key: value for key, value in asdict(level).items() if value} for level in get_levels(game)]


def played(text: str) -> dict[str, Any]:
    """Return the choices of every player in one game."""
    game = parse_game(text)
    exact = [case(game, name, match, part, 7 + i) for i, (name, match, part) in enumerate(PLAYERS)]
    neural = [case(game, name, None, part, 7) for name, part in NEURAL]
    return {
        "definition": definition(game),
        "exact": exact,
        "neural": neural,
        "levels": level_rows(game),
        "samples": samples(game),
    }


if __name__ == "__main__":
    json.dump([played(text) for text in GAMES], sys.stdout)
