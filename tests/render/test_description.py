"""The description of a position says what the position is."""

from __future__ import annotations

import pytest

from taiji.render import Scene, describe
from taiji.render.description import tiles_mask
from taiji.rules import Colour, parse_game
from tests.render.scenes import GAMES, moments, played


@pytest.mark.parametrize("text", GAMES)
def test_tiles_are_the_pieces_on_the_board(text: str) -> None:
    for state, move in moments(text):
        scene = describe(state, last=move, groups=True)
        assert len(scene.layers) == len(state.placed)
        for layer, tiles in zip(state.layers, scene.layers, strict=True):
            assert tiles_mask(tiles) == layer.covered
            assert sum(tile.light for tile in tiles) == layer.light
            assert sum(tile.dark for tile in tiles) == layer.dark
        told = [(count.colour, count.cells) for count in scene.scoring_groups]
        assert told == [(colour, group) for colour in Colour for group in state.scoring_groups(colour)]


def test_groups_are_told_only_where_asked() -> None:
    state = played("taiji:size=4")[1][-1]
    assert describe(state).scoring_groups == ()
    assert describe(state, groups=True).scoring_groups != ()


@pytest.mark.parametrize(
    ("text", "rings"),
    [
        ("taiji:size=11", (9, 7)),
        ("taiji", (7,)),
        ("taiji:size=7", ()),
        ("taiji:size=10", ()),
        ("tailits", ()),
    ],
)
def test_smaller_boards_are_shown_on_boards_for_dominoes(text: str, rings: tuple[int, ...]) -> None:
    assert describe(parse_game(text).start()).nested_boards == rings


def test_the_start_is_marked_until_it_is_covered() -> None:
    start = parse_game("tailits").start()
    assert start.board.names(describe(start).start_cells) == ["f6"]
    assert describe(start.play(start.legal()[0])).start_cells == 0


def test_symbols_below_count_in_the_second_stage_only_where_they_do() -> None:
    below_counts = played("taiji+battle-of-lits:size=4")[1][-1]
    assert describe(below_counts).ground_counts
    assert not describe(played("tailits+taiji")[1][-1]).ground_counts


def test_words_tell_scores_and_turn() -> None:
    start = parse_game("taiji:size=4").start()
    assert describe(start).alt_text == "taiji:size=4: Light 0, Dark 0, Light to move."
    end = played("taiji:size=4")[1][-1]
    assert describe(end).alt_text.endswith("wins.")


def test_a_scene_is_a_value() -> None:
    state = played("taiji:size=4")[1][-1]
    assert describe(state) == describe(state)
    assert isinstance(hash(describe(state)), int)
    assert isinstance(describe(state), Scene)
