"""Limits and defaults at their exact values, where the next value is another answer."""

from __future__ import annotations

import pytest

from taiji.rules import (
    Adjacency,
    Board,
    Game,
    GameError,
    GroupProduct,
    IllegalMove,
    LargestGroups,
    MatchContext,
    NotationError,
    State,
    SumOfSquares,
    parse_game,
)
from taiji.rules import catalogue as catalogue_module
from taiji.rules import restoring as restoring_module
from taiji.rules.battle_of_lits import MAX_SIZE, MIN_SIZE
from taiji.rules.catalogue import MAX_TEXT_CHARS
from taiji.rules.errors import excerpt
from taiji.rules.placing import NoFullBlock
from taiji.rules.placing.base import PLACING_RULES, PlacingRule, placing_rule
from taiji.rules.program import Fold, Source, Tally
from taiji.rules.program_json import layout_to_json
from taiji.rules.scoring.declared_tally import MAX_VALUE
from tests.rules.helpers import legal_texts, play
from tests.rules.test_custom import declared


@pytest.mark.parametrize("text", ["taiji:size=12", "taiji:groups=4", "tailits+taiji:groups=4"])
def test_one_more_than_the_largest_value_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="expected an integer"):
        parse_game(text)
    number = int(text.rpartition("=")[2])
    assert parse_game(text.replace(str(number), str(number - 1)))


def test_a_number_has_at_most_ten_digits() -> None:
    assert parse_game("taiji:size=0000000007") == parse_game("taiji:size=7")
    with pytest.raises(GameError, match="expected an integer"):
        parse_game("taiji:size=00000000007")


def test_a_game_text_may_have_its_full_length() -> None:
    assert parse_game("taiji".ljust(MAX_TEXT_CHARS)) == parse_game("taiji")
    with pytest.raises(GameError, match="too long"):
        parse_game("taiji".ljust(MAX_TEXT_CHARS + 1))


@pytest.mark.parametrize("size", [MIN_SIZE, MAX_SIZE])
def test_a_drawn_board_may_have_the_smallest_and_the_largest_size(size: int) -> None:
    rows = "|".join(["." * size] * size)
    board = parse_game(f"battle-of-lits:symbols={rows}").stages[0].board
    assert (board.width, board.height) == (size, size)


