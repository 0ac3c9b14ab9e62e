"""Draw the pictures of the README into docs/images: `python -m tools.readme_pictures`.

Boards and the animation are drawn by `taiji render`, the app is photographed in Chromium. Look at them before
you commit.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from tests.server.running import Running
from tests.web.browser import CHROMIUM, FLAGS, visiting
from tests.web.places import visit

from taiji.cli import program

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ROOT / "docs" / "rules" / "examples"
SIZE = {"width": 1120, "height": 720}
COLOURS = 128


def draw() -> None:
    """Draw a board, light and dark, and an animation of a game."""
    for name, theme in (("light", "paper"), ("dark", "night")):
        target = IMAGES / f"board-{name}.png"
        drawing = ["--theme", theme, "--groups", "--size", "640", "--no-coordinates"]
        _render("tailits.tji", *drawing, "-o", str(target))
        target.write_bytes(_smaller(target.read_bytes()))
    _render("taiji.tji", "--size", "320", "--delay", "600", "-o", str(IMAGES / "game.gif"))


def photograph() -> None:
    """Take a picture of a game in the app, light and dark."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Running(f"sqlite:///{home}/games.sqlite", "--engines=0")
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        for theme in ("light", "dark"):
            with visiting(chromium, server.url, viewport=SIZE, color_scheme=theme) as user:
                visit(user, "taiji-11")
                (IMAGES / f"app-{theme}.png").write_bytes(_smaller(user.page.screenshot()))
        chromium.close()
        server.stop()


def _render(*arguments: str) -> None:
    program.main(["render", str(EXAMPLES / arguments[0]), *arguments[1:]], standalone_mode=False)


def _smaller(png: bytes) -> bytes:
    """Return a picture with a palette, a third as large."""
    target = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS).save(target, "PNG", optimize=True)
    return target.getvalue()


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    draw()
    photograph()
