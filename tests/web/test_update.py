"""A new version of the app: it takes no file from an open page, and takes over when that is the only one."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import ROOT, visiting

STATIC = ROOT / "src/taiji/server/static"
TEXTS = (".js", ".html", ".css")
ONLY_NEW = "caches.keys().then((names) => String(names.filter((n) => /^app/.test(n))) === 'app-new')"


class Files(SimpleHTTPRequestHandler):
    """Serves a folder; a path without a dot is the page."""

    def do_GET(self) -> None:
        if "." not in self.path.rpartition("/")[2] and not self.path.startswith("/api/"):
            self.path = "/index.html"
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if not (STATIC / "index.html").exists():
        pytest.skip("the web app is not built: make setup")
    return Path(shutil.copytree(STATIC, tmp_path / "site"))


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def release(folder: Path) -> None:
    """Replace the files by a new version, in which every script has another name."""
    scripts = [path.name for path in (folder / "assets").glob("*.js")]
    for path in [path for path in folder.rglob("*") if path.suffix in TEXTS]:
        text = path.read_text()
        for name in scripts:
            text = text.replace(name, f"new-{name}")
        path.write_text(re.sub(r'const VERSION = "\w+"', 'const VERSION = "new"', text))
    for name in scripts:
        (folder / "assets" / name).rename(folder / "assets" / f"new-{name}")


def test_an_update_leaves_open_pages_their_files(browser: Browser, folder: Path, url: str) -> None:
    with visiting(browser, url, service_workers="allow") as user:
        user.expected += ["404", "WebSocket"]
        page = user.page
        user.open("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        scripts = "performance.getEntriesByType('resource').map(({name}) => name).join()"
        release(folder)
        page.evaluate("navigator.serviceWorker.ready.then(async (r) => { await r.update(); })")
        page.wait_for_function("navigator.serviceWorker.ready.then((r) => r.waiting !== null)")
        # The open page goes on with its own files, though the server no longer has them.
        page.get_by_role("link", name="Settings", exact=True).click()
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
        assert "new-" not in page.evaluate(scripts)
        # The next load is the new version; as the only page, it lets the new worker take over.
        page.reload()
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
        assert "new-index" in page.evaluate(scripts)
        page.wait_for_function(ONLY_NEW)
        user.context.set_offline(True)
        user.expected += ["ERR_INTERNET_DISCONNECTED", "Failed to load"]
        page.reload()
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
