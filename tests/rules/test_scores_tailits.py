"""TAILITS counted: whole games with their last boards drawn, so that every group can be checked by eye."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from taiji.rules import Colour, Outcome, Scores, Seat
from tests.rules.helpers import drawn, play, totals


class Played(NamedTuple):
    """A whole game: its moves, the board it leaves and the two largest groups of light and of dark."""

    moves: str
    board: str
    light: tuple[int, int]
    dark: tuple[int, int]


LIGHT_LAST_6_6 = Played(
    "f4f5/f3f6 g7h6/g6i6 i2i4/i3i5 d4e4/d5d6 i8j9/i7j8 e2f2/e1g2 b7c6/b8c7 b4c4/a4b3 c1c2/b1d1 j5k3/k4k5 "
    "b9d9/b10c9 f10g10/e9f9 h9h10/h11i11 b11c11/d11e11",
    # light: b4-f4 with f5, then f10-h10, h9 and the corner to i8 and j9
    # dark: b10-c9-b8-c7-d6-d5 corner by corner
    ".lldd..dd.. .d...lll... .ldldd.l.l. .d......ld. .ld...l.d.. ..ld.ddld.. ...d.l..dld dlllll..l.d "
    ".d...d..d.l ..l.lld.l.. .dldd......",
    (6, 6),
    (6, 4),
)
DARK_LAST_10_10 = Played(
    "e5g5/f5f6 d3d4/c3e4 b1b3/b2b4 h4h6/h5i4 h2h3/g1g2 i6j6/j7k7 j3k3/j2j4 b5b6/a7b7 e7f7/e8e9 h7h8/h9i8 "
    "f11g9/f10g10 c10d9/b10c9 e1f2/d2e2 i10j8/j9j10 a8a10/a9a11",
    "d....l..... ldl..dd.ld. d.dld.ld.d. l...d..ldl. dd..ll.l.dd .l...d.lll. .l..ldld... .d.ld..ldd. "
    ".ldl...l.ll .d.ddldl.d. .l..l.d....",
    (10, 3),
    (10, 5),
)
LIGHT_LAST_DARK_LARGER = Played(
    "f6g6/e6g5 g2g3/f3g4 d3e2/c3e3 c1d1/b1e1 j3j4/h4i4 b6d6/c6c7 j1k1/i1j2 a5a7/a4a6 b9b10/c8c9 d9e9/f8f9 "
    "h9h10/g9i10 j6j7/i5i6 k7k9/j9k8 d10e11/c11d11",
    "..ddl...... .l.l...ld.. .ldllddl.dl ..d..d....d l.d......ll dldldll.dl. l.....d.d.. d.....dddl. "
    "..dlddl..l. ....l.l..d. .dlld...dll",
    (4, 4),
    (8, 4),
)
DARK_LAST_LIGHT_LARGER = Played(
    "e7f7/f6f8 c5c6/c7d7 f5g3/g4g5 g2i2/h1h2 e9e11/e10f9 c4d3/d4e3 i4j4/j2j3 b2b3/a2b4 c9d9/b8c8 h7h8/g8i7 "
    "d2e1/d1f1 a8a9/a7a10 j8j9/j7k8 h10h11/i9i10 b11c10/c11d11",
    ".lddl..l... d.l.d..ld.. l.llld..dl. ldd..ddl.ld d.ddll.ldd. ..l..d..... ..l..ld.... .dld..d.ll. "
    ".l.ld.l..d. dl.l..ldld. ...dld.d...",
    (8, 5),
    (6, 5),
)
LIGHT_LAST_ALL_EQUAL = Played(
    "e8f8/f6f7 d9e9/c10d10 b8b10/a9b9 h7i7/g7j7 h4h5/h6i4 j2j3/i3k3 j6k4/k5k6 j8j9/i10j10 b6c7/b5b7 "
    "f11h11/g11i11 d5e5/c5d4 c2d3/d2e3 f3g2/f1f2 a3b4/a2b3 h1j1/h2i1 h8h9/g9g10",
    ".....ldld.. .ldd..d.dd. dd.ll.dl.l. .l..ll.l.l. .dl..ddlld. .l...d.d.ld .ddll..l..d .l.d...ld.l "
    "ld.ldl..dld d.ld.dld.l. .....d.ldl.",
    (7, 4),
    (7, 4),
)
DARK_LAST_ALL_EQUAL = Played(
    "e6f6/g6g7 h6j5/i5i6 e4e5/f3f4 h3i3/g3j3 e1g1/f1f2 c1d3/d1d2 b2b3/a3c3 i8j8/i7k8 i9i10/i11j10 b6c6/c4c5 "
    "c7d8/c8c9 f8g9/f9h9 c11e11/c10d11 i1j1/j2k1 a5a8/a6a7 k4k6/k5k7 a11b10/a9a10",
    "l.ldl...d.. dld.....ld. d.d..dldl.. l.dl.l..lld d.l...d.d.d dll.lldld.l l.d.l...dld ..d.ld....l "
    "dldl.ddlld. .l.d.d...d. ..ldldl.lld",
    (5, 5),
    (5, 5),
)
GAMES = [
    LIGHT_LAST_6_6,
    DARK_LAST_10_10,
    LIGHT_LAST_DARK_LARGER,
    DARK_LAST_LIGHT_LARGER,
    LIGHT_LAST_ALL_EQUAL,
    DARK_LAST_ALL_EQUAL,
]


@pytest.mark.parametrize("played", GAMES)
def test_the_game_ends_when_nothing_more_can_be_placed(played: Played) -> None:
    moves = played.moves.split()
    before = play("tailits", *moves[:-1])
    assert not before.is_over
    assert before.outcome() is None
    assert play(before, moves[-1]).is_over


@pytest.mark.parametrize("played", GAMES)
def test_the_largest_and_second_largest_groups_are_counted_with_corners(played: Played) -> None:
    state = play("tailits", *played.moves.split())
    assert drawn(state) == played.board.split()
    assert totals(state) == (played.light[0], played.dark[0])
    second = play("tailits:score=second", *played.moves.split())
    assert totals(second) == (played.light[1], played.dark[1])
    assert [group.bit_count() for group in second.scoring_groups(Colour.LIGHT)] == [played.light[1]]


def test_corners_join_groups() -> None:
    state = play("tailits", "f6g7/e6g6")
    assert drawn(state)[4:6] == ["......l....", "....dld...."]
    assert totals(state) == (2, 1)


def test_where_there_is_one_group_the_second_largest_is_nothing() -> None:
    assert totals(play("tailits:score=second", "e6f6/g6g7")) == (0, 0)
    assert totals(play("tailits:score=second", "f5f7/f6f8")) == (1, 1)


@pytest.mark.parametrize(
    ("played", "winner"),
    [(LIGHT_LAST_6_6, Seat.FIRST), (DARK_LAST_10_10, Seat.SECOND)],
    ids=["light", "dark"],
)
def test_a_tie_goes_to_whoever_placed_last(played: Played, winner: Seat) -> None:
    state = play("tailits", *played.moves.split())
    assert state.last_seat is winner
    assert state.outcome() == Outcome(winner, Scores(played.light[0], played.dark[0]))


def test_the_larger_group_wins_whoever_placed_last() -> None:
    state = play("tailits", *LIGHT_LAST_DARK_LARGER.moves.split())
    assert state.last_seat is Seat.FIRST
    assert state.outcome() == Outcome(Seat.SECOND, Scores(4, 8))


@pytest.mark.parametrize(
    ("played", "winner", "last"),
    [
        (LIGHT_LAST_DARK_LARGER, Seat.SECOND, Seat.FIRST),
        (DARK_LAST_LIGHT_LARGER, Seat.FIRST, Seat.SECOND),
        (LIGHT_LAST_ALL_EQUAL, Seat.FIRST, Seat.FIRST),
        (DARK_LAST_ALL_EQUAL, Seat.SECOND, Seat.SECOND),
    ],
)
def test_equal_second_groups_go_by_the_largest_then_by_who_placed_last(
    played: Played, winner: Seat, last: Seat
) -> None:
    state = play("tailits:score=second", *played.moves.split())
    assert state.last_seat is last
    assert state.outcome() == Outcome(winner, Scores(played.light[1], played.dark[1]))


def test_second_may_turn_a_game_round() -> None:
    moves = DARK_LAST_10_10.moves.split()
    assert totals(play("tailits:score=second", *moves)) == (3, 5)
    light_first = play("tailits:score=second", *LIGHT_LAST_6_6.moves.split())
    assert light_first.outcome() == Outcome(Seat.FIRST, Scores(6, 4))
