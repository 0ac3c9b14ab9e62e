"""Every game at five sizes, by mouse, touch and keyboard: all that a move needs is inside the window."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from taiji.rules import Adjacency, Placement, State, bits
from tests.web.browser import Mirror, PageUser
from tests.web.conftest import Guests
from tests.web.game_places import hot_seat, random_actions

SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800))
GAMES = {"taiji": 12, "tailits": 7, "battle-of-lits": 5, "tailits+taiji": 30, "taiji+battle-of-lits": 62}
"""The games, and the plies after which each is looked at; the double games in their second stage."""

OUTSIDE = """selectors => selectors.flatMap(selector => {
    const found = [...document.querySelectorAll(selector)];
    if (!found.length) return [selector + ' is missing'];
    return found.flatMap(element => {
        const {left, top, right, bottom} = element.getBoundingClientRect();
        if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
            return [`${selector} is outside: ${[left, top, right, bottom].map(Math.round)}`];
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return element.contains(hit) ? [] : [`${selector} is covered by ${hit?.className}`];
    });
})"""


def outside(user: PageUser, *selectors: str) -> list[str]:
    user.page.evaluate("scrollTo(0, 0)")
    found: list[str] = user.page.evaluate(OUTSIDE, selectors)
    return found


def refusal(state: State) -> tuple[str, str]:
    """Return a free cell and a covered one beside it."""
    names = state.board.names
    around = state.board.neighbours(Adjacency.EDGE)
    for cell in bits(state.covered):
        for other in bits(around[cell] & ~state.covered):
            return names(1 << other)[0], names(1 << cell)[0]
    raise AssertionError("no covered cell has a free neighbour")


class Table:
    """A game on the same device, and one move of it made in every way."""

    def __init__(self, user: PageUser, game: str) -> None:
        self.user = user
        hot_seat(game, GAMES[game])(user)
        mirror = Mirror(game)
        for action in random_actions(game, GAMES[game]):
            mirror.play(mirror.state.game.move(action))
        self.state, self.plies = mirror.state, mirror.plies
        move = mirror.choose()
        assert isinstance(move, Placement)
        self.move = move
        self.pair = move.kind == "taijitu"
        self.free, self.covered = refusal(self.state)
        user.wait_for_turn()
        self.cell = user.hold(self.state, move)
        user.page.keyboard.press("Escape")

    def squares(self) -> list[str]:
        """Return the squares to press: two for a pair, else the one under the held piece."""
        if not self.pair:
            return [self.cell]
        first = self.move.dark if self.state.colour_to_move else self.move.light
        return self.state.board.names(first) + self.state.board.names(self.move.cells & ~first)

    def refuse(self, how: str) -> None:
        user = self.user
        if how == "keyboard":
            user.surface.focus()
            user.go_to(self.state, self.covered)
        elif self.pair:
            press = user.tap if how == "touch" else user.click
            press(self.free)
            press(self.covered)
        elif how == "touch":
            user.tap(self.covered)
        else:
            user.hover(self.covered)
        expect(user.reason()).to_be_visible()

    def place(self, how: str) -> None:
        user = self.user
        if how == "keyboard":
            user.surface.focus()
            if self.pair:
                user.hold(self.state, self.move)
            else:
                user.go_to(self.state, self.cell)
            user.page.keyboard.press("Enter")
        else:
            press = user.tap if how == "touch" else user.click
            for square in self.squares() * (2 if how == "touch" and not self.pair else 1):
                press(square)
        user.expect_moves(self.plies + 1)

    def take_back(self) -> None:
        self.user.button("Take back").evaluate("button => button.click()")
        self.user.expect_moves(self.plies)


@pytest.mark.parametrize("game", GAMES)
def test_every_way_at_every_size(guest: Guests, game: str) -> None:
    user = guest(has_touch=True)
    table = Table(user, game)
    needed = [
        ".surface",
        ".strip",
        ".actions button",
        *([] if table.pair else [".tray .kind", ".hand .controls button"]),
    ]
    if game == "tailits":
        needed.append(".tray .face")
    failures = {}
    for width, height in SIZES:
        user.page.set_viewport_size({"width": width, "height": height})
        for how in ("mouse", "touch", "keyboard"):
            table.refuse(how)
            wrong = outside(user, *needed, ".reason.shown")
            assert user.page.locator(".strip").count() == 2
            user.page.keyboard.press("Escape")
            user.page.mouse.move(0, 0)
            table.place(how)
            wrong += outside(user, *needed)
            table.take_back()
            if wrong:
                failures[width, height, how] = wrong
        if table.pair:
            expect(user.page.locator(".hand .controls button", has_text="Turn")).to_have_count(0)
    assert not failures, failures
