"""The full screen: snapshots of every game, keys, mouse, resizing, menu and farewell."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from taiji.rules import MatchRule
from taiji.terminal.app import PlayApp
from taiji.terminal.board_view import BoardView
from taiji.terminal.game_screen import GameScreen
from taiji.terminal.help_screen import HelpScreen
from taiji.terminal.review_screen import ReviewScreen
from taiji.terminal.saves import Saves
from taiji.terminal.session import Session
from taiji.terminal.setup_screen import SetupScreen
from tests.terminal.screens import FOLDER, SCREENS, drawn, text_of
from tests.terminal.sessions import session

Steps = Callable[[PlayApp, Pilot[None]], Awaitable[None]]


def run(begun: Session | None, steps: Steps, folder: Path, size: tuple[int, int] = (80, 24)) -> PlayApp:
    """Run the app, do something with it, and return it as it was left."""

    async def play() -> PlayApp:
        app = PlayApp(begun, begun.saves if begun else Saves(folder), theme_name="paper", seed=1)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(app, pilot)
        return app

    return asyncio.run(play())


@pytest.mark.parametrize("name", SCREENS)
def test_snapshot(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert drawn(name) == expected, "look at the difference, then: python -m tests.terminal.screens"


def test_a_resize_is_followed_though_its_timer_was_lost(tmp_path: Path) -> None:
    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        app._resize_timer = app.set_timer(3600, lambda: None)
        await pilot.resize_terminal(60, 20)
        for _ in range(40):
            await pilot.pause(0.1)
            if "This board needs" in text_of(app):
                return
        raise AssertionError(text_of(app))

    run(session("taiji:size=9", tmp_path), steps, tmp_path)


def test_a_game_by_keys(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "Enter places it" in text_of(app)
        await pilot.press("left", "up", "enter")
        assert len(begun.moves) == 1
        await pilot.press("down", "down", "r", "r", "r", "f", "c", "tab", "n", "p", "1")
        await pilot.press("u")
        assert not begun.moves
        for _ in range(4):
            await pilot.press("enter")
        assert begun.is_over
        assert "The game is over" in text_of(app)

    run(begun, steps, tmp_path)
    assert (tmp_path / "games.tji").exists() is False, "leaving is what keeps it"
    assert begun.path.exists()


def test_a_move_that_is_not_allowed_says_why(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, plies=1)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        screen = app.screen
        assert isinstance(screen, GameScreen)
        covered = (begun.state.covered & -begun.state.covered).bit_length() - 1
        assert screen.hand is not None
        screen._hold(screen.hand.move_to(covered))
        await pilot.pause()
        assert "is already covered" in text_of(app)
        await pilot.press("enter")
        assert len(begun.moves) == 1
        assert text_of(app).count("is already covered") >= 1

    run(begun, steps, tmp_path)


def test_the_mouse_moves_rotates_and_places(tmp_path: Path) -> None:
    begun = session("taiji:size=5", tmp_path)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        screen = app.screen
        assert isinstance(screen, GameScreen)
        board = screen.board
        grid = board.grid
        step_x, step_y = grid.size.width + 1, grid.size.height + 1
        at = (grid.label_width + 1 + step_x * 1, 1 + step_y * 3)  # b2
        await pilot.hover(BoardView, offset=at)
        assert screen.hand is not None
        assert screen.hand.cursor == begun.state.board.cell("b2")
        before = screen.hand.placement
        board.post_message(BoardView.Rolled(1))
        await pilot.pause()
        assert screen.hand.placement != before
        await pilot.click(BoardView, offset=at)
        assert len(begun.moves) == 1
        assert begun.state.covered >> begun.state.board.cell("b2") & 1

    run(begun, steps, tmp_path)


def test_the_computer_answers(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, players=("person", "random"))

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: len(begun.moves) == 2)
        await pilot.press("u")
        assert not begun.moves, "undo takes back the answer too"

    run(begun, steps, tmp_path)


def test_a_hint_comes_to_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = session("taiji:size=3", tmp_path)
    monkeypatch.setattr("taiji.terminal.game_screen.hint", lambda state: state.legal()[-1])

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("h")
        await until(pilot, lambda: "Hint:" in text_of(app))
        await pilot.press("enter")
        assert begun.moves == [begun.states[0].legal()[-1]]

    run(begun, steps, tmp_path)


def test_a_player_that_fails_does_not_take_the_table_down(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, players=("person", "ugi:/nonexistent/engine"))

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: "failed: " in text_of(app))
        await pilot.press("u")
        assert begun.waits_for_person

    run(begun, steps, tmp_path)


def test_a_komi_is_named_by_keys_and_a_colour_taken(tmp_path: Path) -> None:
    begun = session("taiji:size=4,komi=choose", tmp_path)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "Komi for Light: 0." in text_of(app)
        await pilot.press("up", "up", "up", "down", "right")
        assert "Komi for Light: 1.5." in text_of(app)
        await pilot.press("enter")
        assert begun.state.komi == 3
        assert "or take Dark: s" in text_of(app)
        await pilot.press("s")
        assert begun.state.swapped
        await pilot.press("enter")
        assert begun.state.covered
        assert [str(move) for move in begun.moves[:2]] == ["komi=1.5", "swap"]

    run(begun, steps, tmp_path, (120, 40))


def test_a_swap_by_key(tmp_path: Path) -> None:
    begun = session("battle-of-lits", tmp_path, plies=1)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "You may swap" in text_of(app)
        await pilot.press("s")
        assert begun.state.swapped
        await pilot.press("s")
        assert "only possible" in text_of(app)

    run(begun, steps, tmp_path, (120, 40))


def test_resigning_asks_once(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, plies=1)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        assert not begun.is_over
        await pilot.press("x")
        assert begun.is_over
        assert "Dark resigned" in text_of(app)

    run(begun, steps, tmp_path)


def test_a_match_goes_on(tmp_path: Path) -> None:
    begun = session("taiji:size=2", tmp_path, plies=9, match=MatchRule.NESTORGAMES)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "Enter begins the second game" in text_of(app)
        await pilot.press("enter")
        assert "game 2 of 2" in text_of(app)
        await pilot.press("enter", "enter")
        assert begun.is_over
        assert "drawn, 4 to 4" in text_of(app)

    run(begun, steps, tmp_path)


def test_a_terminal_that_is_too_small_says_what_it_needs(tmp_path: Path) -> None:
    begun = session("tailits", tmp_path, plies=1)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(70, 20)
        await pilot.pause()
        assert "This board needs 79×24 characters" in text_of(app)
        assert "the terminal has 70×20" in text_of(app)
        await pilot.resize_terminal(90, 30)
        await pilot.pause()
        assert "needs" not in text_of(app)
        await pilot.press("enter")
        assert len(begun.moves) == 2, "the game goes on"
        await pilot.resize_terminal(130, 50)
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, GameScreen)
        assert screen.board.cell_size.height == 3

    run(begun, steps, tmp_path, (80, 24))


def test_a_finished_game_is_reviewed(tmp_path: Path) -> None:
    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("v")
        assert isinstance(app.screen, GameScreen)
        assert app.screen.note == "The review is for the end of the game."
        while not begun.is_over:
            begun.play(begun.state.legal()[0])
        await pilot.press("v")
        assert isinstance(app.screen, ReviewScreen)
        for _ in range(600):
            if "Light: accuracy" in text_of(app):
                break
            await pilot.pause(0.1)
        shown = text_of(app)
        assert all(str(move) in shown for move in begun.moves)
        assert "Dark: accuracy" in shown
        await pilot.press("escape")
        assert isinstance(app.screen, GameScreen)

    begun = session("taiji:size=3", tmp_path, plies=1)
    run(begun, steps, tmp_path)


def test_help_and_themes(tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        assert "the last move" in text_of(app)
        await pilot.press("escape")
        assert isinstance(app.screen, GameScreen)
        seen = []
        for _ in range(3):
            await pilot.press("t")
            seen.append(app.theme_name)
        assert seen == ["night", "mono", "paper"]
        await pilot.press("g")
        assert app.screen.board.show_groups is False

    run(begun, steps, tmp_path)


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
def test_leaving_keeps_the_game(key: str, tmp_path: Path) -> None:
    begun = session("taiji:size=3", tmp_path, plies=1)

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await pilot.pause()

    app = run(begun, steps, tmp_path)
    assert app.farewell == "The game is saved. Resume it with: taiji play --resume"
    assert [saved.path for saved in Saves(tmp_path).unfinished()] == [begun.path]


def test_the_menu_starts_and_resumes(tmp_path: Path) -> None:
    session("taiji:size=3", tmp_path, plies=1).close()

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        menu = app.screen
        assert isinstance(menu, SetupScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, GameScreen)
        assert len(app.screen.session.moves) == 1
        await pilot.press("m")
        await pilot.pause()
        menu = app.screen
        assert isinstance(menu, SetupScreen)
        menu.query_one("#options").value = "size=99"  # type: ignore[attr-defined]
        menu.action_start()
        await pilot.pause()
        assert "size=99" in text_of(app)
        menu.query_one("#options").value = "size=4"  # type: ignore[attr-defined]
        menu.query_one("#dark").value = "random"  # type: ignore[attr-defined]
        menu.action_start()
        await pilot.pause()
        assert isinstance(app.screen, GameScreen)
        assert str(app.screen.session.setup.game) == "taiji:size=4"

    run(None, steps, tmp_path)


def test_a_broken_save_is_reported_in_the_menu(tmp_path: Path) -> None:
    (tmp_path / "saves").mkdir()
    (tmp_path / "saves" / "x.tji").write_text("nonsense")

    async def steps(app: PlayApp, pilot: Pilot[None]) -> None:
        assert "A saved game cannot be read and was renamed to" in text_of(app)

    run(None, steps, tmp_path, (120, 40))


async def until(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    for _ in range(200):
        if done():
            return
        await pilot.pause(0.05)
    raise AssertionError("it did not happen")
