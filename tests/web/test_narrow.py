"""On a phone the board fills the width, and the controls need no scrolling."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Guests
from tests.web.places import visit

WIDTH, HEIGHT = 390, 844


def test_the_board_fills_the_width_and_the_hand_is_in_reach(guest: Guests) -> None:
    user = guest(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    for name in ("tailits", "taiji-11"):
        visit(user, name)
        board = user.surface.bounding_box()
        assert board is not None
        assert board["width"] >= WIDTH - 2 * 12
        for label in ("Turn", "Flip", "Place"):
            if name == "taiji-11":
                expect(user.button(label)).to_have_count(0)
                continue
            button = user.button(label).bounding_box()
            assert button is not None
            assert button["y"] + button["height"] <= HEIGHT
            assert button["height"] >= 44


def test_the_first_button_needs_no_scrolling(guest: Guests) -> None:
    user = guest(viewport={"width": WIDTH, "height": HEIGHT})
    user.open("/")
    expect(user.button("Play now")).to_be_in_viewport()