@pytest.fixture
def no_games_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `parse_game` start without any game that another test has built."""
    monkeypatch.setattr(catalogue_module, "_games", {})
    monkeypatch.setattr(catalogue_module, "_canonical", {})


@pytest.mark.usefixtures("no_games_in_memory")
def test_the_oldest_game_is_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue_module, "MAX_GAMES", 2)
    oldest, second, third = (parse_game(f"taiji:size={size}") for size in (2, 3, 4))
    assert parse_game("taiji:size=3") is second
    assert parse_game("taiji:size=4") is third
    assert parse_game("taiji:size=2") is not oldest


@pytest.mark.usefixtures("no_games_in_memory")
def test_only_games_that_were_used_count_towards_the_limit_of_placements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(catalogue_module, "MAX_PLACEMENTS", 40)
    unused = parse_game("taiji:size=5")
    parse_game("taiji:size=2")
    assert parse_game("taiji:size=5") is unused
    assert len(unused.placements) == 80
    parse_game("taiji:size=3")
    assert parse_game("taiji:size=5") is not unused


def test_a_text_of_the_allowed_length_is_not_clipped() -> None:
    assert excerpt("x" * 24) == "x" * 24
    assert excerpt("x" * 25) == "x" * 23 + "…"


def test_an_error_is_moved_by_the_columns_before_its_text() -> None:
    assert NotationError("wrong").at(column=5).column == 5
    assert NotationError("wrong", column=3).at(column=5).column == 7


def test_what_is_left_out_has_its_default() -> None:
    assert MatchContext() == MatchContext(lead=0, tie_winner=None)
    assert LargestGroups() == LargestGroups(1)
    assert SumOfSquares() == SumOfSquares(1)
    assert NoFullBlock() == NoFullBlock(2, 2)
    assert GroupProduct.from_table({"rule": "product"}).groups == 1
    assert GroupProduct.omega_from_table({"rule": "omega"}).groups is None


@pytest.mark.parametrize(("groups", "rule"), [(None, "omega"), (1, "product"), (2, "product")])
def test_a_product_of_all_groups_has_its_own_name(groups: int | None, rule: str) -> None:
    assert GroupProduct(groups).lower(Board(3, 3), None).rule == rule


def test_only_the_second_largest_group_needs_a_tie_break() -> None:
    assert parse_game("tailits").stages[0].tiebreak == ()
    largest = LargestGroups(1, Adjacency.KING)
    assert parse_game("tailits:score=second").stages[0].tiebreak == (largest,)


def test_a_block_may_be_one_cell_wide() -> None:
    assert NoFullBlock.from_table([1, 3], Board(4, 4)) == NoFullBlock(1, 3)
    with pytest.raises(GameError, match="width and height"):
        NoFullBlock.from_table([0, 3], Board(4, 4))


def test_a_rule_is_registered_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing(PlacingRule):
        key = "nothing"

    monkeypatch.setitem(PLACING_RULES, "nothing", NoFullBlock)
    assert placing_rule(Nothing) is Nothing
    assert PLACING_RULES["nothing"] is Nothing


def tally(value: tuple[int, ...], first: int = 1, join: Adjacency | None = Adjacency.EDGE) -> Tally:
    return Tally("made", Source.SQUARES, join, first, None, value, Fold.SUM)


def test_cells_that_count_one_by_one_may_begin_at_a_later_rank() -> None:
    board = Board(3, 3)
    assert tally(tuple(range(10)), join=None).score(board, 0b11111) == 5
    assert tally(tuple(range(10)), first=2, join=None).score(board, 0b11111) == 4


def test_groups_worth_nothing_do_not_lower_a_score() -> None:
    assert tally((0, 0, 1, 2, 3)).monotone
    assert not tally((0, -1, 1, 2, 3)).monotone


def test_a_declared_value_may_be_the_largest() -> None:
    scoring = {"rule": "tally", "adjacency": "edge", "value": [MAX_VALUE]}
    assert declared(score=scoring)
    with pytest.raises(GameError, match=r"value: invalid \(expected"):
        declared(score={**scoring, "value": [MAX_VALUE + 1]})


def test_a_supply_may_be_empty() -> None:
    bar = {"kind": "bar", "shape": ["ld"], "count": 2}
    game = declared(pieces=[bar, {"kind": "none", "shape": ["l"], "count": 0}])
    assert {move.kind for move in game.start().legal()} == {"bar"}
    with pytest.raises(GameError, match="count=-1"):
        declared(pieces=[{**bar, "count": -1}])


def _light_squares(game: Game) -> set[int]:
    footprints = layout_to_json(game.compiled.stages[0].layout)
    return {light for footprint in footprints for light, _ in footprint["faces"]}


def test_faces_of_one_colour_are_not_plain() -> None:
    game = declared(pieces=[{"kind": "bar", "shape": ["ll"], "count": 2}])
    assert _light_squares(game) == {0b11}
    assert _light_squares(parse_game("battle-of-lits")) == {-1}


def test_a_move_names_its_stage_only_if_it_is_a_later_one() -> None:
    state = parse_game("taiji+battle-of-lits:size=2").start()
    move = state.legal()[0]
    assert "stage" not in repr(move)
    assert "board" not in repr(move.footprint)
    game = parse_game("tailits+taiji")
    later = next(move for move in game.placements if move.stage_index == 1)
    assert repr(later).endswith(", stage=1)")
    assert eval(repr(later)) == later


def test_an_empty_board_is_drawn_empty() -> None:
    drawn = str(parse_game("taiji:size=2").start())
    assert drawn.splitlines()[:2] == ["2  . .", "1  . ."]


def test_cells_fixed_by_a_declared_test_are_counted_at_every_move() -> None:
    """At most two of the four corner cells a1, a2, b1 and b2 may be covered."""
    corner = {"name": "corner", "plane": "after", "region": "fixed", "cells": ["a1", "a2", "b1", "b2"]}
    told = {**corner, "counts": [[0, 2]], "text": "the corner is full"}
    game = declared(board=["...", "...", "..."], rules={"test": [told]})
    assert len(game.start().legal()) == 24, "nothing is covered at the start"
    state = play(game.start(), "a1/a2")
    assert "b1/b2" not in legal_texts(state)
    assert "b2/b3" not in legal_texts(state)
    assert "b3/c3" in legal_texts(state)


def test_no_cell_is_of_a_kind_at_the_start() -> None:
    """Of a1, a2 and b1, not exactly one may be covered by the kind that is placed."""
    told = {"name": "pairs", "plane": "kind", "region": "fixed", "cells": ["a1", "a2", "b1"], "text": "alone"}
    game = declared(board=["...", "...", "..."], rules={"test": [{**told, "counts": [[0, 0], [2, 3]]}]})
    assert len(game.start().legal()) == 24
    assert play(game.start(), "b2/c2").legal()
    assert not play(game.start(), "b1/c1").legal(), "now exactly one is"


def test_sets_of_a_declared_test_are_counted_at_every_move() -> None:
    """At most one piece may lie in the bottom row, and at most one in the top row."""
    rows = {"region": "each", "sets": [["a1", "b1", "c1"], ["a3", "b3", "c3"]]}
    told = {"name": "one-each", "plane": "covered", **rows, "counts": [[0, 0]], "text": "the row is taken"}
    game = declared(board=["...", "...", "..."], rules={"test": [told]})
    state = play(game.start(), "a1/a2")
    assert set(legal_texts(state)) == {
        *("b2/c2", "c2/b2", "b2/b3", "b3/b2", "c2/c3", "c3/c2"),
        *("a3/b3", "b3/a3", "b3/c3", "c3/b3"),
    }
    assert set(legal_texts(play(state, "b3/c3"))) == {"b2/c2", "c2/b2"}


def least_limit(game: Game, placed: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the smallest limit with which the order of some placements is found."""
    for limit in range(1, 200):
        monkeypatch.setattr(restoring_module, "MAX_POSITIONS", limit)
        try:
            State.restore(game, (placed,))
        except IllegalMove:
            continue
        return limit
    raise AssertionError("no limit is enough")


def test_the_search_for_an_order_ends_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    state = parse_game("tailits").start()
    for _ in range(2):
        state = state.play(state.legal()[7])
    # Only the piece on the centre may be first: one position after each piece, and the limit is not reached.
    assert least_limit(state.game, state.placed[0][::-1], monkeypatch) == 3
