"""Take a picture of every screen at five sizes, light and dark; boards as far as the window shows them.

`python -m tests.web.screenshots FOLDER [NAME ...]`
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.server.running import Running
from tests.web.browser import CHROMIUM, FLAGS, visiting
from tests.web.places import PLACES, visit

SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800))
THEMES = ("light", "dark")


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Running(f"sqlite:///{home}/games.sqlite", "--engines=1")
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        for width, height in SIZES:
            for theme in THEMES:
                size = {"width": width, "height": height}
                with visiting(chromium, server.url, viewport=size, color_scheme=theme) as user:
                    for name in names:
                        visit(user, name)
                        path = folder / f"{name}-{width}-{theme}.png"
                        user.page.screenshot(
                            path=path, full_page=not user.page.locator(".area .side").count()
                        )
                        print(path)
        chromium.close()
        server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(PLACES))
