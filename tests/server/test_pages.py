"""The built app and the headers that keep it to itself."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import httpx
import pytest
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES
from starlette.requests import Request

from taiji.server.web.docs_site import DocsSite
from taiji.server.web.sharing.head import Head
from taiji.server.web.sharing.texts import Words
from taiji.server.web.static import PAGES, WebApp
from tests.server.running import Running
from tests.waiting import PATIENCE_S


def test_every_answer_carries_the_policy(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        for path in ("/", "/game/abc", "/api/health", "/api/docs", "/api/nothing", "/missing.js"):
            policy = client.get(path).headers["content-security-policy"]
            assert policy.startswith("default-src 'none'")
            # WebAssembly may be compiled, which allows no script of strangers; nothing else is unsafe.
            assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
            assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_the_page_of_the_interface_has_no_script(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        page = client.get("/api/docs").text
        assert "/api/tables/{table_id}/move" in page
        assert "<script" not in page
        assert "style=" not in page
        assert client.get("/api/docs.css").headers["content-type"].startswith("text/css")
        assert client.get("/api/openapi.json").json()["info"]["title"] == "taiji"


def test_a_game_definition_is_cached_and_compressed(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        first = client.get("/api/game-definition", params={"game": "tailits"})
        assert first.headers["content-encoding"] == "gzip"
        again = client.get(
            "/api/game-definition",
            params={"game": "tailits"},
            headers={"If-None-Match": first.headers["etag"]},
        )
        assert (again.status_code, again.content) == (304, b"")


@pytest.fixture
def app(tmp_path: Path) -> WebApp:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "assets" / "app-1a2b.js").write_text("let x = 1;\n" * 200)
    (tmp_path / "secret.txt").write_text("secret")
    return WebApp(folder)


def ask(app: WebApp | DocsSite, path: str, **headers: str) -> tuple[int, dict[str, str], bytes] | None:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": raw,
        "server": ("x", 80),
    }
    answer = app.respond(Request(scope))
    return None if answer is None else (answer.status_code, dict(answer.headers), bytes(answer.body))


@pytest.mark.parametrize("name", ["engine.wasm", "taiji.book", "taiji.jsonl"])
def test_files_of_the_engine_are_compressed_once(app: WebApp, tmp_path: Path, name: str) -> None:
    content = b"weights " * 1000
    (tmp_path / "static" / "assets" / name).write_bytes(content)
    found = [ask(app, f"/assets/{name}", accept_encoding="gzip") for _ in range(2)]
    assert all(one is not None and one[1]["content-encoding"] == "gzip" for one in found)
    file = app.find(f"/assets/{name}")
    assert file is not None
    assert file.gzipped is file.gzipped
    assert gzip.decompress(file.gzipped or b"") == content


def test_a_net_is_not_compressed_again(app: WebApp, tmp_path: Path) -> None:
    content = gzip.compress(b"weights " * 1000)
    (tmp_path / "static" / "assets" / "taiji.net").write_bytes(content)
    found = ask(app, "/assets/taiji.net", accept_encoding="gzip")
    assert found is not None
    _, headers, body = found
    assert body == content
    assert "content-encoding" not in headers
    # Neither does the middleware compress it, for every visitor.
    assert headers["content-type"] in DEFAULT_EXCLUDED_CONTENT_TYPES


def test_hashed_files_are_kept_for_ever_and_pages_asked_for_again(app: WebApp) -> None:
    found = ask(app, "/assets/app-1a2b.js", accept_encoding="gzip")
    assert found is not None
    status, headers, body = found
    assert (status, headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    assert "immutable" in headers["cache-control"]
    assert gzip.decompress(body).startswith(b"let x")
    plain = ask(app, "/assets/app-1a2b.js")
    assert plain is not None
    assert plain[2].startswith(b"let x")
    page = ask(app, "/game/abc")
    assert page is not None
    assert page[1]["cache-control"] == "no-cache"
    assert page[2] == b"<!doctype html>"
    again = ask(app, "/", if_none_match=page[1]["etag"])
    assert again is not None
    assert again[0] == 304


def test_a_page_stays_in_memory_until_a_new_build(app: WebApp, tmp_path: Path) -> None:
    head = Head("http://x", "", Words("en"), None)
    assert not app.is_ready("/", head)
    app.respond(Request({"type": "http", "method": "GET", "path": "/", "headers": []}), head)
    assert app.is_ready("/", Head("http://x", "", Words("en"), None))
    assert not app.is_ready("/", Head("http://x", "", Words("nl"), None)), "another language is another page"
    assert not app.is_ready("/assets/none.js", None)
    (tmp_path / "static" / "index.html").write_text("<!doctype html><title>new</title>")
    assert not app.is_ready("/", head)
    found = ask(app, "/")
    assert found is not None
    assert b"new" in found[2]


def test_unknown_addresses_answer_404_with_the_page_that_says_so(app: WebApp) -> None:
    known = ("/", "/learn/", "/learn/taiji", "/learn/tailits+taiji", "/game/abc", "/review/table/abc")
    known += ("/tournament/abc", "/puzzles", "/puzzles/daily", "/puzzles/taiji-7", "/puzzles/taiji-7/abc")
    assert [(ask(app, path) or (0,))[0] for path in known] == [200] * len(known)
    page = ask(app, "/")
    assert page is not None
    strange = ("/nothing", "/game", "/game/abc/more", "/review/other/abc", "/account/x", "/learn/WRONG")
    for path in (*strange, "/learn/taiji/more", "/puzzles/WRONG", "/puzzles/WRONG/abc"):
        missing = ask(app, path, if_none_match=page[1]["etag"])
        assert missing is not None
        assert (missing[0], missing[2]) == (404, b"<!doctype html>")


def test_every_screen_of_the_app_has_an_address() -> None:
    web = Path(__file__).parents[2] / "web" / "src"
    source = "".join((web / name).read_text() for name in ("App.svelte", "screens/Screens.svelte"))
    screens = set(re.findall(r"screen === '([a-z-]*)'", source))
    assert len(screens) > 10
    with_id = {"game", "local", "player", "tournament"}
    assert {screen for screen in screens if not PAGES.fullmatch(screen)} <= with_id
    assert all(PAGES.fullmatch(f"{screen}/id") for screen in with_id)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/missing.js",
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "//etc/passwd.x",
    ],
)
def test_nothing_else_is_served(app: WebApp, path: str) -> None:
    assert ask(app, path) is None


def test_an_app_that_is_not_built_says_how(tmp_path: Path) -> None:
    found = ask(WebApp(tmp_path), "/")
    assert found is not None
    assert b"make setup" in found[2]


def test_the_documentation_is_served_if_it_is_built(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "rules").mkdir(parents=True)
    (folder / "index.html").write_text("<h1>Documentation</h1>" * 100)
    (folder / "rules" / "taiji.html").write_text("rules")
    (folder / "studies").mkdir()
    (folder / "studies" / "index.html").write_text("studies")
    (tmp_path / "secret.txt").write_text("secret")
    site = DocsSite(folder)
    page = ask(site, "/docs/", accept_encoding="gzip")
    assert page is not None
    assert (page[0], page[1]["content-type"]) == (200, "text/html; charset=utf-8")
    assert gzip.decompress(page[2]).startswith(b"<h1>")
    assert (ask(site, "/docs/", if_none_match=page[1]["etag"]) or (0,))[0] == 304
    found = ask(site, "/docs/rules/taiji.html")
    assert found is not None
    assert found[2] == b"rules"
    listed = ask(site, "/docs/studies/")
    assert listed is not None
    assert listed[2] == b"studies"
    moved = ask(site, "/docs")
    assert moved is not None
    assert (moved[0], moved[1]["location"]) == (308, "/docs/")
    for path in (
        "/docsx",
        "/docs/none.html",
        "/docs/../secret.txt",
        "/docs/rules",
        "/docs/rules/",
        "/docs//etc/passwd",
    ):
        assert ask(site, path) is None
    assert ask(DocsSite(tmp_path / "none"), "/docs/") is None
