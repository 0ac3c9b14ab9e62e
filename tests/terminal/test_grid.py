"""The board in characters: light and dark differ in form in every size, with colours and without."""

from __future__ import annotations

import pytest

from taiji.notation import parse_move
from taiji.rules import parse_game
from taiji.terminal.glyphs import SIZES, Size
from taiji.terminal.grid import Grid
from taiji.terminal.hand import Hand
from taiji.terminal.styles import THEMES, style_for
from tests.notation.games import TEXTS, random_game


def drawn(grid: Grid) -> list[str]:
    return ["".join(character.text for character in line) for line in grid.lines()]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("size", SIZES)
def test_lines_have_the_size_that_is_told(text: str, size: Size) -> None:
    moves, states = random_game(text, 4)
    for at in (0, len(moves) // 2, len(moves)):
        state = states[at]
        grid = Grid(state, size, moves[at - 1] if at else None, Hand.take(state))
        lines = drawn(grid)
        assert len(lines) == grid.height
        assert {len(line) for line in lines} == {grid.width}
        ascii_only = drawn(Grid(state, size, ascii=True, shaded=False))
        assert all(line.isascii() for line in ascii_only)
        for line in grid.lines():
            for character in line:
                for theme in THEMES:
                    style_for(character.style, theme)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_light_and_dark_differ_without_colours(size: Size, ascii_only: bool) -> None:
    state = parse_game("taiji:size=2").start()
    state = state.play(parse_move(state, "a1/b1"))
    grid = Grid(state, size, show_groups=False, ascii=ascii_only, shaded=False)
    row = drawn(grid)[-2 - size.height : -2]
    left = [line[3 : 3 + size.width] for line in row]
    right = [line[4 + size.width : 4 + 2 * size.width] for line in row]
    assert left != right


@pytest.mark.parametrize("theme", ["paper", "night"])
def test_light_and_dark_differ_by_colour(theme: str) -> None:
    assert style_for("light", theme).bgcolor != style_for("dark", theme).bgcolor


def test_the_mouse_finds_its_cell() -> None:
    state = parse_game("taiji:size=3").start()
    grid = Grid(state, Size(3, 1))
    lines = drawn(grid)
    for row in range(3):
        for column in range(3):
            x, y = grid.label_width + 2 + 4 * column, 1 + 2 * (2 - row)
            assert lines[y][x] == "·"
            assert grid.cell_at(x, y) == state.board.cell_at(column, row)
    assert grid.cell_at(0, 1) is None


def test_marks_tell_the_last_move_and_the_hand() -> None:
    state = parse_game("taiji:size=3").start()
    move = parse_move(state, "a1/b1")
    state = state.play(move)
    hand = Hand.take(state)
    assert hand is not None
    text = "\n".join(drawn(Grid(state, Size(3, 1), move, hand.move_to(4).snap_to_legal(), shaded=False)))
    assert text.count("[") == text.count("]") == 2
    assert text.count("(") == text.count(")") == 2
    forbidden = "\n".join(drawn(Grid(state, Size(3, 1), move, hand.move_to(0), shaded=False)))
    assert forbidden.count("!") == 4
