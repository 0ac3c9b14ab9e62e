"""Against the computer: every game, hints, takebacks, levels, resignation, rematch, clocks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import Mirror, PageUser

GAMES = ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
TITLES = {
    "taiji": "TAIJI",
    "tailits": "TAILITS",
    "battle-of-lits": "Battle of LITS",
    "tailits+taiji": "TAILITS+TAIJI",
    "taiji+battle-of-lits": "TAIJI+Battle of LITS",
}


def start(user: PageUser, game: str, *, online: bool = False) -> None:
    """Fill in the form of a new game; `online` keeps the game on the server."""
    user.open("/new")
    form = user.page.get_by_role("form", name="New game")
    form.get_by_text(TITLES[game], exact=True).click()
    form.get_by_text("Light", exact=True).click()
    form.get_by_role("slider").fill("1")
    if online:
        form.get_by_text("Keep this game on the server").click()
    form.get_by_role("button", name="Play the computer").click()
    user.wait_for_turn()
    expect(user.page).to_have_url(re.compile("/game/" if online else "/local/"))


@pytest.mark.parametrize("game", GAMES)
def test_a_few_moves(user: PageUser, game: str) -> None:
    start(user, game)
    mirror = Mirror(game)
    for _ in range(2):
        mirror.follow(user.moves())
        user.place(mirror.state, mirror.choose())
        user.expect_moves(mirror.plies + 2)
        user.wait_for_turn()


@pytest.mark.parametrize("online", [False, True])
def test_hint_takeback_level_resign_and_rematch(user: PageUser, online: bool) -> None:
    start(user, "taiji", online=online)
    page = user.page
    user.button("Hint").click()
    expect(page.locator(".hint", has_text="Try ")).to_be_visible()
    expect(page.locator(".ghost.hint")).to_be_visible()
    mirror = Mirror("taiji")
    user.place(mirror.state, mirror.choose())
    user.expect_moves(2)
    user.wait_for_turn()
    expect(page.locator(".ghost.hint")).to_have_count(0)
    user.button("Take back").click()
    user.expect_moves(0)
    user.wait_for_turn()
    page.get_by_role("slider").fill("4")
    expect(page.get_by_text("Computer, level 4")).to_be_visible()
    user.button("Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    expect(page.locator(".surface.active")).to_be_visible()
    user.button("Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="You lost")).to_be_visible()
    address = page.url
    user.button("Rematch").click()
    expect(page).not_to_have_url(address)
    expect(page.locator(".surface")).to_be_visible()


def test_the_clock_runs(user: PageUser) -> None:
    user.open("/new")
    user.page.get_by_label("Clock").select_option("fischer")
    user.page.get_by_role("form").get_by_text("Light", exact=True).click()
    user.button("Play the computer").click()
    user.wait_for_turn()
    clocks = user.page.get_by_role("timer")
    expect(clocks).to_have_count(2)
    expect(clocks.first).to_have_text(re.compile(r"^[45]:\d\d$"))


def test_stepping_and_downloads(user: PageUser) -> None:
    start(user, "taiji", online=True)
    mirror = Mirror("taiji")
    user.place(mirror.state, mirror.choose())
    user.expect_moves(2)
    user.wait_for_turn()
    page = user.page
    pieces = page.locator(".surface .piece")
    expect(pieces).to_have_count(2)
    user.button("Go to start").click()
    expect(pieces).to_have_count(0)
    expect(page.locator(".surface.active")).to_have_count(0)
    user.button("Next move").click()
    expect(pieces).to_have_count(1)
    user.button("Go to latest position").click()
    user.wait_for_turn()
    page.get_by_text("Share and download").click()
    expect(page.get_by_alt_text("QR code of the link")).to_be_visible()
    for name in ("Record (.tji)", "Picture (SVG)", "Picture (PNG)", "Animated GIF"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.path().stat().st_size > 100
