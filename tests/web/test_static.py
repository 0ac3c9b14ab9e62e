"""The static build: a folder of files on any web host, below any path, without a server of ours."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import LOST_CONNECTION, ROOT, visiting
from tests.web.test_offline import CACHED, start, turn

pytestmark = pytest.mark.slow


class Files(SimpleHTTPRequestHandler):
    """Serves a folder as `python -m http.server` does, without a log."""

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the files as `make static` does."""
    root = tmp_path_factory.mktemp("host")
    target = root / "games" / "taiji"
    build = ["npm", "run", "--silent", "build", "--", "--mode", "static", "--base", "./", "--outDir", target]
    subprocess.run([*build, "--emptyOutDir"], cwd=ROOT / "web", check=True, stdout=subprocess.DEVNULL)
    games = [sys.executable, ROOT / "tools" / "static_games.py", target / "definitions"]
    subprocess.run(games, check=True, stdout=subprocess.DEVNULL)
    return root


@pytest.fixture
def host(folder: Path) -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_files_alone_play_teach_and_review(browser: Browser, host: ThreadingHTTPServer) -> None:
    home = f"http://127.0.0.1:{host.server_port}/games/taiji/"
    with visiting(browser, home, service_workers="allow") as user:
        page = user.page
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(home)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function(CACHED)
        # The host is gone from here on: it no longer accepts connections.
        host.shutdown()
        host.server_close()
        user.expected += LOST_CONNECTION
        page.reload()
        for game in ("taiji", "tailits"):
            mirror = start(user, game)
            turn(user, mirror)
            page.reload()
            user.expect_moves(mirror.plies)
            user.wait_for_turn()
        for link, heading in (("Learn", "Learn"), ("Puzzles", "Puzzles"), ("Games", "Games")):
            page.get_by_role("link", name=link, exact=True).first.click()
            expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="Computer, level 3")).to_have_count(2)
        # Nothing that only a server answers was asked for, and nothing outside of the folder.
        assert [url for url in asked if not url.startswith(home) and not url.startswith("blob:")] == []
        assert [url for url in asked if "/api/" in url or "/ws/" in url] == []
