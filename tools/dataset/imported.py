"""Games of self-play on an accelerator: arrays of actions in `.npz` files."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tools.dataset.rows import DatasetError, PlayedGame

UNKNOWN = 255
"""The win probability of a ply that was not searched; others are 200 times the probability."""
SCALE = 200
ARRAYS = ("game", "player", "actions", "win_prob", "opening_plies")


def played_games(path: Path) -> Iterator[PlayedGame]:
    """Return the games of a file.

    `actions` and `win_prob` are [games, plies], the actions padded with -1; `game` and `opening_plies` are
    one value, or one per game.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in ARRAYS}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise DatasetError(
            f"{path}: cannot be read (expected arrays {', '.join(ARRAYS)}): {error}"
        ) from error
    actions, win_prob = found["actions"], found["win_prob"]
    if actions.ndim != 2 or win_prob.shape != actions.shape:
        raise DatasetError(
            f"{path}: shapes {actions.shape} and {win_prob.shape} (expected equal, games by plies)"
        )
    games = np.broadcast_to(found["game"], len(actions))
    openings = np.broadcast_to(found["opening_plies"], len(actions))
    player = str(found["player"])
    for row, (game, opening) in enumerate(zip(games, openings, strict=True)):
        plies = int((actions[row] >= 0).sum())
        yield PlayedGame(
            str(game),
            player,
            actions[row, :plies].tolist(),
            [None if value == UNKNOWN else value / SCALE for value in win_prob[row, :plies].tolist()],
            int(opening),
        )
