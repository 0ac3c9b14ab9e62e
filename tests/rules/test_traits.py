"""Traits and bounds, derived from the compiled form."""

from __future__ import annotations

from itertools import product

import pytest

from taiji.rules import Adjacency, parse_game
from taiji.rules.placing import FirstMustCover
from taiji.rules.program import (
    NONE_COUNTED,
    Around,
    Cells,
    Counts,
    Each,
    Fixed,
    Fold,
    Plane,
    Region,
    Source,
    Tally,
    Test,
    Under,
    When,
    Why,
    fold_values,
)
from taiji.rules.traits import Shape, classify, derive_traits, score_bits, score_bounds
from tests.rules.test_custom import declared

SIZE = tuple(range(13))


def make_test(
    plane: Plane,
    region: Region,
    *counts: tuple[int, int],
    when: When = When.ALWAYS,
    cells: Cells = Cells.NONE,
) -> Test:
    return Test("made", plane, region, Counts(counts), Why("made", "made", cells), when)


def make_tally(
    first: int = 1,
    last: int | None = None,
    value: tuple[int, ...] = SIZE,
    fold: Fold = Fold.SUM,
    join: Adjacency | None = Adjacency.EDGE,
) -> Tally:
    return Tally("made", Source.SQUARES, join, first, last, value, fold)


@pytest.mark.parametrize(
    ("ranges", "size", "passing"),
    [
        (((0, 0),), 3, {0}),
        (((1, -1),), 3, {1, 2, 3}),
        (((1, -1),), 0, set()),
        (((-1, -1),), 3, {3}),
        (((0, -2),), 3, {0, 1, 2}),
        (((0, 0), (-1, -1)), 2, {0, 2}),
        (((2, 9),), 3, {2, 3}),
        (((-9, 1),), 3, {0, 1}),
        (((2, 1),), 3, set()),
    ],
)
def test_counts_pass_in_their_ranges(
    ranges: tuple[tuple[int, int], ...], size: int, passing: set[int]
) -> None:
    counts = Counts(ranges)
    assert {count for count in range(size + 1) if counts.allows(count, size)} == passing
    assert counts.passing(size) == sum(1 << count for count in passing)


@pytest.mark.parametrize(
    ("test", "shape"),
    [
        (make_test(Plane.PIECE, Fixed(1), (0, 0)), Shape.STATIC),
        (make_test(Plane.GROUND, Under(), (1, -1)), Shape.STATIC),
        (make_test(Plane.COVERED, Around(), (0, 0)), Shape.KILL),
        (make_test(Plane.KIND, Each((3,)), (0, 0)), Shape.KILL),
        (make_test(Plane.COVERED, Around(), (1, -1)), Shape.WAKE),
        (make_test(Plane.COVERED, Each((3,)), (1, -1)), Shape.COUNT),
        (make_test(Plane.AFTER, Each((3,)), (0, -2)), Shape.BLOCK),
        (make_test(Plane.AFTER, Fixed(3), (0, -2)), Shape.COUNT),
        (make_test(Plane.AFTER, Each((3,)), (0, 0)), Shape.COUNT),
        (make_test(Plane.KIND, Around(), (0, 1)), Shape.COUNT),
    ],
)
def test_tests_have_shapes(test: Test, shape: Shape) -> None:
    assert classify(test) is shape


