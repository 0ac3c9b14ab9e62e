"""Positions drawn as text: pieces outlined, halves told apart, what counts and where one may not step."""

from __future__ import annotations

import re

import pytest

from taiji.notation import parse_move, parse_position
from taiji.render.text import describe_lines, draw
from taiji.render.text_board import TextBoard
from taiji.rules import Colour
from tests.notation.games import TEXTS, game, random_game


def board(position: str, **options: object) -> str:
    return draw(parse_position(position), panel=False, **options)  # type: ignore[arg-type]


def test_pieces_are_outlined_and_counted_squares_marked() -> None:
    assert board("tji1 taiji:size=3 a1/a2,b1/b2,c2/c3 dark -") == (
        "  ┌───────┬───┐\n"
        "3 │ ·   · │ ● │\n"
        "  ├───┬───┤   │\n"
        "2 │ ◉ │ ◉ │ ○ │\n"
        "  │   │   ├───┤\n"
        "1 │ ◎ │ ◎ │ · │\n"
        "  └───┴───┴───┘\n"
        "    a   b   c"
    )


def test_in_ascii() -> None:
    assert board("tji1 taiji:size=3 a1/a2,b1/b2,c2/c3 dark -", ascii=True) == (
        "  +-------+---+\n"
        "3 | .   . | * |\n"
        "  +---+---+   |\n"
        "2 | # | # | o |\n"
        "  |   |   +---+\n"
        "1 | O | O | . |\n"
        "  +---+---+---+\n"
        "    a   b   c"
    )


def test_halves_that_touch_at_a_corner_are_joined() -> None:
    lines = board("tji1 taiji:size=3,diagonal=yes a1/b2,c1/c2 light -").splitlines()
    assert lines[4] == "  ├───╱───┤   │"
    assert board("tji1 taiji:size=3,diagonal=yes c1/b2 dark -").splitlines()[4] == "  │   └───╲───┤"
    assert board("tji1 taiji:size=2,diagonal=yes a1/b2,a2/b1 over -").splitlines()[2] == "  ├───╳───┤"


def test_holes_are_outside() -> None:
    lines = draw(game("test-holes").start(), panel=False).splitlines()
    assert lines[:5] == [
        "      ┌───────────┐",
        "5     │ ·   ·   · │",
        "  ┌───┘           └───┐",
        "4 │ ·   ·   ·   ·   · │",
        "  │       ┌───┐       │",
    ]
    assert lines[5] == "3 │ ·   · │   │ ·   · │"


def test_plain_pieces_show_their_kind_and_symbols_their_sign() -> None:
    drawn = board("tji1 battle-of-lits:symbols=x..o|.xo.|.xo.|x..o a1a2a3a4 dark -")
    assert drawn.splitlines()[1] == "4 │ I │ ·   ·   o │"
    assert drawn.splitlines()[3] == "3 │ I │ x   o   · │"


def test_the_last_move_stands_in_brackets() -> None:
    state = game("taiji:size=4").start()
    move = parse_move(state, "b2/c2")
    drawn = draw(state.play(move), last=move)
    assert "2 │ · │[◎] [◉]│ · │" in drawn
    assert "last move b2/c2" in drawn


def test_the_start_is_marked_where_there_is_one() -> None:
    assert "◇" in draw(game("tailits").start())
    _, states = random_game("tailits", 1, plies=1)
    assert "◇" not in draw(states[-1])


def test_steps_in_the_ground_show() -> None:
    _, states = random_game("tailits+taiji", 1)
    opened = next(state for state in states if state.stage_index == 1)
    drawn = draw(opened, panel=False)
    assert drawn.count("░") > 3 * opened.ground.bit_count()
    assert "stage 2 of 2, taiji" in draw(opened)
    played = draw(states[-1], panel=False)
    assert re.search("░[○●◎◉]░", played)
    assert re.search(" [○●◎◉] ", played)


