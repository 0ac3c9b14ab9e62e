"""The definition of a game: an interpreter of the JSON alone agrees with the state."""

from __future__ import annotations

import json
import random

import pytest

from taiji.rules import EDITIONS, GAMES, Placement, parse_game
from taiji.server.contract.catalogue import Catalogue
from taiji.server.domain.game_definition import catalogue, game_definition
from tests.rules.json_player import JsonGame

TEXTS = [
    "taiji:size=5", "taiji:size=6,score=omega", "taiji:size=5,diagonal=yes", "taiji:size=5,score=squares",
    "taiji:size=5,score=product,groups=2", "tailits", "tailits:score=second,set=free", "battle-of-lits",
    "battle-of-lits:size=6,swap=no", "tailits+taiji", "taiji+battle-of-lits:size=6",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_an_interpreter_of_the_definition_agrees(text: str) -> None:
    definition = json.loads(game_definition(text).model_dump_json())
    game = parse_game(text)
    assert definition["game"] == str(game)
    engine = JsonGame(definition["program"], [stage["footprints"] for stage in definition["stages"]])
    rng = random.Random(text)
    state = game.start()
    while not state.is_over:
        assert engine.actions() == {move.action for move in state.legal()}
        assert engine.seat_of(engine.colour_to_move) == state.seat_to_move
        move = rng.choice(state.legal()[-2:] if state.can_swap else state.legal())
        state = state.play(move)
        engine.play(move.action)
        assert [half / 2 for half in engine.half_points()] == list(state.scores())
    assert not engine.actions()
    outcome = state.outcome()
    assert outcome is not None
    assert engine.winner() == (None if outcome.winner is None else int(outcome.winner))


@pytest.mark.parametrize("text", ["taiji:size=3,diagonal=yes", "tailits", "battle-of-lits"])
def test_pieces_are_those_of_the_stage(text: str) -> None:
    game, definition = parse_game(text), game_definition(text)
    pieces = definition.stages[0].pieces
    assert [piece.kind for piece in pieces] == [piece.kind for piece in game.stages[0].pieces]
    move = game.placements[0]
    assert isinstance(move, Placement)
    stocks = {piece.stock for piece in pieces if piece.kind == move.kind}
    assert move.stock in stocks
    assert all(len(piece.colours) == len(piece.squares) for piece in pieces)


def test_the_catalogue_lists_every_game_edition_and_option() -> None:
    listed = catalogue()
    assert [game.name for game in listed.games] == list(GAMES)
    assert [edition.name for edition in listed.editions] == list(EDITIONS)
    for game in listed.games:
        assert [option.name for option in game.options] == [o.name for o in GAMES[game.name].options]
    assert Catalogue.model_validate_json(listed.model_dump_json()) == listed


def test_an_edition_brings_its_match_rule() -> None:
    assert game_definition("blue-panther").match_rule == "blue-panther"
    assert game_definition("blue-panther").game == "taiji:groups=1"