def test_the_traits_of_the_family() -> None:
    traits = {
        text: parse_game(text).compiled.stages[-1].traits
        for text in ("taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
    }
    assert [text for text in traits if traits[text].heights_matter] == ["tailits+taiji"]
    assert [text for text in traits if not traits[text].is_constrained] == ["taiji"]
    assert [text for text in traits if not traits[text].can_become_live] == ["taiji", "tailits+taiji"]
    assert all(trait.order_free for trait in traits.values())
    board = parse_game("tailits").stages[0].board
    assert traits["tailits"].start_cells == board.centre
    assert [text for text in traits if traits[text].start_cells] == ["tailits"]
    assert traits["tailits"].fixed_masks == (frozenset({board.centre}), frozenset(board.blocks(2, 2)))


def test_symbols_count_in_battle_of_lits_and_on_top_of_taiji() -> None:
    stages = parse_game("taiji+battle-of-lits").compiled.stages + parse_game("battle-of-lits").compiled.stages
    assert [stage.counts_symbols for stage in stages] == [False, True, True]


def test_cells_of_other_rules_are_no_start_cells() -> None:
    not_there = make_test(Plane.PIECE, Fixed(0b11), (0, 0), when=When.FIRST)
    never = make_test(Plane.PIECE, Fixed(0b11), (1, -1))
    some = make_test(Plane.PIECE, Fixed(0b110), (1, -1), when=When.FIRST)
    assert derive_traits((not_there, never)).start_cells == 0
    assert derive_traits((not_there, some)).start_cells == 0b110


@pytest.mark.parametrize(
    ("test", "order_free"),
    [
        (make_test(Plane.PIECE, Fixed(1), (0, 0)), True),
        (make_test(Plane.KIND, Around(), (0, 0)), True),
        (make_test(Plane.COVERED, Around(), (0, 1)), False),
        (make_test(Plane.COVERED, Each((3,)), (0, 0)), False),
        (make_test(Plane.AFTER, Each((3,)), (0, 1)), True),
        (make_test(Plane.AFTER, Each((3,)), (1, 1)), False),
        (make_test(Plane.AFTER, Fixed(3), (0, 1)), True),
        (make_test(Plane.COVERED, Around(), (1, -1), when=When.LATER), True),
        (make_test(Plane.COVERED, Around(), (2, -1), when=When.LATER), False),
        (make_test(Plane.PIECE, Fixed(1), (0, 0), when=When.LATER), False),
        (make_test(Plane.PIECE, Fixed(1), (0, 0), when=When.FIRST), True),
        (make_test(Plane.AFTER, Fixed(1), (0, 0), when=When.FIRST), False),
    ],
)
def test_some_tests_depend_on_the_order(test: Test, order_free: bool) -> None:
    assert derive_traits((test,)).order_free is order_free


def test_a_rule_without_symmetry_takes_the_symmetries_from_its_game() -> None:
    def symmetries(region: dict[str, object]) -> int:
        test = {"name": "odd", "plane": "piece", "counts": [[0, 0]], **region}
        return len(declared(board=["...", "...", "..."], rules={"test": [test]}).symmetries)

    assert symmetries({"region": "under"}) == 8
    assert symmetries({"region": "fixed", "cells": ["b2"]}) == 8
    assert symmetries({"region": "fixed", "cells": ["a1"]}) == 2
    assert symmetries({"region": "each", "sets": [["a1", "b1"]]}) == 1
    assert symmetries({"region": "each", "sets": [["a1"], ["a3"], ["c1"], ["c3"]]}) == 8


def test_tallies_have_traits() -> None:
    squares = tuple(size * size for size in SIZE)
    assert [make_tally(last=last).depth for last in (None, 3)] == [0, 3]
    assert make_tally(last=3, join=None).depth == 0
    assert [make_tally(value=value).linear for value in (SIZE, squares)] == [True, False]
    assert not make_tally(fold=Fold.PRODUCT).linear
    assert [make_tally(value=value).monotone for value in (SIZE, squares)] == [True, True]
    assert not make_tally(first=2, last=2).monotone
    assert not make_tally(fold=Fold.PRODUCT).monotone
    assert not make_tally(value=(0, *[1] * 12)).monotone
    assert not make_tally(value=(0, -1, -2, -3)).monotone
    assert make_tally().shown([5, 4]) == "5 + 4"
    assert make_tally(fold=Fold.PRODUCT).shown([5, 4]) == "5 × 4"
    assert make_tally(join=None).shown([1, 1]) == ""


def all_sizes(most: int, largest: int | None = None) -> list[list[int]]:
    """Every list of group sizes, largest first, of at most `most` cells."""
    found: list[list[int]] = [[]]
    for size in range(1, min(most, largest or most) + 1):
        found += [[size, *rest] for rest in all_sizes(most - size, size)]
    return found


@pytest.mark.parametrize(
    ("first", "last", "value", "fold"),
    list(
        product(
            (1, 2, 3),
            (None, 0, 1, 20),
            (SIZE, (0, 3, 1, -2, 0, 4, -5, 1, 1, 1, 1, 1, 1), (0, *[1] * 12), (0, *[-1] * 12)),
            Fold,
        )
    ),
)
def test_bounds_are_the_extremes_of_all_sizes(
    first: int, last: int | None, value: tuple[int, ...], fold: Fold
) -> None:
    tally = make_tally(first, None if last is None else first + last, value, fold)
    for most in (0, 1, 7):
        groups = all_sizes(most)
        scores = [
            fold_values(fold, [value[size] for size in sizes[first - 1 : tally.last]]) for sizes in groups
        ]
        assert score_bounds(tally, most) == (min(scores), max(scores))
        some = [score for score, sizes in zip(scores, groups, strict=True) if sizes] or [0]
        low, high = score_bounds(tally, most, 1)
        assert (low, high) == (min(some), max(some)) if first == 1 else low <= min(some) <= max(some) <= high


def test_cells_that_count_one_by_one_are_bounded_by_their_number() -> None:
    assert score_bounds(make_tally(join=None), 7, 2) == (2, 7)
    assert score_bounds(make_tally(2, 4, join=None), 7) == (0, 3)
    assert score_bounds(make_tally(join=None, value=(0, -2)), 3) == (-6, 0)
    assert score_bounds(make_tally(join=None, value=(0, -2), fold=Fold.PRODUCT), 3) == (-8, 4)


def test_bits_hold_every_score() -> None:
    assert [score_bits(make_tally(), most) for most in (1, 7, 8)] == [1, 3, 4]
    assert score_bits(make_tally(value=(0, -4)), 1) == 3
    assert score_bits(make_tally(value=(0, -5)), 1) == 4
    assert score_bits(make_tally(), 0) == 0, "the only score is 0"
    omega = parse_game("taiji:size=11,score=omega").compiled.stages[0].score
    assert score_bounds(omega, 60) == (0, 3**20)


def test_the_centre_is_named_only_where_it_is_the_centre() -> None:
    board = parse_game("tailits").stages[0].board
    texts = [FirstMustCover(cells).lower(board)[0].why.text for cells in (board.centre, 1)]
    assert texts == ["the first piece must cover the centre {cells}", "the first piece must cover {cells}"]


def test_the_rule_of_every_game_comes_first() -> None:
    assert parse_game("tailits").compiled.stages[0].tests[0].counts == NONE_COUNTED
