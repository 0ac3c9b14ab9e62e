"""Pictures that were inspected; `python -m tests.render.golden` writes them again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from taiji import render
from tests.render.scenes import played, record

FOLDER = Path(__file__).parent

GOLDEN: dict[str, tuple[str, dict[str, Any]]] = {
    "groups": ("taiji:size=4", {"groups": True}),
    "night": ("taiji:size=5,diagonal=yes", {"theme": "night", "coordinates": False}),
    "patterns": ("battle-of-lits:symbols=x..o|.xo.|.xo.|x..o", {"theme": "patterns"}),
    "layers": ("taiji+battle-of-lits:size=4", {"groups": True}),
    "own-game": ("test-holes", {"theme": "print", "groups": True, "caption": "A custom game"}),
}
"""Each picture: the game that is played at random to its end, and how it is drawn."""


def drawn(name: str) -> str:
    """Draw a golden picture as it would be drawn now."""
    if name == "film":
        return render.animated_svg(record("taiji:size=4", plies=3))
    text, options = GOLDEN[name]
    moves, states = played(text)
    return render.svg(states[-1], last=moves[-1], **options)


GOLDEN["film"] = ("taiji:size=4", {})
