"""Play on the same device: every game, by mouse, touch and keyboard, and offline."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from taiji.rules import Placement
from tests.server.running import Running
from tests.web.browser import Mirror, Person, visiting
from tests.web.conftest import Guests
from tests.web.places import hot_seat, new_table, random_actions

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def begin(person: Person, game: str, *, match: bool = False) -> Mirror:
    person.open(f"/one-screen?game={game.replace('+', '%2B')}{'&match=1' if match else ''}")
    person.wait_for_turn()
    return Mirror(game)


def play(person: Person, mirror: Mirror, *, swap: bool = False) -> None:
    move = mirror.choose(swap=swap)
    person.lay(mirror.state, move)
    mirror.play(move)
    person.expect_moves(mirror.plies)


@pytest.mark.parametrize(
    "game", ["tailits", "battle-of-lits:size=6", "taiji+battle-of-lits:size=3", "taiji:diagonal=yes"]
)
def test_some_moves_of_every_game(person: Person, game: str) -> None:
    mirror = begin(person, game)
    for _ in range(4):
        play(person, mirror)
        if mirror.state.is_over:
            break


def test_a_double_game_to_its_end(person: Person) -> None:
    mirror = begin(person, "taiji+battle-of-lits:size=4")
    while not mirror.state.is_over:
        play(person, mirror, swap=True)
    totals = [f"{points:g}" for points in mirror.state.scores()]
    expect(person.page.locator(".points")).to_have_text(totals[::-1])


def test_from_one_stage_to_the_next(person: Person) -> None:
    game = "tailits+taiji"
    moves = random_actions(game, 200)
    mirror = Mirror(game)
    states = [mirror.state]
    for action in moves:
        states.append(states[-1].play(mirror.state.game.move(action)))
    last_below = next(ply for ply, state in enumerate(states) if state.stage_index == 1) - 1
    hot_seat(game, last_below)(person)
    mirror.state, mirror.plies = states[last_below], last_below
    person.wait_for_turn()
    move = mirror.state.game.move(moves[last_below])
    person.lay(mirror.state, move)
    mirror.play(move)
    person.expect_moves(mirror.plies)
    assert mirror.state.stage_index == 1
    expect(person.page.locator(".plateau")).to_be_visible()
    uneven = next(
        footprint
        for footprint in mirror.state.game.layouts[1].footprints
        if (reason := mirror.state.footprint_illegal_reason(footprint)) and reason.code == "not-level"
    )
    start, end = mirror.state.board.names(uneven.cells)
    person.slide(start, end)
    expect(person.reason()).to_contain_text("would hang over the step")
    person.page.keyboard.press("Escape")
    play(person, mirror)


def test_a_whole_match_with_its_totals(person: Person) -> None:
    mirror = begin(person, "taiji:size=3", match=True)
    page = person.page
    while not mirror.state.is_over:
        play(person, mirror)
    outcome = mirror.state.outcome()
    assert outcome is not None
    expect(page.get_by_role("heading", name=re.compile("wins|draw"))).to_be_visible()
    first = [str(points) for points in mirror.state.scores()]
    expect(page.locator(".points")).to_have_text(first[::-1])
    page.reload()  # the game is saved in the browser
    person.expect_moves(mirror.plies)
    person.button("Second game, colours exchanged").click()
    second = Mirror("taiji:size=3", seed=5)
    while not second.state.is_over:
        play(person, second)
    totals = [
        mirror.state.scores()[0] + second.state.scores()[1],
        mirror.state.scores()[1] + second.state.scores()[0],
    ]
    expect(page.get_by_text(f"{totals[0]} : {totals[1]}").first).to_be_visible()


def test_only_the_keyboard(person: Person) -> None:
    mirror = begin(person, "taiji:size=3")
    person.surface.focus()
    while not mirror.state.is_over:
        move = mirror.choose()
        assert isinstance(move, Placement)
        person.lay_by_keyboard(mirror.state, move)
        mirror.play(move)
        person.expect_moves(mirror.plies)
    expect(person.page.get_by_role("heading", name=re.compile("wins"))).to_be_visible()


def test_the_keyboard_says_why_not(person: Person) -> None:
    mirror = begin(person, "tailits")
    person.surface.focus()
    person.go_to(mirror.state, "a1")
    expect(person.announcement()).to_contain_text("The first piece must cover the centre, f6.")
    person.page.keyboard.press("Enter")
    person.expect_moves(0)


def test_the_swap_is_a_clear_choice(person: Person) -> None:
    mirror = begin(person, "battle-of-lits")
    play(person, mirror)
    expect(person.page.get_by_role("group", name="Swap colours or play on")).to_be_visible()
    play(person, mirror, swap=True)
    assert person.moves()[-1] == "swap"
    expect(person.page.get_by_role("group", name="Swap colours or play on")).to_have_count(0)
    expect(person.page.get_by_text("O · to move")).to_be_visible()


def test_reasons_are_shown_where_they_arise(person: Person) -> None:
    begin(person, "tailits")
    person.hover("b2")
    expect(person.reason()).to_have_text("The first piece must cover the centre, f6.")
    expect(person.page.locator(".violation")).to_have_count(1)
    person.click("b2")
    person.expect_moves(0)
    person.hover("f6")
    expect(person.reason()).to_have_count(0)
    person.click("f6")
    person.expect_moves(1)
    person.hover("a1")
    expect(person.reason()).to_have_text("It touches no piece on the board.")


def test_the_tray_turns_and_flips(person: Person) -> None:
    begin(person, "tailits")
    page = person.page
    page.get_by_role("radio", name="T: 6 left").click()
    page.get_by_role("radio", name=re.compile("^light dark light dark")).click()
    person.hover("f6")
    path = page.locator(".ghost .body")
    before = path.get_attribute("d")
    person.button("Turn").click()
    person.hover("f6")
    turned = path.get_attribute("d")
    page.keyboard.press("Tab")
    person.button("Flip").click()
    person.hover("f6")
    assert before != turned
    person.click("f6")
    person.expect_moves(1)
    expect(page.get_by_role("radio", name="T: 5 left")).to_be_visible()


def test_confirmation(person: Person) -> None:
    person.settings(confirm=True)
    begin(person, "taiji:size=5")
    person.slide("b2", "b3")
    person.expect_moves(0)
    person.button("Place").click()
    person.expect_moves(1)
    person.slide("d2", "d3")
    person.click("d3")  # a second press on the piece
    person.expect_moves(2)


def test_scoring_groups_and_the_group_under_the_pointer(person: Person) -> None:
    begin(person, "taiji:size=5")
    for number, (start, end) in enumerate((("b2", "b3"), ("c2", "c3"), ("b4", "b5"))):
        person.slide(start, end)
        person.expect_moves(number + 1)
    page = person.page
    expect(page.locator(".badge")).to_have_count(2)
    expect(page.locator(".last")).to_have_count(1)
    person.hover("b5")
    expect(page.locator(".group.hovered")).to_have_count(1)


def test_with_a_finger(guest: Guests) -> None:
    person = guest(**PHONE)
    begin(person, "taiji:size=7")
    person.tap("d4")
    person.tap("d5")
    person.expect_moves(1)
    person.tap("b2")
    person.button("Turn").tap()
    person.button("Place").tap()
    person.expect_moves(2)
    slide_with_a_finger(person, "f2", "f3")
    person.expect_moves(3)


def test_a_tetromino_with_a_finger(guest: Guests) -> None:
    person = guest(**PHONE)
    begin(person, "tailits")
    person.page.get_by_role("radio", name="I: 6 left").tap()
    person.tap("f6")  # the ghost is fixed under the finger
    person.expect_moves(0)
    person.tap("f6")
    person.expect_moves(1)
    person.tap("b2")
    expect(person.reason()).to_be_visible()
    expect(person.button("Place")).to_be_disabled()


def slide_with_a_finger(person: Person, start: str, end: str) -> None:
    client = person.context.new_cdp_session(person.page)
    (x, y), (to_x, to_y) = person.point(start), person.point(end)
    steps = [("touchStart", x, y), ("touchMove", (x + to_x) / 2, (y + to_y) / 2), ("touchMove", to_x, to_y)]
    for kind, at_x, at_y in steps:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at_x, "y": at_y}]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_without_a_network(browser: Browser, site: Running) -> None:
    with visiting(browser, site.url, service_workers="allow") as person:
        person.open("/")
        person.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        person.expected += ["ERR_INTERNET_DISCONNECTED", "WebSocket", "Failed to load"]
        person.context.set_offline(True)
        for game in ("tailits", "taiji:size=7"):
            mirror = begin(person, game)
            play(person, mirror)
            play(person, mirror)
        person.page.reload()
        person.expect_moves(2)
        person.context.set_offline(False)


def test_an_unknown_rule_is_refused_by_name(person: Person) -> None:
    def invent(route: Route) -> None:
        definition = route.fetch().json()
        definition["program"]["stages"][0]["score"]["fold"] = "invented"
        route.fulfill(json=definition)

    person.page.route("**/api/game-definition*", invent)
    message = "This page does not know a rule of this game: page does not support the rule"
    person.open("/one-screen?game=taiji:size=5")
    expect(person.page.get_by_role("alert")).to_contain_text(message)
    expect(person.surface).to_have_count(0)
    person.open(new_table(person, game="taiji:size=5", opponent="link"))
    expect(person.page.get_by_role("alert")).to_contain_text("fold invented")
    expect(person.surface).to_have_count(0)
