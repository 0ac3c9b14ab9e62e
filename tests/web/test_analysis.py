"""The analysis board: lines, evaluation, editor, import and export, by mouse, touch and keyboard."""

from __future__ import annotations

import re
from urllib.parse import quote

from playwright.sync_api import expect

from taiji.rules import parse_game
from tests.server.running import Running, Visitor
from tests.waiting import wait_until
from tests.web.browser import PageUser
from tests.web.conftest import Guests
from tests.web.test_hot_seat import PHONE

POSITION = "tji1 taiji:size=4 b2/b3,c3/c2,a1/b1 dark -"


def begin(user: PageUser, query: str = "game=taiji:size=4") -> None:
    # A search of the page before may still go on; the page asks again.
    user.expected.append("status of 429")
    user.open(f"/analysis?{query}")
    expect(user.surface).to_be_visible()


def shown_pieces(user: PageUser, count: int) -> None:
    expect(user.page.locator(".surface .piece:not(.ghost .piece)")).to_have_count(count)


def copied(user: PageUser, button: str) -> str:
    user.button(button).click()
    text: str = user.page.evaluate("navigator.clipboard.readText()")
    return text


def test_lines_by_mouse(guest: Guests) -> None:
    """Play both sides, branch, comment, mark, promote, delete, undo, export, and open the link."""
    user = guest(permissions=["clipboard-read", "clipboard-write"])
    page = user.page
    begin(user)
    for first, second in (("a1", "a2"), ("b2", "b1"), ("c1", "c2")):
        user.click(first)
        user.click(second)
    user.expect_moves(3)
    user.button("Previous move").click()
    user.click("d1")
    user.click("d2")
    user.expect_moves(4)
    expect(page.locator(".variation button")).to_have_text(["d1/d2"])
    user.button("Good move").click()
    page.get_by_label("Comment on this position").fill("holds the edge")
    user.button("Promote").click()
    expect(page.locator(".variation button")).to_have_text(["c1/c2"])
    page.get_by_text("Import and export").click()
    record = copied(user, "Copy record")
    assert "2. d1/d2! {holds the edge} (2. c1/c2) *" in record
    assert copied(user, "Copy position") == "tji1 taiji:size=4 a1/a2,b1/b2,d1/d2 dark -"
    link = copied(user, "Copy link")
    page.locator(".variation button").click()
    user.button("Delete").click()
    expect(page.locator(".variation button")).to_have_count(0)
    user.button("Undo").click()
    expect(page.locator(".variation button")).to_have_text(["c1/c2"])
    page.reload()
    user.expect_moves(4)
    page.goto(link)
    expect(page.locator(".moves .comment")).to_have_text("holds the edge")


def test_evaluation_by_keyboard(user: PageUser) -> None:
    """Lines sorted by value, the best as a ghost; all of it without a mouse."""
    page = user.page
    begin(user, "game=taiji:size=7")
    expect(page.locator(".ghost.hint")).to_be_visible()
    lines = page.get_by_role("button", name="Line ")
    expect(lines.first).to_be_visible()
    expect(page.locator(".engine [aria-live]")).to_contain_text("Best move:")
    shown = [text.split()[-1] for text in page.locator("button.line b").all_inner_texts()]
    values = [float(text.strip("<> %").replace("–", "-1")) for text in shown]
    assert values == sorted(values, reverse=True)
    lines.first.focus()
    page.keyboard.press("Enter")
    user.expect_moves(1)
    page.keyboard.press("ArrowLeft")
    lines.nth(1).focus()
    page.keyboard.press("Enter")
    user.expect_moves(2)
    shown_pieces(user, 1)
    page.keyboard.press("ArrowUp")
    current = page.locator(".moves button[aria-current]")
    expect(current).to_have_text(page.locator(".moves button").first.inner_text())
    page.keyboard.press("Delete")
    user.expect_moves(1)
    page.keyboard.press("Control+z")
    user.expect_moves(2)
    page.keyboard.press("Home")
    shown_pieces(user, 0)
    page.get_by_text("Opening explorer").press("Enter")
    page.locator(".explorer tbody button").first.press("Enter")
    shown_pieces(user, 1)
    user.button("Evaluation").press("Enter")
    expect(page.locator(".ghost.hint")).to_have_count(0)


