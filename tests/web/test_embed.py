"""Embedded boards in the page of another site, and the code that the sharing panel offers for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, FrameLocator, expect

from tests.server.running import Running, Visitor
from tests.web.browser import PageUser
from tests.web.conftest import Guests
from tests.web.places import ANALYSED, call
from tests.web.test_accessibility import AXE, QUESTION

MOVES = ("a1/a2", "b1/b2", "c1/c2")


@pytest.fixture(scope="module")
def chromium(whole_chromium: Browser) -> Browser:
    """Only the whole browser forbids foreign frames to store anything."""
    return whole_chromium


class ForeignSite:
    """Another site on this machine, whose one page holds whatever a test writes."""

    def __init__(self) -> None:
        self.body = ""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = f"<!doctype html><title>A blog</title><h1>A blog</h1>{site.body}".encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # Another name is another site; another port alone would share the cookies.
        self.url = f"http://localhost:{self.server.server_address[1]}/"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()


@pytest.fixture
def foreign() -> Iterator[ForeignSite]:
    site = ForeignSite()
    yield site
    site.server.shutdown()
    site.server.server_close()
    site.thread.join()


def public_game(site: Running) -> str:
    """Return a game between two guests who met in the lobby, three moves long."""
    first, second = Visitor(site.url), Visitor(site.url)
    for player, name in ((first, "Ada"), (second, "Ben")):
        player.client.patch("/api/me", json={"name": name}).raise_for_status()
    table = first.table(opponent="open", colour="light")["id"]
    second.post(f"/api/tables/{table}/join")
    for ply, move in enumerate(MOVES):
        (second if ply % 2 else first).act(table, "move", ply=ply, move=move)
    first.act(table, "resign")
    first.close()
    second.close()
    return str(table)


def framed(user: PageUser, foreign: ForeignSite, address: str) -> FrameLocator:
    """Open the other site with a board in a frame."""
    foreign.body = f'<iframe src="{address}" width="420" height="580" title="board"></iframe>'
    user.page.goto(foreign.url)
    return user.page.frame_locator("iframe")


def pieces(frame: FrameLocator, count: int) -> None:
    expect(frame.locator(".surface .piece")).to_have_count(count)


def test_a_board_in_a_foreign_page(guest: Guests, site: Running, foreign: ForeignSite) -> None:
    user = guest(color_scheme="dark")
    user.open("/")  # the visitor has a cookie of this server, which the embedded board must not use
    user.page.wait_for_load_state("networkidle")
    assert user.context.cookies()
    user.open("about:blank")  # on a busy machine that page may still ask for something
    sent: list[str] = []
    user.page.on("request", lambda request: sent.append(request.all_headers().get("cookie", "")))
    answers: list[str | None] = []
    user.page.on("response", lambda answer: answers.append(answer.header_value("set-cookie")))
    frame = framed(user, foreign, f"{site.url}/embed/game/{public_game(site)}")
    expect(frame.get_by_text("Ada")).to_be_visible()
    expect(frame.get_by_text("Move 3 of 3", exact=False).first).to_be_visible()
    pieces(frame, 3)
    frame.get_by_role("button", name="Go to start").click()
    pieces(frame, 0)
    frame.get_by_role("button", name="Next move").click()
    pieces(frame, 1)
    user.page.keyboard.press("ArrowRight")
    pieces(frame, 2)
    user.page.keyboard.press("Home")
    pieces(frame, 0)
    link = frame.get_by_role("link", name="Open on TAIJI")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")
    inner = user.page.frames[1]
    assert inner.evaluate("document.cookie") == ""
    # This browser forbids foreign frames to store anything: the board must work without.
    stored = inner.evaluate("(() => { try { return localStorage.length; } catch { return 'denied'; } })()")
    assert stored == "denied"
    assert inner.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert not any(sent)
    assert not any(answers)
    inner.evaluate(AXE.read_text())
    assert inner.evaluate(QUESTION) == []


def test_theme_language_and_ply_are_parameters(guest: Guests, site: Running, foreign: ForeignSite) -> None:
    user = guest(color_scheme="dark")
    address = f"{site.url}/embed/?theme=light&amp;lang=nl#record={quote(ANALYSED)}"
    frame = framed(user, foreign, address)
    expect(frame.get_by_role("link", name="Openen op TAIJI")).to_be_visible()
    inner = user.page.frames[1]
    assert inner.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    pieces(frame, 0)
    frame.get_by_role("button", name="Volgende zet").click()
    expect(frame.get_by_text("takes the middle")).to_be_visible()
    frame = framed(user, foreign, f"{site.url}/embed/?ply=2#record={quote(ANALYSED)}")
    pieces(frame, 2)


def test_other_pages_and_private_games_are_refused(
    guest: Guests, site: Running, foreign: ForeignSite
) -> None:
    user = guest()
    table = call(user, "POST", "/api/tables", {"game": "taiji:size=4", "opponent": "computer", "level": 1})
    user.expected += ["404", "frame-ancestors"]
    frame = framed(user, foreign, f"{site.url}/embed/game/{table['id']}")
    expect(frame.get_by_role("alert")).to_contain_text("private")
    expect(frame.locator(".surface")).to_have_count(0)
    framed(user, foreign, f"{site.url}/game/{table['id']}")
    user.page.wait_for_function("() => true")
    assert user.page.frames[1].evaluate("document.querySelectorAll('main').length") == 0
    frame = framed(user, foreign, f"{site.url}/embed/#record=nonsense")
    expect(frame.get_by_role("alert")).to_be_visible()


def test_the_sharing_panel_offers_the_code(guest: Guests, site: Running, foreign: ForeignSite) -> None:
    user = guest()
    user.open(f"/game/{public_game(site)}")
    user.page.get_by_text("Share and download").click()
    user.page.get_by_text("Embed the board").click()
    user.page.get_by_label("Theme").select_option("dark")
    foreign.body = code = user.page.get_by_label("Code to paste").input_value()
    assert unescape(code).count("theme=dark") == 1
    user.page.goto(foreign.url)
    frame = user.page.frame_locator("iframe")
    pieces(frame, 3)
    assert user.page.frames[1].evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_the_panel_of_a_private_game_says_that_it_is_private(user: PageUser) -> None:
    table = call(user, "POST", "/api/tables", {"game": "taiji:size=4", "opponent": "link"})
    user.expected.append("404")
    user.open(f"/game/{table['id']}")
    user.page.get_by_text("Share and download").click()
    user.page.get_by_text("Embed the board").click()
    expect(user.page.get_by_text("This game is private", exact=False)).to_be_visible()
    expect(user.page.get_by_label("Code to paste")).to_have_count(0)


REVIEWED = {
    "path": "/review/abc",
    "game": "taiji:size=4",
    "edition": None,
    "start": None,
    "moves": [2, 6, 10],
    "names": {"first": "Ada", "second": None},
    "status": "over",
    "result": None,
    "plies": [
        {"mark": None, "loss": 0.0, "line": ["a1/a2"]},
        {"mark": "blunder", "loss": 0.5, "line": ["d4/d3", "a4/a3"]},
        {"mark": None, "loss": 0.0, "line": []},
        {"mark": None, "loss": None, "line": []},
    ],
}


def test_a_review_shows_its_judgement_and_the_line(
    guest: Guests, site: Running, foreign: ForeignSite
) -> None:
    user = guest()
    user.context.route("**/api/embed/review/abc", lambda route: route.fulfill(json=REVIEWED))
    frame = framed(user, foreign, f"{site.url}/embed/review/abc?ply=2")
    expect(frame.get_by_text("This lost 50% win probability; better was d4/d3.")).to_be_visible()
    pieces(frame, 2)
    frame.get_by_role("button", name="Show the line").click()
    expect(frame.get_by_text("Move 2 of 3", exact=False).first).to_be_visible()
    frame.get_by_role("button", name="Next move").click()
    pieces(frame, 3)
    frame.get_by_role("button", name="Back to the game").click()
    pieces(frame, 2)
    frame = framed(user, foreign, f"{site.url}/embed/review/abc?ply=1&amp;line")
    expect(frame.get_by_text("The engine's line.")).to_be_visible()
    pieces(frame, 2)
