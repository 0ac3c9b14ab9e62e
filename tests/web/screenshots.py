"""Take a picture of every screen at five sizes, light and dark; boards as far as the window shows them.

`python -m tests.web.screenshots FOLDER [NAME ...]`
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.server.running import Running
from tests.web.browser import CHROMIUM, FLAGS, TIMEOUT_MS, PageUser, visiting
from tests.web.places import ALL_PLACES, visit

SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800))
THEMES = ("light", "dark")


SCROLL = """async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
        scrollTo(0, y);
        await new Promise(requestAnimationFrame);
    }
    scrollTo(0, 0);
}"""
"""Brings everything into sight once: pictures out of sight are not loaded."""


def take_pictures(user: PageUser, folder: Path, name: str) -> None:
    """Show a screen once, then draw it in every size and theme."""
    visit(user, name)
    page = user.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SCROLL)
        page.wait_for_load_state("networkidle")
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            path = folder / f"{name}-{width}-{theme}.png"
            page.screenshot(path=path, full_page=not page.locator(".area .side").count())
            print(path, flush=True)


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=TIMEOUT_MS)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Running(f"sqlite:///{home}/games.sqlite", "--engines=1", "--rate-limit-scale=50")
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        size = dict(zip(("width", "height"), SIZES[0], strict=True))
        for name in names:
            with visiting(chromium, server.url, viewport=size) as user:
                user.expected += ["404", "ERR_INTERNET_DISCONNECTED", "WebSocket"]
                take_pictures(user, folder, name)
        chromium.close()
        server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(ALL_PLACES))
