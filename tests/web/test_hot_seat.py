"""Play on the same device: every game, by mouse, touch and keyboard, and offline."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from taiji.rules import Placement
from tests.server.running import Running
from tests.web.browser import Mirror, PageUser, visiting
from tests.web.conftest import Guests
from tests.web.game_places import hot_seat, random_actions
from tests.web.places import new_table

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def begin(user: PageUser, game: str, *, match: bool = False) -> Mirror:
    user.open(f"/one-screen?game={game.replace('+', '%2B')}{'&match=1' if match else ''}")
    user.wait_for_turn()
    return Mirror(game)


def play(user: PageUser, mirror: Mirror, *, swap: bool = False) -> None:
    move = mirror.choose(swap=swap)
    user.place(mirror.state, move)
    mirror.play(move)
    user.expect_moves(mirror.plies)


@pytest.mark.parametrize(
    "game", ["tailits", "battle-of-lits:size=6", "taiji+battle-of-lits:size=3", "taiji:diagonal=yes"]
)
def test_some_moves_of_every_game(user: PageUser, game: str) -> None:
    mirror = begin(user, game)
    for _ in range(4):
        play(user, mirror)
        if mirror.state.is_over:
            break


def test_a_double_game_to_its_end(user: PageUser) -> None:
    mirror = begin(user, "taiji+battle-of-lits:size=4")
    while not mirror.state.is_over:
        play(user, mirror, swap=True)
    totals = [f"{points:g}" for points in mirror.state.scores()]
    expect(user.page.locator(".points")).to_have_text(totals[::-1])


def test_from_one_stage_to_the_next(user: PageUser) -> None:
    game = "tailits+taiji"
    moves = random_actions(game, 200)
    mirror = Mirror(game)
    states = [mirror.state]
    for action in moves:
        states.append(states[-1].play(mirror.state.game.move(action)))
    last_below = next(ply for ply, state in enumerate(states) if state.stage_index == 1) - 1
    hot_seat(game, last_below)(user)
    mirror.state, mirror.plies = states[last_below], last_below
    user.wait_for_turn()
    move = mirror.state.game.move(moves[last_below])
    user.place(mirror.state, move)
    mirror.play(move)
    user.expect_moves(mirror.plies)
    assert mirror.state.stage_index == 1
    expect(user.page.locator(".plateau")).to_be_visible()
    uneven = next(
        footprint
        for footprint in mirror.state.game.layouts[1].footprints
        if (reason := mirror.state.footprint_illegal_reason(footprint)) and reason.code == "not-level"
    )
    start, end = mirror.state.board.names(uneven.cells)
    user.slide(start, end)
    expect(user.reason()).to_contain_text("would hang over the step")
    user.page.keyboard.press("Escape")
    play(user, mirror)


def test_a_whole_match_with_its_totals(user: PageUser) -> None:
    mirror = begin(user, "taiji:size=3", match=True)
    page = user.page
    while not mirror.state.is_over:
        play(user, mirror)
    outcome = mirror.state.outcome()
    assert outcome is not None
    expect(page.get_by_role("heading", name=re.compile("wins|draw"))).to_be_visible()
    first = [str(points) for points in mirror.state.scores()]
    expect(page.locator(".points")).to_have_text(first[::-1])
    page.reload()  # the game is saved in the browser
    user.expect_moves(mirror.plies)
    user.button("Second game, colours exchanged").click()
    second = Mirror("taiji:size=3", seed=5)
    while not second.state.is_over:
        play(user, second)
    totals = [
        mirror.state.scores()[0] + second.state.scores()[1],
        mirror.state.scores()[1] + second.state.scores()[0],
    ]
    expect(page.get_by_text(f"{totals[0]} : {totals[1]}").first).to_be_visible()


def test_only_the_keyboard(user: PageUser) -> None:
    mirror = begin(user, "taiji:size=3")
    user.surface.focus()
    while not mirror.state.is_over:
        move = mirror.choose()
        assert isinstance(move, Placement)
        user.place_by_keyboard(mirror.state, move)
        mirror.play(move)
        user.expect_moves(mirror.plies)
    expect(user.page.get_by_role("heading", name=re.compile("wins"))).to_be_visible()


def test_the_keyboard_says_why_not(user: PageUser) -> None:
    mirror = begin(user, "tailits")
    user.surface.focus()
    user.go_to(mirror.state, "a1")
    expect(user.announcement()).to_contain_text("The first piece must cover the centre, f6.")
    user.page.keyboard.press("Enter")
    user.expect_moves(0)


def test_the_swap_is_a_clear_choice(user: PageUser) -> None:
    mirror = begin(user, "battle-of-lits")
    play(user, mirror)
    expect(user.page.get_by_role("group", name="Swap colours or play on")).to_be_visible()
    play(user, mirror, swap=True)
    assert user.moves()[-1] == "swap"
    expect(user.page.get_by_role("group", name="Swap colours or play on")).to_have_count(0)
    expect(user.page.get_by_text("O · to move")).to_be_visible()


def test_reasons_are_shown_where_they_arise(user: PageUser) -> None:
    begin(user, "tailits")
    user.hover("b2")
    expect(user.reason()).to_have_text("The first piece must cover the centre, f6.")
    expect(user.page.locator(".violation")).to_have_count(1)
    user.click("b2")
    user.expect_moves(0)
    user.hover("f6")
    expect(user.reason()).to_have_count(0)
    user.click("f6")
    user.expect_moves(1)
    user.hover("a1")
    expect(user.reason()).to_have_text("It touches no piece on the board.")


def test_the_tray_turns_and_flips(user: PageUser) -> None:
    begin(user, "tailits")
    page = user.page
    page.get_by_role("radio", name="T: 6 left").click()
    page.get_by_role("radio", name=re.compile("^light dark light dark")).click()
    user.hover("f6")
    path = page.locator(".ghost .body")
    before = path.get_attribute("d")
    user.button("Turn").click()
    user.hover("f6")
    turned = path.get_attribute("d")
    page.keyboard.press("Tab")
    user.button("Flip").click()
    user.hover("f6")
    assert before != turned
    user.click("f6")
    user.expect_moves(1)
    expect(page.get_by_role("radio", name="T: 5 left")).to_be_visible()


def test_confirmation(user: PageUser) -> None:
    user.settings(confirm=True)
    begin(user, "taiji:size=5")
    user.slide("b2", "b3")
    user.expect_moves(0)
    user.button("Place").click()
    user.expect_moves(1)
    user.slide("d2", "d3")
    user.click("d3")  # a second press on the piece
    user.expect_moves(2)


def test_scoring_groups_and_the_group_under_the_pointer(user: PageUser) -> None:
    begin(user, "taiji:size=5")
    for number, (start, end) in enumerate((("b2", "b3"), ("c2", "c3"), ("b4", "b5"))):
        user.slide(start, end)
        user.expect_moves(number + 1)
    page = user.page
    expect(page.locator(".badge")).to_have_count(2)
    expect(page.locator(".last")).to_have_count(1)
    user.hover("b5")
    expect(page.locator(".group.hovered")).to_have_count(1)


def test_with_a_finger(guest: Guests) -> None:
    user = guest(**PHONE)
    begin(user, "taiji:size=7")
    user.tap("d4")
    user.tap("d5")
    user.expect_moves(1)
    user.tap("b2")
    user.tap("b2")  # turns the pair
    user.tap("b1")
    user.expect_moves(2)
    slide_with_a_finger(user, "f2", "f3")
    user.expect_moves(3)


def test_a_tetromino_with_a_finger(guest: Guests) -> None:
    user = guest(**PHONE)
    begin(user, "tailits")
    user.page.get_by_role("radio", name="I: 6 left").tap()
    user.tap("f6")  # the ghost is fixed under the finger
    user.expect_moves(0)
    user.tap("f6")
    user.expect_moves(1)
    user.tap("b2")
    expect(user.reason()).to_be_visible()
    expect(user.button("Place")).to_be_disabled()


def slide_with_a_finger(user: PageUser, start: str, end: str) -> None:
    client = user.context.new_cdp_session(user.page)
    (x, y), (to_x, to_y) = user.point(start), user.point(end)
    steps = [("touchStart", x, y), ("touchMove", (x + to_x) / 2, (y + to_y) / 2), ("touchMove", to_x, to_y)]
    for kind, at_x, at_y in steps:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at_x, "y": at_y}]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_without_a_network(browser: Browser, site: Running) -> None:
    with visiting(browser, site.url, service_workers="allow") as user:
        user.open("/")
        user.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        user.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket", "Failed to load"]
        user.context.set_offline(True)
        for game in ("tailits", "taiji:size=7"):
            mirror = begin(user, game)
            play(user, mirror)
            play(user, mirror)
        user.page.reload()
        user.expect_moves(2)
        user.context.set_offline(False)


def test_a_move_is_kept_although_the_page_is_left_at_once(user: PageUser) -> None:
    mirror = begin(user, "taiji:size=7")
    for moves in range(1, 7):
        play(user, mirror)
        user.page.reload()
        user.expect_moves(moves)


def test_an_unknown_rule_is_refused_by_name(user: PageUser) -> None:
    def invent(route: Route) -> None:
        definition = route.fetch().json()
        definition["program"]["stages"][0]["score"]["fold"] = "invented"
        route.fulfill(json=definition)

    user.page.route("**/api/game-definition*", invent)
    message = "This page does not know a rule of this game: page does not support the rule"
    user.open("/one-screen?game=taiji:size=5")
    expect(user.page.get_by_role("alert")).to_contain_text(message)
    expect(user.surface).to_have_count(0)
    user.open(new_table(user, game="taiji:size=5", opponent="link"))
    expect(user.page.get_by_role("alert")).to_contain_text("fold invented")
    expect(user.surface).to_have_count(0)
