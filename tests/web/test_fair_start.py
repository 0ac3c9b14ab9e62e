"""Fair starts in the browser: chosen in the form, played with their buttons, told in strips and results."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser import Mirror, PageUser


def play_on(user: PageUser, mirror: Mirror) -> None:
    """Play to the end of the game without another swap."""
    while not mirror.state.is_over:
        move = mirror.choose()
        user.place(mirror.state, move)
        mirror.play(move)
        user.expect_moves(mirror.plies)


def test_komi_by_cut_and_choose(user: PageUser) -> None:
    game = "taiji:size=3,komi=choose"
    user.open(f"/one-screen?game={game}")
    page, mirror = user.page, Mirror(game)
    naming = page.get_by_role("group", name="Name the komi")
    expect(naming).to_be_visible()
    expect(page.locator(".line")).to_contain_text("Name points for Light")
    for _ in range(4):
        naming.get_by_role("button", name="More").click()
    naming.get_by_role("button", name="Less").click()
    naming.get_by_role("button", name="Name komi 1.5").click()
    mirror.play(mirror.state.parse("komi=1.5"))
    user.expect_moves(1)
    assert user.moves() == ["komi 1.5"]
    expect(page.locator(".line")).to_contain_text("Komi 1.5 for Light: place a piece to play Light")
    expect(page.locator(".strip").filter(has_text="komi 1.5")).to_have_count(1)
    user.button("Swap: play Dark").click()
    mirror.play(mirror.state.parse("swap"))
    user.expect_moves(2)
    play_on(user, mirror)
    first, second = mirror.state.scores()
    expect(page.get_by_text(re.compile("with a komi of 1.5"))).to_be_visible()
    assert {f"{first:g}", f"{second:g}"} == set(page.locator(".points").all_inner_texts())


@pytest.mark.parametrize("pie", [1, 3])
def test_a_swap_after_the_moves_that_were_agreed(user: PageUser, pie: int) -> None:
    game = f"taiji:size=4,pie={pie}"
    user.open(f"/one-screen?game={game}")
    user.wait_for_turn()
    mirror = Mirror(game)
    swap = user.button("Swap: play Light")
    for _ in range(pie):
        expect(swap).to_have_count(0)
        move = mirror.choose()
        user.place(mirror.state, move)
        mirror.play(move)
        user.expect_moves(mirror.plies)
    swap.click()
    mirror.play(mirror.state.parse("swap"))
    user.expect_moves(mirror.plies)
    assert mirror.state.swapped
    expect(swap).to_have_count(0)
    play_on(user, mirror)


def test_the_form_offers_a_fair_start_and_says_why(user: PageUser) -> None:
    user.open("/?mode=local&game=taiji:size=7&match=0")
    page = user.page
    page.get_by_text("Fair start: As in the rulebook").click()
    group = page.get_by_role("group", name="Fair start", exact=True)
    expect(group).to_contain_text("one colour wins more often")
    group.get_by_text("Komi", exact=True).click()
    group.get_by_label("Komi, in points").fill("1")
    group.get_by_label("Komi, in points").blur()
    group.get_by_label("A tie").select_option("draw")
    user.button("Play on this device").click()
    page.wait_for_url("**/local/**")
    user.wait_for_turn()
    expect(page.locator(".strip").filter(has_text="komi 1")).to_have_count(1)


def test_a_balanced_opening_is_drawn(user: PageUser) -> None:
    user.open("/?mode=local&game=taiji&match=0")
    page = user.page
    page.get_by_text("Fair start: As in the rulebook").click()
    group = page.get_by_role("group", name="Fair start", exact=True)
    group.get_by_text("Balanced opening", exact=True).click()
    expect(group).to_contain_text(re.compile(r"Opening \d+"))
    group.get_by_role("button", name="Draw another").click()
    user.button("Play on this device").click()
    page.wait_for_url("**/local/**")
    user.wait_for_turn()
    expect(page.get_by_text(re.compile(r"Opening \d+")).first).to_be_visible()
    expect(page.locator(".moves button")).to_have_count(0)
    expect(page.locator(".points")).not_to_have_text(["0", "0"])


def test_a_game_with_its_own_swap_offers_no_other(user: PageUser) -> None:
    user.open("/?mode=local&game=battle-of-lits&match=0")
    user.page.get_by_text("Fair start: As in the rulebook").click()
    group = user.page.get_by_role("group", name="Fair start", exact=True)
    expect(group).to_contain_text("Komi")
    for other in ("Cut and choose", "Swap after move 1", "Balanced opening"):
        expect(group.get_by_text(other, exact=True)).to_have_count(0)


def test_the_computer_names_and_takes(user: PageUser) -> None:
    """The engine in the page plays a game in which the komi is named."""
    user.open("/?mode=computer&game=taiji:size=5,komi=choose&level=3&colour=light")
    user.button("Play the computer").click()
    user.page.wait_for_url("**/local/**")
    user.expect_moves(1)
    assert user.moves()[0].startswith("komi ")
