"""Short names of games for ids and files."""

from __future__ import annotations

import re


def game_slug(game: str) -> str:
    """Return a short name of a game from its canonical text, such as `taiji-7` for `taiji:size=7`."""
    return re.sub(r"([:,][a-z]+=|[^a-z0-9+])+", "-", game.lower())
