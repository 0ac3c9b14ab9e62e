"""The columns of the dataset, and a played game as a row: replayed and scored by the core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from taiji.kernel import get_kernel
from taiji.notation.interchange.replayed import move_texts
from taiji.rules import Swap, parse_game

VERSION = 1
"""Version of the columns; it is in the metadata of every file."""

SCHEMA = pa.schema(
    [
        ("game", pa.string()),
        ("player", pa.string()),
        ("seed", pa.int64()),
        ("opening_plies", pa.int16()),
        ("plies", pa.int16()),
        ("winner", pa.string()),
        ("light_score", pa.float64()),
        ("dark_score", pa.float64()),
        ("swapped", pa.bool_()),
        ("actions", pa.list_(pa.int16())),
        ("win_probs", pa.list_(pa.float32())),
        ("moves", pa.string()),
    ],
    metadata={"taiji-dataset": str(VERSION)},
)

_SEATS = ("light", "dark")


class DatasetError(ValueError):
    """A game that cannot become a row, or files of another run."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as a generator gives it: no claim about its result."""

    game: str
    player: str
    actions: Sequence[int]
    win_probs: Sequence[float | None]
    """Win probability of the mover before each move; None if it was not searched."""
    opening_plies: int
    """Number of random plies at the start."""
    seed: int | None = None


def to_row(played: PlayedGame) -> dict[str, Any]:
    """Return the row of a game; raise DatasetError if a move is illegal or the game is not over."""
    game = parse_game(played.game)
    position = get_kernel(game).start()
    for ply, action in enumerate(played.actions, 1):
        if not position.is_legal(action):
            raise DatasetError(f"{game}: ply {ply}: illegal action {action} (expected a legal one)")
        position.play(action)
    if not position.is_over:
        raise DatasetError(f"{game}: not over after {len(played.actions)} plies (expected a finished game)")
    winner, scores = position.winner(), position.scores()
    texts = move_texts(game)
    return {
        "game": str(game),
        "player": played.player,
        "seed": played.seed,
        "opening_plies": played.opening_plies,
        "plies": len(played.actions),
        "winner": None if winner is None else _SEATS[winner],
        "light_score": float(scores.first),
        "dark_score": float(scores.second),
        "swapped": any(isinstance(game.move(action), Swap) for action in played.actions),
        "actions": list(played.actions),
        "win_probs": [None if prob is None else round(prob, 3) for prob in played.win_probs],
        "moves": " ".join(texts[action] for action in played.actions),
    }
