"""A player at a browser: opens screens, places pieces by mouse, touch or keyboard, and reads the page."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, WebSocketRoute, expect

from taiji.rules import Move, Placement, State, parse_game
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
LOOK = json.loads((ROOT / "src/taiji/render/theme.json").read_text())["geometry"]
CHROMIUM = "/usr/bin/chromium"
HEADLESS_SHELL = "/usr/bin/chromium-headless-shell"
"""The same without windows and profiles, which take a sixth of the processor time of the tests."""
DISABLED_FEATURES = (
    # Pages and processes of the browser itself, which take more time than the page under test.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess",
    # Those that Playwright disables, because this switch overrides its own.
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay",
    "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)  # fmt: skip
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--mute-audio",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
)  # fmt: skip
LOST_CONNECTION = (
    "WebSocket",
    "net::ERR_CONNECTION_",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_SOCKET_NOT_CONNECTED",
)
"""What the console says when a server has gone: refused before a request, reset or closed during one."""
TIMEOUT_MS = 1000 * PATIENCE_S
"""Limit of every wait; long, because other tests may keep the machine busy."""


class PageUser:
    """A player with a separate browser context; `faults` collects console and page errors."""

    def __init__(self, browser: Browser, url: str, **settings: Any) -> None:
        defaults: dict[str, Any] = {
            "viewport": {"width": 1280, "height": 900},
            "locale": "en-GB",
            "reduced_motion": "reduce",
            "service_workers": "block",
            "base_url": url,
        }
        self.context: BrowserContext = browser.new_context(**{**defaults, **settings})
        self.context.set_default_timeout(TIMEOUT_MS)
        self.page: Page = self.context.new_page()
        self.url = url
        self.faults: list[str] = []
        self.expected: list[str] = []
        self.page.on("console", lambda m: self.faults.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def watch_sockets(self) -> list[WebSocketRoute]:
        """Return a list that fills with the sockets of tables as they open, so that a test can cut them."""
        sockets: list[WebSocketRoute] = []

        def through(route: WebSocketRoute) -> None:
            sockets.append(route)
            server = route.connect_to_server()
            route.on_message(lambda message: server.send(message))
            server.on_message(lambda message: route.send(message))

        self.page.route_web_socket(re.compile("/ws/tables/"), through)
        return sockets

    def close(self) -> None:
        self.context.close()
        unexpected = [fault for fault in self.faults if not any(word in fault for word in self.expected)]
        assert not unexpected, unexpected

    def open(self, path: str = "/") -> None:
        self.page.goto(path)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def settings(self, **values: Any) -> None:
        """Save settings before the next page is opened."""
        text = json.dumps(json.dumps(values))
        self.context.add_init_script(f"localStorage.setItem('taiji.settings', {text})")

    # --- the board ---

    @property
    def surface(self) -> Locator:
        return self.page.locator(".surface")

    def wait_for_turn(self) -> None:
        expect(self.page.locator(".surface.active")).to_be_visible(timeout=TIMEOUT_MS)

    def _scroll_to_board(self) -> None:
        """Bring the board into view; the next game of a match may replace it at this moment."""
        for _ in range(3):
            try:
                self.surface.scroll_into_view_if_needed()
            except Error as error:
                if "not attached" not in error.message:
                    raise
            else:
                return

    def point(self, cell: str) -> tuple[float, float]:
        """Return the centre of a cell in the window."""
        self._scroll_to_board()
        box = self.surface.bounding_box()
        assert box is not None
        view = self.page.locator(".surface svg").get_attribute("viewBox")
        assert view is not None
        _, _, width, height = map(float, view.split())
        scale = box["width"] / width
        rows = round((height - LOOK["margin"] - 2 * LOOK["frame"]) / LOOK["cell"])
        column, row = ord(cell[0]) - ord("a"), int(cell[1:]) - 1
        x = LOOK["margin"] + LOOK["frame"] + (column + 0.5) * LOOK["cell"]
        y = LOOK["frame"] + (rows - row - 0.5) * LOOK["cell"]
        return box["x"] + scale * x, box["y"] + scale * y

    def hover(self, cell: str) -> None:
        self.page.mouse.move(*self.point(cell))

    def click(self, cell: str) -> None:
        self.page.mouse.click(*self.point(cell))

    def slide(self, start: str, end: str) -> None:
        self.page.mouse.move(*self.point(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.point(end), steps=4)
        self.page.mouse.up()

    def tap(self, cell: str) -> None:
        self.page.touchscreen.tap(*self.point(cell))

    def reason(self) -> Locator:
        return self.page.locator(".reason.shown")

    def moves(self) -> list[str]:
        return self.page.locator(".moves button").all_inner_texts()

    def expect_moves(self, count: int) -> None:
        expect(self.page.locator(".moves button")).to_have_count(count, timeout=TIMEOUT_MS)

    def announcement(self) -> Locator:
        return self.page.locator(".board [aria-live]")

    # --- whole moves ---

    def place(self, state: State, move: Move) -> None:
        """Make a move: a pair by mouse, a swap by its button, any other piece by keyboard."""
        if not isinstance(move, Placement):
            self.page.get_by_role("button", name=re.compile("^Swap")).click()
            return
        if move.kind == "taijitu":
            first = move.dark if state.colour_to_move else move.light
            names = state.board.names(first) + state.board.names(move.cells & ~first)
            self.click(names[0])
            self.click(names[1])
            return
        self.place_by_keyboard(state, move)

    def place_by_keyboard(self, state: State, move: Placement) -> None:
        self.hold(state, move)
        self.page.keyboard.press("Enter")

    def hold(self, state: State, move: Placement) -> str:
        """Choose the piece and turn it until the ghost covers the move; return the cursor's cell."""
        words = state.game.colour_names
        names = lambda mask: " ".join(state.board.names(mask))  # noqa: E731
        wanted = (
            f"{words.light} {names(move.light)}, {words.dark} {names(move.dark)}."
            if move.light
            else f"{names(move.cells)}."
        )
        self.surface.focus()
        keys = self.page.keyboard
        faces = [index for index, piece in enumerate(state.current_stage.pieces) if piece.stock == move.stock]
        for face in faces:
            if move.kind != "taijitu":
                keys.press(move.kind.lower())
                same = [i for i, piece in enumerate(state.current_stage.pieces) if piece.kind == move.kind]
                keys.press(str(1 + same.index(face)))
            for cell in state.board.names(move.cells):
                self.go_to(state, cell)
                if self._turn_until(wanted):
                    return cell
        raise AssertionError(f"no way to hold {move!s}")

    def _turn_until(self, wanted: str) -> bool:
        for _ in range(2):
            for _ in range(4):
                if wanted in self.announcement().inner_text():
                    return True
                self.page.keyboard.press("r")
            self.page.keyboard.press("f")
        return False

    def go_to(self, state: State, cell: str) -> None:
        """Move the cursor of the board to a cell."""
        keys = self.page.keyboard
        keys.press("Escape")
        keys.press("ArrowUp")
        right = ord(cell[0]) - ord("a") - state.board.width // 2
        up = int(cell[1:]) - 1 - state.board.height // 2
        for _ in range(abs(right)):
            keys.press("ArrowRight" if right > 0 else "ArrowLeft")
        for _ in range(abs(up)):
            keys.press("ArrowUp" if up > 0 else "ArrowDown")


class Mirror:
    """The same game in the Python rules: chooses legal moves and follows the moves on the page."""

    def __init__(self, game: str, seed: int = 1) -> None:
        self.state = parse_game(game).start()
        self.random = random.Random(seed)
        self.plies = 0

    def choose(self, *, swap: bool = False) -> Move:
        legal = self.state.legal()
        placements = [move for move in legal if isinstance(move, Placement)]
        swaps = [move for move in legal if not isinstance(move, Placement)]
        return swaps[0] if swap and swaps else self.random.choice(placements)

    def play(self, move: Move) -> None:
        self.state = self.state.play(move)
        self.plies += 1

    def follow(self, texts: list[str]) -> None:
        """Play the moves of the list that are not played here yet."""
        from taiji.notation import parse_move

        for text in texts[self.plies :]:
            self.play(parse_move(self.state, text))


@contextmanager
def visiting(browser: Browser, url: str, **settings: Any) -> Iterator[PageUser]:
    """Yield a user for the length of a block; faults fail the test unless another error came first."""
    user = PageUser(browser, url, **settings)
    try:
        yield user
    except BaseException:
        user.context.close()
        raise
    user.close()
