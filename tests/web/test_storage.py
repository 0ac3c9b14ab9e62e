"""Games kept in the browser: storage that is full or forbidden, resuming, the list."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import Mirror, PageUser
from tests.web.quick import place

FORBIDDEN = (
    "Object.defineProperty(window, 'indexedDB', {get() { throw new DOMException('no', 'SecurityError'); }})"
)
FULL = """IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }"""
GAME = "taiji:size=3"


def play_out(user: PageUser, mirror: Mirror) -> None:
    """Play to the end on one screen."""
    while not mirror.state.is_over:
        move = mirror.choose()
        place(user, mirror.state, move)
        mirror.play(move)
        user.expect_moves(mirror.plies)


@pytest.mark.parametrize(
    ("fault", "words"), [(FORBIDDEN, "does not let the page keep games"), (FULL, "storage is full")]
)
def test_without_storage_play_goes_on_and_nothing_is_lost(user: PageUser, fault: str, words: str) -> None:
    page = user.page
    user.context.add_init_script(fault)
    user.open(f"/one-screen?game={GAME}")
    user.wait_for_turn()
    notices = page.locator(".notices p")
    expect(notices).to_have_count(1)
    expect(notices).to_contain_text(words)
    notices.get_by_role("button", name="Close").click()
    mirror = Mirror(GAME)
    place(user, mirror.state, move := mirror.choose())
    mirror.play(move)
    user.expect_moves(1)
    # Another screen and back: the game is still there, and nothing is said again.
    page.get_by_role("link", name="Games", exact=True).click()
    page.get_by_role("link", name=re.compile("TAIJI 3×3")).click()
    user.expect_moves(1)
    play_out(user, mirror)
    expect(page.get_by_role("heading", name=re.compile("wins|draw"))).to_be_visible()
    expect(notices).to_have_count(0)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    assert asked == ["beforeunload"]


def test_games_are_resumed_listed_and_deleted(user: PageUser) -> None:
    page = user.page
    for moves in (1, 2):
        user.open(f"/one-screen?game={GAME}")
        user.wait_for_turn()
        mirror = Mirror(GAME)
        for _ in range(moves):
            place(user, mirror.state, move := mirror.choose())
            mirror.play(move)
            user.expect_moves(mirror.plies)
    user.open("/")
    page.get_by_role("link", name="Resume the game on this device").click()
    user.expect_moves(2)
    user.open("/games")
    listed = page.get_by_role("listitem").filter(has_text="TAIJI 3×3")
    expect(listed).to_have_count(2)
    listed.first.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(listed).to_have_count(1)
    listed.get_by_role("link").click()
    user.expect_moves(1)
