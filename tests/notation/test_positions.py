"""Positions: one line for every game and stage, round-tripping, checked as they are read."""

from __future__ import annotations

import pytest

from taiji.notation import NotationError, format_position, parse_position
from taiji.notation.positions import MAX_POSITION_CHARS
from taiji.rules import State, parse_game
from tests.notation.games import TEXTS, random_game


def everything(state: State) -> object:
    """All that a state holds, also what does not count for equality."""
    return (
        state,
        state.layers,
        state.supply,
        state.last_seat,
        state.banked,
        state.live,
        state.colour_to_move,
        state.ply,
    )


@pytest.mark.parametrize("text", TEXTS)
def test_every_position_of_a_game_round_trips(text: str) -> None:
    _, states = random_game(text, 3)
    chosen = states if len(states) < 30 else [*states[::5], *states[-3:]]
    for state in chosen:
        line = format_position(state)
        assert "\n" not in line
        again = parse_position(line)
        assert everything(again) == everything(state)
        assert format_position(again) == line


def test_a_swap_is_kept() -> None:
    for seed in range(200):
        _, states = random_game("battle-of-lits:symbols=x..o|.xo.|.xo.|x..o", seed)
        if states[-1].swapped:
            break
    assert states[-1].swapped
    for state in states:
        assert everything(parse_position(format_position(state))) == everything(state)
    assert format_position(states[-1]).endswith(" over swapped")


def test_any_case_order_and_blanks_will_do() -> None:
    written = "TJI1 Taiji:SIZE=4  b3/b2,A2-A1\tLight -\n"
    assert format_position(parse_position(written)) == "tji1 taiji:size=4 a2/a1,b3/b2 light -"


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "fields (expected 5", 1),
        ("tji1 taiji - light", "position with 4 fields", 14),
        ("tji1 taiji - light - -", "position with 6 fields", 22),
        ("tji2 taiji - light -", "unknown version 'tji2' (expected tji1)", 1),
        ("tji1 taji - light -", "unknown game 'taji' (did you mean taiji? expected one of taiji,", 6),
        ("tji1 taiji:size=99 - light -", "expected an integer from 2 to 11", 6),
        ("tji1 taiji - dark -", "mover: 'dark' (expected light)", 14),
        ("tji1 taiji - over -", "mover: 'over' (expected light)", 14),
        ("tji1 taiji - light yes", "seats: 'yes' (expected - or swapped)", 20),
        ("tji1 taiji - light swapped", "a swap is only possible", 12),
        ("tji1 taiji a1/a2,a2/a3 light -", "unreachable position: a2 is already covered", 12),
        ("tji1 taiji a1/a2,a4/a9 light -", "no piece of this game", 18),
        ("tji1 taiji a1/a2,a4/z5 light -", "z5 is not on the board", 21),
        ("tji1 taiji a1/a2,,a4/a5 light -", "invalid move ''", 18),
        ("tji1 taiji -;- light -", "2 stages (maximum 1 in taiji)", 12),
        ("tji1 tailits+taiji -;a1/a2 dark -", "unreachable position", 20),
        ("tji1 tailits+taiji a1/a2 dark -", "is not a placement of this stage", 20),
        ("tji1 battle-of-lits swap light -", "is not a placement of this stage", 21),
        ("tji1 tailits a1a2/a3a4 light -", "the first piece must cover the centre f6", 14),
        ("tji1 taiji " + "a1/a2," * 2000, "(maximum 8192)", None),
    ],
)  # fmt: skip
def test_refused(text: str, message: str, column: int | None) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert message in str(caught.value)
    assert caught.value.column == column


def test_the_longest_position_of_the_catalogue_is_far_from_the_limit() -> None:
    longest = max(len(format_position(random_game(text, 4)[1][-1])) for text in TEXTS)
    assert longest * 4 < MAX_POSITION_CHARS


def test_a_position_may_have_exactly_the_maximum_length() -> None:
    text = "tji1 taiji - light -"
    assert parse_position(text.ljust(MAX_POSITION_CHARS)) == parse_game("taiji").start()
    with pytest.raises(NotationError, match=f"maximum {MAX_POSITION_CHARS}"):
        parse_position(text.ljust(MAX_POSITION_CHARS + 1))
