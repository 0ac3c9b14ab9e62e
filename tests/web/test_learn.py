"""The rules pages: the goal of every lesson can be reached."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser import PageUser
from tests.web.conftest import Guests


def lesson(user: PageUser, game: str, title: str) -> None:
    user.open(f"/learn/{game}")
    user.page.get_by_role("navigation", name="Lessons").get_by_role("button", name=title).click()
    user.wait_for_turn()


def test_every_game_has_a_page(user: PageUser) -> None:
    user.open("/learn")
    cards = user.page.locator("main li a")
    expect(cards).to_have_count(5)
    for path in [cards.nth(index).get_attribute("href") for index in range(5)]:
        user.open(str(path))
        expect(user.page.get_by_role("heading", name="Rules in brief")).to_be_visible()
        expect(user.page.locator(".surface.active")).to_be_visible()


def test_taiji(user: PageUser) -> None:
    lesson(user, "taiji", "Lay a taijitu")
    user.slide("b2", "c2")
    expect(user.page.get_by_text("That is a whole turn.")).to_be_visible()
    user.button("Next").click()
    expect(user.page.get_by_role("heading", name="Groups")).to_be_visible()
    lesson(user, "taiji", "Free squares only")
    user.slide("a2", "b2")
    expect(user.page.get_by_text("Covered squares stay covered")).to_be_visible()
    lesson(user, "taiji", "The end")
    user.slide("b2", "b3")
    expect(user.page.get_by_text("the game is over", exact=False).first).to_be_visible()


TRIED = (
    ("tailits", "Begin in the centre", "L", "b2", "The first piece covers the centre."),
    ("tailits", "Stay together", "I", "c2", "every piece shares an edge"),
    ("tailits", "Same shapes apart", "L", "f4", "The same shape may not touch"),
    ("battle-of-lits", "Same shapes apart", "L", "f3", "Same shapes never touch"),
    ("battle-of-lits", "Cover symbols", "T", "e5", "The symbols under the piece no longer count."),
)


@pytest.mark.parametrize(("game", "title", "kind", "cell", "done"), TRIED)
def test_trying_a_rule(user: PageUser, game: str, title: str, kind: str, cell: str, done: str) -> None:
    lesson(user, game, title)
    user.page.get_by_role("radio", name=f"{kind}:").click()
    user.click(cell)
    expect(user.page.get_by_text(done, exact=False)).to_be_visible()


PARTS = (".surface", ".task", ".kinds", "text=Place")
"""What a lesson needs on the screen; games of pairs have neither a tray nor its buttons."""


def fits(user: PageUser) -> list[str]:
    """Return the parts of a lesson that are not inside the window."""
    size = user.page.viewport_size
    assert size is not None
    outside = []
    for part in PARTS:
        shown = user.page.locator(f"{part}:visible")
        box = shown.first.bounding_box() if shown.count() else None
        if box is None:
            continue
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        if min(box["x"], box["y"]) < 0 or right > size["width"] + 1 or bottom > size["height"] + 1:
            outside.append(f"{part} {box}")
    return outside


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_lessons_on_a_phone(guest: Guests, width: int, height: int) -> None:
    user = guest(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    for game in ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits"):
        user.open(f"/learn/{game}")
        user.wait_for_turn()
        assert fits(user) == [], game
    lesson(user, "tailits", "Begin in the centre")
    user.tap("b2")
    expect(user.page.locator(".task")).to_contain_text("The first piece covers the centre.")
    assert fits(user) == []
    user.button("Next").click()
    expect(user.page.locator(".task")).to_contain_text("Each further piece must share an edge")


def test_the_swaps(user: PageUser) -> None:
    for game in ("battle-of-lits", "taiji+battle-of-lits"):
        lesson(user, game, "The swap")
        user.page.get_by_role("button", name="Swap: play").click()
        expect(user.page.locator(".done")).to_be_visible()
