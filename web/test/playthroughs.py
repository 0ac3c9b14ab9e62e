"""Print random games played by the Python rules as JSON, to compare the web rules with.

`playthroughs.py GAME...` plays the named games; `playthroughs.py --generated FIRST COUNT` plays games with
generated rules, one per seed. Each ply holds the legal moves, the scores, the scoring groups and the reasons
why sampled moves are illegal.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tests.generated_rules import random_game

from taiji.rules import Colour, Game, Placement, State, bits, parse_game
from taiji.rules.program_json import layout_to_json, program_to_json

GAMES_EACH = 2
TRIED = 25


def definition(game: Game) -> dict[str, Any]:
    """Return a game as `/api/game-definition` sends it."""
    stages = [
        {"pieces": [asdict(piece) for piece in stage.pieces], "footprints": layout_to_json(layout)}
        for stage, layout in zip(game.stages, game.layouts, strict=True)
    ]
    names = {"game": str(game), "base": game.name, "title": str(game), "match_rule": "nestorgames"}
    return {**names, "program": program_to_json(game.compiled), "stages": stages}


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


def playthrough(game: Game, rng: random.Random) -> dict[str, Any]:
    """Play one random game."""

    def sample() -> list[Placement]:
        return rng.sample(game.placements, min(TRIED, len(game.placements)))

    state = game.start()
    plies = []
    while not state.is_over:
        current = position(state, sample())
        legal = state.legal()
        # A swap is one choice among hundreds: play it in half of the cases.
        swaps = [move for move in legal if not isinstance(move, Placement)]
        move = swaps[0] if swaps and rng.random() < 0.5 else rng.choice(legal)
        plies.append({**current, "move": move.action, "text": str(move)})
        state = state.play(move)
    return {"plies": plies, "end": position(state, sample())}


def named(texts: list[str]) -> Iterator[dict[str, Any]]:
    """Play each named game `GAMES_EACH` times."""
    for text in texts:
        game = parse_game(text)
        games = [playthrough(game, random.Random(f"{text} {seed}")) for seed in range(GAMES_EACH)]
        yield {"definition": definition(game), "games": games}


def generated(first: int, count: int) -> Iterator[dict[str, Any]]:
    """Play one game with generated rules per seed."""
    for seed in range(first, first + count):
        rng = random.Random(f"page {seed}")
        game = random_game(rng)
        yield {"definition": {**definition(game), "game": f"seed {seed}"}, "games": [playthrough(game, rng)]}


def main() -> None:
    """Print the games named on the command line, or generated ones."""
    if sys.argv[1] == "--generated":
        playthroughs = list(generated(int(sys.argv[2]), int(sys.argv[3])))
    else:
        playthroughs = list(named(sys.argv[1:]))
    json.dump(playthroughs, sys.stdout)


if __name__ == "__main__":
    main()
