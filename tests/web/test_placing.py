"""Ways to place a piece: drag, wheel, two fingers, premoves; and what happens when one goes wrong."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.browser import PageUser
from tests.web.conftest import Guests
from tests.web.places import new_table
from tests.web.test_hot_seat import PHONE, begin
from tests.web.test_online import accept


def ghost(user: PageUser) -> str | None:
    return user.page.locator(".ghost .body").get_attribute("d")


def drag(user: PageUser, kind: str, cell: str) -> None:
    """Drag a shape from the tray to a cell, without letting go."""
    box = user.page.get_by_role("radio", name=re.compile(f"^{kind}:")).bounding_box()
    assert box is not None
    user.page.mouse.move(box["x"] + 20, box["y"] + 20)
    user.page.mouse.down()
    user.page.mouse.move(*user.point(cell), steps=5)


def test_drag_wheel_keys_and_help(user: PageUser) -> None:
    begin(user, "tailits")
    drag(user, "T", "f6")
    expect(user.page.locator(".ghost:not(.bad)")).to_be_visible()
    user.page.mouse.up()
    user.expect_moves(1)
    drag(user, "I", "a1")
    user.page.mouse.up()
    user.expect_moves(1)
    expect(user.reason()).to_have_text("It touches no piece on the board.")
    shapes = [ghost(user)]
    user.page.mouse.wheel(0, 120)
    expect(user.page.locator(".ghost .body")).not_to_have_attribute("d", str(shapes[0]))
    user.page.mouse.click(*user.point("a1"), button="right")
    expect(user.page.locator(".ghost .body")).to_have_attribute("d", str(shapes[0]))
    user.page.keyboard.press("ArrowLeft")
    expect(user.page.locator(".surface .piece")).to_have_count(0)
    user.page.keyboard.press("ArrowRight")
    user.page.keyboard.press("?")
    expect(user.page.get_by_role("dialog", name="Shortcuts")).to_be_visible()
    user.page.keyboard.press("Escape")
    expect(user.page.get_by_role("dialog")).to_have_count(0)


def test_two_fingers_turn(guest: Guests) -> None:
    user = guest(**PHONE)
    begin(user, "tailits")
    client = user.context.new_cdp_session(user.page)
    x, y = user.point("f6")

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(at)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x, y))
    before = ghost(user)
    touch("touchStart", (x, y), (x + 60, y))
    touch("touchMove", (x, y), (x + 40, y + 45))
    touch("touchMove", (x, y), (x, y + 60))
    touch("touchEnd", (x, y))
    touch("touchEnd")
    expect(user.page.locator(".ghost.fixed .body")).not_to_have_attribute("d", str(before))
    user.tap("f6")  # the second tap places it
    user.expect_moves(1)


def test_premoves_and_a_connection_lost_in_a_drag(guest: Guests) -> None:
    host, friend = guest(), guest()
    sockets = host.watch_sockets()
    host.open(new_table(host, game="taiji:size=5", opponent="link", colour="light", match=False))
    accept(host, friend)
    host.wait_for_turn()
    premove = friend.page.locator(".ghost.premove")
    friend.slide("d4", "d5")
    expect(premove).to_be_visible()
    friend.page.keyboard.press("Escape")
    expect(premove).to_have_count(0)
    friend.slide("d4", "d5")
    host.slide("a1", "a2")
    for one in (host, friend):
        one.expect_moves(2)
    friend.slide("b1", "b2")
    expect(premove).to_be_visible()
    host.slide("b2", "c2")  # takes a square of the premove
    for one in (host, friend):
        one.expect_moves(3)
    expect(friend.reason()).to_have_text("b2 is already covered.")
    expect(premove).to_have_count(0)
    friend.slide("e1", "e2")
    host.expect_moves(4)
    host.wait_for_turn()
    host.page.mouse.move(*host.point("c4"))
    host.page.mouse.down()
    sockets[-1].close(code=1011, reason="dropped")
    expect(host.reason()).to_contain_text("Connection lost")
    host.page.mouse.move(*host.point("c5"), steps=3)
    host.page.mouse.up()
    host.wait_for_turn()  # the connection is back
    host.expect_moves(4)
    host.slide("c4", "c5")
    friend.expect_moves(5)
