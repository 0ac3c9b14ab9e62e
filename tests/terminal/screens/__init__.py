"""Screens that were looked at, as text; `python -m tests.terminal.screens` writes them again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from taiji.rules import GAMES
from taiji.terminal.app import PlayApp
from tests.terminal.sessions import session

FOLDER = Path(__file__).parent
SIZES = ((80, 24), (120, 40))


class Shown(NamedTuple):
    """The contents of a screen: a game after some plies, in a theme."""

    game: str
    size: tuple[int, int]
    plies: int
    theme: str = "paper"
    ascii_only: bool = False


PLIES = {"taiji": 14, "tailits": 7, "battle-of-lits": 6, "tailits+taiji": 30, "taiji+battle-of-lits": 62}
"""How far each game has come; the double games are in their second stage."""

SCREENS: dict[str, Shown] = {
    f"{game}-{width}x{height}": Shown(game, (width, height), PLIES[game])
    for game in GAMES
    for width, height in SIZES
}
SCREENS["mono-120x40"] = Shown("taiji", (120, 40), 14, "mono")
SCREENS["ascii-80x24"] = Shown("tailits+taiji", (80, 24), 30, "mono", ascii_only=True)


def text_of(app: PlayApp) -> str:
    """Return what an app shows, as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


def drawn(name: str) -> str:
    """Draw a screen as it would be drawn now."""
    shown = SCREENS[name]

    async def run() -> str:
        with TemporaryDirectory() as folder:
            begun = session(shown.game, Path(folder), plies=shown.plies, seed=3)
            app = PlayApp(begun, begun.saves, ascii_only=shown.ascii_only, theme_name=shown.theme)
            async with app.run_test(size=shown.size) as pilot:
                await pilot.pause()
                return text_of(app)

    return asyncio.run(run())
