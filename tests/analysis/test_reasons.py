"""What speaks for a move: each code on a position where it is plain to see."""

from __future__ import annotations

import random

import pytest

from taiji.analysis import explain
from taiji.analysis.data import MoveReason
from taiji.analysis.reasons import MAX_REASONS, MESSAGES
from taiji.notation import parse_move
from taiji.rules import Adjacency, Colour, Placement, Seat, State, bits, parse_game
from taiji.rules.regions import Around


def position(game: str, *moves: str) -> State:
    state = parse_game(game).start()
    for text in moves:
        state = state.play(parse_move(state, text))
    return state


def why(state: State, text: str) -> dict[str, MoveReason]:
    return {reason.code: reason for reason in explain(state, parse_move(state, text))}


def cells(state: State, reason: MoveReason) -> list[str]:
    return state.board.names(sum(1 << cell for cell in reason.cells))


def test_joining_two_groups_is_seen() -> None:
    state = position("taiji:size=5", "a1/a2", "c1/c2")
    found = why(state, "b1/b2")
    assert found["joins"].params == {"groups": 2, "sizes": [1, 1], "size": 3}
    assert cells(state, found["joins"]) == ["a1", "b1", "c1"]
    assert found["grows"].params == {"from": 1, "to": 3}
    assert found["joins"].text == "joins your groups of 1 and 1 into one of 3"


def test_growing_counts_only_what_is_counted() -> None:
    state = position("taiji:size=5", "a1/b1", "a2/b2")
    assert why(state, "a3/b3")["grows"].params == {"from": 2, "to": 3}
    assert "grows" not in why(state, "e5/d5")


def test_standing_between_two_groups_is_seen() -> None:
    state = position("taiji:size=5", "a2/a1", "b2/b1", "d2/d1", "e2/e1")
    assert state.seat_to_move is Seat.FIRST
    found = why(state, "c1/c2")
    assert found["keeps-apart"].params == {"sizes": [2, 2]}
    assert found["keeps-apart"].text == "cuts Dark's groups of 2 and 2 apart"


def test_a_group_without_room_is_seen() -> None:
    state = position("taiji:size=3", "a2/a1", "b2/b1")
    assert state.seat_to_move is Seat.FIRST
    found = why(state, "c1/c2")
    assert found["no-room"].params == {"size": 2, "where": "right"}
    assert found["no-room"].text == "leaves Dark's group of 2 no room on the right"
    assert cells(state, found["no-room"]) == ["a1", "b1"]
    assert "cuts-room" not in found


def test_a_half_that_helps_nobody_is_seen() -> None:
    state = position("taiji:size=5", "a1/b1", "a2/b2")
    found = why(state, "a3/a4")  # the dark half is away from the dark group
    assert cells(state, found["gives-nothing"]) == ["a4"]
    assert "gives-nothing" not in why(state, "a3/b3")


def test_a_first_square_has_its_room_counted() -> None:
    state = parse_game("taiji:size=5").start()
    assert why(state, "c3/c4")["new-group"].params == {"squares": 3}
    assert "new-group" not in why(state, "a1/a2")  # a single free square does not count


def room(state: State, colour: Colour) -> int:
    """How many free squares the largest group of a colour has around it."""
    group = state.board.groups(state.scoring_cells(colour), Adjacency.EDGE)[0]
    return (Around().masks(group, state.board)[0] & ~state.covered).bit_count()


def test_room_that_is_taken_or_made_is_counted() -> None:
    dice, seen = random.Random(1), set()
    for _ in range(30):
        state = parse_game("taiji:size=6").start()
        while not state.is_over:
            move = dice.choice(state.legal())
            after = state.play(move)
            for reason in explain(state, move):
                other, mover = state.colour_to_move.other, state.colour_to_move
                if reason.code == "cuts-room" and _same_largest(state, after, other):
                    assert room(state, other) - room(after, other) == reason.params["squares"]
                    seen.add(reason.code)
                if reason.code == "makes-room" and _same_largest(state, after, mover):
                    assert room(after, mover) - room(state, mover) == reason.params["squares"]
                    seen.add(reason.code)
            state = after
    assert seen == {"cuts-room", "makes-room"}


def _same_largest(before: State, after: State, colour: Colour) -> bool:
    """Whether the largest group is still the one it was, grown or not, and the only one of its size."""
    was, now = (s.board.groups(s.scoring_cells(colour), Adjacency.EDGE) for s in (before, after))
    only = len(now) == 1 or now[0].bit_count() > now[1].bit_count()
    return bool(was) and only and was[0] & now[0] == was[0]


def test_the_last_move_that_wins_is_seen() -> None:
    state = position("taiji:size=2", "a1/a2")
    assert set(why(state, "b1/b2")) == {"wins-now", "grows"}  # a tie is Dark's


def test_covering_symbols_is_counted() -> None:
    state = parse_game("battle-of-lits").start()
    best = max(
        (p for p in state.legal() if isinstance(p, Placement)),
        key=lambda p: (
            (state.symbols.dark & p.cells).bit_count() - (state.symbols.light & p.cells).bit_count()
        ),
    )
    found = {reason.code: reason for reason in explain(state, best)}
    theirs = state.symbols.dark & best.cells
    assert found["covers"].params["symbols"] == theirs.bit_count()
    assert found["covers"].cells == tuple(bits(theirs))


def test_a_swap_is_its_own_reason() -> None:
    state = parse_game("battle-of-lits").start()
    state = state.play(state.legal()[0])
    assert [reason.code for reason in explain(state, state.legal()[-1])] == ["swap"]


def test_without_a_simple_reason_the_search_speaks() -> None:
    state = parse_game("battle-of-lits").start()
    worst = max(state.legal(), key=lambda move: (state.symbols.light & move.cells).bit_count())
    assert [(reason.code, reason.params) for reason in explain(state, worst)] == [("search", {})]


@pytest.mark.parametrize(
    "game", ["taiji:size=5", "tailits", "battle-of-lits:size=8", "taiji+battle-of-lits:size=5"]
)
def test_every_move_of_a_random_game_has_reasons_in_words(game: str) -> None:
    dice, state = random.Random(4), parse_game(game).start()
    while not state.is_over:
        move = dice.choice(state.legal())
        reasons = explain(state, move)
        assert 1 <= len(reasons) <= MAX_REASONS
        for reason in reasons:
            assert reason.code in MESSAGES
            assert reason.text
            assert "{" not in reason.text
            assert all(0 <= cell < state.board.size for cell in reason.cells)
        state = state.play(move)