def test_symbols_of_the_stage_below_look_like_what_they_are() -> None:
    _, states = random_game("taiji+battle-of-lits:size=4", 2)
    opened = next(state for state in states if state.stage_index == 1)
    drawn = draw(opened, panel=False)
    assert drawn.count("○") == opened.symbols.light.bit_count()
    assert drawn.count("●") == opened.symbols.dark.bit_count()


@pytest.mark.parametrize(
    ("position", "lines"),
    [
        ("tji1 taiji - light -", ["taiji", "Light  0", "Dark   0", "ply 1: Light has 288 choices"]),
        ("tji1 taiji - light -", ["left to place", "  40 taijitu"]),
        (
            "tji1 taiji:size=3,groups=2 a1/a2,b1/b2,c2/c3 dark -",
            ["Light  3 = 2 + 1", "Dark   3 = 2 + 1", "ply 4: Dark has 2 choices"],
        ),
        ("tji1 taiji:size=2 a1/a2,b1/b2 over -", ["Light  2", "over after 2 plies: Dark wins the tie"]),
        ("tji1 taiji:size=3,score=squares a1/a2,b1/b2 light -", ["Light  4 = 2²"]),
        ("tji1 taiji:size=3,score=omega a1/a2,b1/b2,c2/c3 dark -", ["Light  2 = 2 × 1"]),
        (
            "tji1 battle-of-lits:symbols=x..o|.xo.|.xo.|x..o a1a2a3a4 dark -",
            ["X (first player)   2", "O (second player)  4", "  5 L, 4 I, 5 T, 5 S"],
        ),
        (
            "tji1 battle-of-lits:symbols=x..o|.xo.|.xo.|x..o a1a2a3a4 dark swapped",
            ["O (first player)   4", "X (second player)  2"],
        ),
    ],
)  # fmt: skip
def test_what_stands_beside_the_board(position: str, lines: list[str]) -> None:
    found = describe_lines(parse_position(position))
    for line in lines:
        assert line in found


def test_what_earlier_stages_brought_is_shown() -> None:
    _, states = random_game("tailits+taiji", 1)
    final = states[-1]
    text = "\n".join(describe_lines(final))
    for seat in (0, 1):
        total = final.scores()[seat]
        assert re.search(rf"(White|Black)  {re.escape(str(total))} = [\d.]+ \+ \(\d+ \+ \d+ \+ \d+\)", text)


def test_a_swap_is_told_as_a_choice() -> None:
    _, states = random_game("battle-of-lits", 1, plies=1)
    assert any("swap is one" in line for line in describe_lines(states[-1]))


@pytest.mark.parametrize("text", TEXTS)
def test_any_position_of_any_game_can_be_drawn(text: str) -> None:
    moves, states = random_game(text, 11)
    for index in range(0, len(states), 7):
        state, last = states[index], moves[index - 1] if index else None
        lines = TextBoard(state, last=last).lines()
        assert len({len(line) for line in lines}) == 1
        assert len(lines) == 2 * state.board.height + 2
        drawn = draw(state, last=last)
        assert not any(line != line.rstrip() for line in drawn.splitlines())
        assert draw(state, last=last, ascii=True).isascii()
        colours = draw(state, last=last, colour=True)
        assert re.sub("\x1b\\[[0-9;]*m", "", colours) == drawn
        assert colours.count("\x1b[0m") * 2 == colours.count("\x1b[")


@pytest.mark.parametrize("text", TEXTS)
def test_the_two_colours_are_told_apart_without_colour(text: str) -> None:
    _, states = random_game(text, 12)
    state = states[-1]
    if not state.light | state.dark:
        return
    drawn = draw(state, panel=False)
    assert sum(drawn.count(mark) for mark in "○◎") == state.light.bit_count()
    assert sum(drawn.count(mark) for mark in "●◉") == state.dark.bit_count()
    counted = sum(drawn.count(mark) for mark in "◎◉")
    assert counted == sum(group.bit_count() for colour in Colour for group in state.scoring_groups(colour))
    assert not any(mark in draw(state, panel=False, scoring_groups=False) for mark in "◎◉")
