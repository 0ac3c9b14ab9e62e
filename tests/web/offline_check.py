"""`python -m tests.web.offline_check PROGRAM`: play in the browser on the server of a wheel."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import sync_playwright

from tests.server import running
from tests.web.browser import CHROMIUM, FLAGS, Mirror, visiting
from tests.web.test_computer import start


def read_documentation(url: str) -> None:
    """Read the first page of the documentation; raise `httpx.HTTPStatusError` if the wheel has none."""
    page = httpx.get(f"{url}/docs/").raise_for_status().text
    print("documentation:", page.partition("<title>")[2].partition("</title>")[0])


def main(program: str) -> int:
    """Start the server of a program and play; print what was played."""
    running.TAIJI = Path(program)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = running.Running(f"sqlite:///{folder}/games.sqlite", "--engines=1")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            with visiting(browser, server.url) as user:
                start(user, "taiji")
                mirror = Mirror("taiji")
                user.place(mirror.state, mirror.choose())
                user.expect_moves(2)
                print("two moves played:", ", ".join(user.moves()))
            read_documentation(server.url)
        finally:
            browser.close()
            status = server.stop()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
