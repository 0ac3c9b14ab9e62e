"""Print random games played by the Python rules as JSON, to compare the web rules with.

Each ply holds the legal moves, the scores, the scoring groups and the reasons why sampled moves are illegal.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from taiji.notation import format_move
from taiji.rules import Colour, Placement, State, bits, parse_game
from taiji.server.domain.game_definition import game_definition

GAMES = (
    "taiji:size=4",
    "taiji",
    "taiji:size=5,score=omega",
    "taiji:size=5,score=squares,groups=2",
    "taiji:size=5,score=product,groups=2",
    "taiji:size=5,diagonal=yes",
    "blue-panther",
    "tailits",
    "tailits:score=second,set=free",
    "battle-of-lits",
    "battle-of-lits:board=7,size=8,swap=no",
    "battle-of-lits:symbols=xo..|.xo.|..xo|o..x",
    "tailits+taiji",
    "taiji+battle-of-lits:size=7",
)
GAMES_EACH = 2
TRIED = 25


def position(state: State, tried: list[Placement]) -> dict[str, Any]:
    """Describe a position, and why the moves in `tried` are illegal in it."""
    reasons = []
    for move in tried:
        reason = state.illegal_reason(move)
        reasons.append(reason and [reason.code, list(reason.cells), reason.kind])
    outcome = state.outcome()
    return {
        "stage": state.stage_index,
        "seat_to_move": int(state.seat_to_move),
        "legal": [move.action for move in state.legal()],
        "supply": list(state.supply),
        "scores": list(state.scores()),
        "scoring_groups": [
            [list(bits(group)) for group in state.scoring_groups(colour)] for colour in Colour
        ],
        "tried": [move.action for move in tried],
        "reasons": reasons,
        "outcome": outcome and {"winner": None if outcome.winner is None else int(outcome.winner)},
    }


def playthrough(text: str, seed: int) -> dict[str, Any]:
    """Play one random game."""
    rng = random.Random(f"{text} {seed}")
    game = parse_game(text)
    state = game.start()
    plies = []
    while not state.is_over:
        current = position(state, rng.sample(game.placements, min(TRIED, len(game.placements))))
        legal = state.legal()
        # A swap is one choice among hundreds: play it in half of the cases.
        swaps = [move for move in legal if not isinstance(move, Placement)]
        move = swaps[0] if swaps and rng.random() < 0.5 else rng.choice(legal)
        plies.append({**current, "move": move.action, "text": format_move(game, move)})
        state = state.play(move)
    return {
        "plies": plies,
        "end": position(state, rng.sample(game.placements, min(TRIED, len(game.placements)))),
    }


def main() -> None:
    """Print the games named on the command line, or all games."""
    games = sys.argv[1:] or GAMES
    playthroughs = [
        {
            "definition": game_definition(text),
            "games": [playthrough(text, seed) for seed in range(GAMES_EACH)],
        }
        for text in games
    ]
    json.dump(playthroughs, sys.stdout)


if __name__ == "__main__":
    main()
