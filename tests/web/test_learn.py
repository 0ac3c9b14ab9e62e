"""The rules pages: the goal of every lesson can be reached."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser import Person


def lesson(person: Person, game: str, title: str) -> None:
    person.open(f"/learn/{game}")
    person.page.get_by_role("navigation", name="Lessons").get_by_role("button", name=title).click()
    person.wait_for_turn()


def test_every_game_has_a_page(person: Person) -> None:
    person.open("/learn")
    cards = person.page.locator("main li a")
    expect(cards).to_have_count(5)
    for path in [cards.nth(index).get_attribute("href") for index in range(5)]:
        person.open(str(path))
        expect(person.page.get_by_role("heading", name="Rules in brief")).to_be_visible()
        expect(person.page.locator(".surface.active")).to_be_visible()


def test_taiji(person: Person) -> None:
    lesson(person, "taiji", "Lay a taijitu")
    person.slide("b2", "c2")
    expect(person.page.get_by_text("That is a whole turn.")).to_be_visible()
    person.button("Next").click()
    expect(person.page.get_by_role("heading", name="Groups")).to_be_visible()
    lesson(person, "taiji", "Free squares only")
    person.slide("a2", "b2")
    expect(person.page.get_by_text("Covered squares stay covered")).to_be_visible()
    lesson(person, "taiji", "The end")
    person.slide("b2", "b3")
    expect(person.page.get_by_text("the game is over", exact=False).first).to_be_visible()


TRIED = (
    ("tailits", "Begin in the centre", "L", "b2", "The first piece covers the centre."),
    ("tailits", "Stay together", "I", "c2", "every piece shares an edge"),
    ("tailits", "Same shapes apart", "L", "f4", "The same shape may not touch"),
    ("battle-of-lits", "Same shapes apart", "L", "f3", "Same shapes never touch"),
    ("battle-of-lits", "Cover symbols", "T", "e5", "The symbols under the piece no longer count."),
)


@pytest.mark.parametrize(("game", "title", "kind", "cell", "done"), TRIED)
def test_trying_a_rule(person: Person, game: str, title: str, kind: str, cell: str, done: str) -> None:
    lesson(person, game, title)
    person.page.get_by_role("radio", name=f"{kind}:").click()
    person.click(cell)
    expect(person.page.get_by_text(done, exact=False)).to_be_visible()


def test_the_swaps(person: Person) -> None:
    for game in ("battle-of-lits", "taiji+battle-of-lits"):
        lesson(person, game, "The swap")
        person.page.get_by_role("button", name="Swap: play").click()
        expect(person.page.locator(".done")).to_be_visible()