def test_editor_by_touch(guest: Guests) -> None:
    """Set up a position with the eraser; an impossible one says why and is not analysed."""
    user = guest(**PHONE)
    page = user.page
    begin(user, f"position={quote(POSITION)}")
    user.button("Set up position").tap()
    page.get_by_text("Eraser", exact=True).tap()
    user.tap("c3")
    shown_pieces(user, 2)
    page.get_by_text("Dark", exact=True).last.tap()
    expect(page.locator(".verdict")).to_contain_text("With 2 pieces it is Light's turn")
    expect(user.button("Analyse this position")).to_be_disabled()
    page.get_by_text("By the pieces").tap()
    expect(page.locator(".verdict")).to_have_text("This position can occur.")
    user.button("Analyse this position").tap()
    shown_pieces(user, 2)
    expect(page.locator(".moves")).to_contain_text("No move yet")


def test_an_impossible_position_says_why(user: PageUser) -> None:
    page = user.page
    begin(user, "game=battle-of-lits:size=5")
    user.button("Set up position").click()
    page.get_by_text("Draw X").click()
    expect(user.button("Turn")).to_have_count(0)
    user.click("a1")
    expect(page.locator(".highlight")).to_be_visible()
    expect(page.locator(".ghost")).to_have_count(0)
    page.get_by_text("Draw O").click()
    user.click("e5")
    page.get_by_text("Pieces", exact=True).click()
    user.surface.focus()
    for key in ("i", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    shown_pieces(user, 1)
    expect(page.get_by_role("button", name=re.compile("^Swap"))).to_have_count(0)
    expect(page.locator(".verdict")).to_have_text("This position can occur.")
    user.go_to(parse_game("battle-of-lits:size=5").start(), "a1")
    page.keyboard.press("Enter")
    shown_pieces(user, 2)
    expect(page.locator(".verdict.bad")).to_contain_text("No game leads to this position.")
    expect(user.button("Analyse this position")).to_be_disabled()
    page.get_by_text("Eraser", exact=True).click()
    user.click("a1")
    user.button("Analyse this position").click()
    expect(page.locator(".verdict")).to_have_count(0)
    page.get_by_text("Import and export").click()
    page.get_by_label("A record or a position").fill("tji1 taiji:size=4 b2/b3,b3/c3 light -")
    user.button("Open").click()
    expect(page.get_by_role("alert")).to_have_text("No game leads to this position. b3 is already covered.")


def test_a_stage_begins_when_the_one_before_has_ended(user: PageUser) -> None:
    begin(user, "game=tailits%2Btaiji")
    user.button("Set up position").click()
    verdict = user.page.locator(".verdict")
    expect(verdict).to_have_text("This position can occur.")
    user.page.locator(".chip", has_text="2.").click()
    expect(verdict).to_contain_text("No game leads to this position.")
    expect(user.button("Analyse this position")).to_be_disabled()


def test_the_explorer_shows_games_of_this_server(user: PageUser, site: Running) -> None:
    """A public game that has ended is among the openings; its moves can be played on the board."""
    ada, bob = Visitor(site.url), Visitor(site.url)
    table = ada.table(game="taiji:size=2", opponent="open", colour="light", match=False)
    bob.post(f"/api/tables/{table['id']}/join")
    ada.act(table["id"], "move", ply=0, move="a1/a2")
    bob.act(table["id"], "move", ply=1, move="b2/b1")
    begin(user, "game=taiji:size=2")
    user.page.get_by_text("Opening explorer").click()

    def count() -> str:
        user.page.get_by_text("Engine games").click()
        user.page.get_by_text("Games on this server").click()
        return user.page.locator(".explorer").inner_text()

    wait_until(lambda: "1 of 1 games" in count(), "the game is not counted")
    user.page.locator(".explorer tbody button").click()
    shown_pieces(user, 1)
    expect(user.page.locator(".explorer tbody td").first).to_have_text("1")
