"""First moves that long searches found balanced, where the other player may swap after them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TypedDict

from taiji.players.base import CandidateMove, Info
from taiji.rules import Move, State

FILE = Path(__file__).with_suffix(".json")
"""By game: the move and the win probability of Light after it; `tools/first_moves.py` writes it."""


class _Entry(TypedDict):
    move: str
    light: float


def known_first_move(state: State) -> tuple[Move, Info] | None:
    """Return the first move of a game whose balanced first move is known, or None."""
    if state.ply or not (entry := _entries().get(str(state.game))):
        return None
    move = state.game.parse(entry["move"])
    win_prob = min(entry["light"], 1 - entry["light"])  # the other player takes the better colour
    return move, Info(win_prob, pv=(move,), candidates=(CandidateMove(move, 1.0, win_prob, visits=1),))


@cache
def _entries() -> dict[str, _Entry]:
    entries: dict[str, _Entry] = json.loads(FILE.read_text(encoding="utf-8"))
    return entries
