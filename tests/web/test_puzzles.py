"""Puzzles in the browser: by mouse, touch and keyboard, of the day, without a server, and unknown ones."""

from __future__ import annotations

import json
from datetime import date

from playwright.sync_api import expect

from taiji.analysis.puzzles import Attempt, Puzzle, daily_puzzle, load_set
from taiji.rules import Placement
from tests.waiting import wait_until
from tests.web.browser import PageUser
from tests.web.conftest import Guests
from tests.web.test_layout import outside, refusal


def open_puzzle(user: PageUser, name: str, puzzle: Puzzle) -> Attempt:
    user.open(f"/puzzles/{name}/{puzzle.id}")
    user.wait_for_turn()
    return Attempt(puzzle)


def stored(user: PageUser) -> dict[str, object]:
    progress: dict[str, object] = json.loads(user.page.evaluate("localStorage.getItem('taiji.puzzles')"))
    return progress


def waiting_reports(user: PageUser) -> str:
    """Return the results that the server does not know yet."""
    reports: str = user.page.evaluate("localStorage.getItem('taiji.puzzle-reports') ?? ''")
    return reports


def long_puzzle(name: str) -> Puzzle:
    return max(load_set(name), key=lambda puzzle: len(puzzle.solution))


def test_a_puzzle_is_played_out_by_mouse_against_the_best_defence(user: PageUser) -> None:
    puzzle = long_puzzle("taiji-7")
    attempt = open_puzzle(user, "taiji-7", puzzle)
    # The puzzle needs nothing but what is loaded: the server may be gone.
    user.expected.append("ERR_INTERNET_DISCONNECTED")
    user.context.set_offline(True)
    status = user.page.locator(".task [role=status]")
    while not attempt.is_solved:
        user.wait_for_turn()
        user.place(attempt.state, attempt.next_move)
        attempt.try_move(attempt.next_move)
        expect(status).to_contain_text("Right")
    expect(status).to_contain_text("solved")
    assert stored(user)["tried"] == {puzzle.id: True}
    assert f'"id":"{puzzle.id}"' in waiting_reports(user), "the result is kept for the server"
    user.button("Play to the end").click()
    expect(user.page.get_by_text("winner").first).to_be_visible()
    user.context.set_offline(False)


def test_a_wrong_move_by_touch_counts_once_and_the_puzzle_goes_on(guest: Guests) -> None:
    user = guest(viewport={"width": 390, "height": 844}, has_touch=True)
    puzzle = load_set("taiji-7")[0]
    attempt = open_puzzle(user, "taiji-7", puzzle)
    board = attempt.state.board
    mover = attempt.state.colour_to_move
    right = attempt.next_move
    wrong = next(move for move in attempt.state.legal() if move != right and isinstance(move, Placement))
    for move in (wrong, right):
        assert isinstance(move, Placement)
        own = move.dark if mover else move.light
        for cell in (*board.names(own), *board.names(move.cells & ~own)):
            user.tap(cell)
        if move is wrong:
            expect(user.page.get_by_text(f"{wrong} is not right.")).to_be_visible()
    expect(user.page.locator(".task [role=status]")).to_contain_text("Right")
    assert stored(user)["tried"] == {puzzle.id: False}
    assert stored(user)["run"] == 0
    wait_until(lambda: not waiting_reports(user), "the server was not told")


def test_a_puzzle_with_pieces_by_keyboard_and_the_next_one(user: PageUser) -> None:
    puzzle = min(load_set("battle-of-lits"), key=lambda puzzle: (len(puzzle.solution), puzzle.rating))
    attempt = open_puzzle(user, "battle-of-lits", puzzle)
    move = attempt.next_move
    assert isinstance(move, Placement)
    user.place_by_keyboard(attempt.state, move)
    expect(user.page.locator(".task [role=status]")).to_contain_text("solved")
    user.page.get_by_role("link", name="Next puzzle").press("Enter")
    user.wait_for_turn()
    assert puzzle.id not in user.page.url
    user.button("Hint").click()
    expect(user.button("Hint")).to_be_disabled()
    user.button("Show the solution").press("Enter")
    expect(user.page.locator(".task [role=status]")).to_contain_text("The solution:")


def test_the_puzzle_of_the_day_starts_a_streak(user: PageUser) -> None:
    user.page.clock.set_fixed_time("2026-11-16T12:00:00Z")
    user.open("/puzzles")
    user.page.get_by_role("link", name="Puzzle of the day").click()
    user.wait_for_turn()
    attempt = Attempt(daily_puzzle(date(2026, 11, 16)))
    user.page.clock.resume()
    while not attempt.is_solved:
        user.wait_for_turn()
        user.place(attempt.state, attempt.next_move)
        attempt.try_move(attempt.next_move)
    expect(user.page.locator(".task [role=status]")).to_contain_text("solved")
    progress = stored(user)
    assert (progress["streak"], progress["run"]) == (1, 1)
    assert progress["rating"] != 1200


def test_everything_that_a_piece_needs_is_on_the_smallest_phone(guest: Guests) -> None:
    user = guest(viewport={"width": 360, "height": 640}, has_touch=True)
    attempt = open_puzzle(user, "tailits", long_puzzle("tailits"))
    move = attempt.next_move
    assert isinstance(move, Placement)
    user.hold(attempt.state, move)
    user.page.keyboard.press("Escape")
    needed = [".surface", ".strip", ".tray .kind", ".tray .face", ".hand .controls button", ".task button"]
    for width, height in ((360, 640), (390, 844), (844, 390)):
        user.page.set_viewport_size({"width": width, "height": height})
        user.tap(refusal(attempt.state)[1])
        expect(user.reason()).to_be_visible()
        assert outside(user, *needed, ".task h1", ".reason.shown") == [], (width, height)
        assert user.page.locator(".strip").count() == 2
        user.page.keyboard.press("Escape")


def test_an_unknown_puzzle_says_so(user: PageUser) -> None:
    user.expected.append("status of 404")  # the server knows no such page either
    for path in ("/puzzles/chess", "/puzzles/taiji-7/none"):
        user.open(path)
        expect(user.page.get_by_text("There is no such puzzle.")).to_be_visible()
