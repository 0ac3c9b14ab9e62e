"""Known first moves: legal, even, and played by those who play their best."""

from __future__ import annotations

import json

import pytest

from taiji.players import Limit, make_player
from taiji.players.first_moves import FILE, known_first_move
from taiji.rules import MatchContext, Seat, parse_game

GAME = parse_game("battle-of-lits:board=2")
QUICK = Limit(playouts=8)
ENTRIES = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_known_move_is_legal_and_even() -> None:
    assert len(ENTRIES) >= 100
    for text, entry in ENTRIES.items():
        game = parse_game(text)
        assert str(game) == text
        move = game.parse(entry["move"])
        assert str(move) == entry["move"]
        assert game.start().is_legal(move)
        assert 0.3 <= entry["light"] <= 0.7


def test_the_other_player_takes_the_better_colour() -> None:
    known = known_first_move(GAME.start())
    assert known is not None
    move, info = known
    light = ENTRIES[str(GAME)]["light"]
    assert info.win_prob == min(light, 1 - light)
    assert info.pv == (move,)


def test_only_first_moves_are_known() -> None:
    known = known_first_move(GAME.start())
    assert known is not None
    assert known_first_move(GAME.start().play(known[0])) is None
    assert known_first_move(parse_game("battle-of-lits:board=2,swap=no").start()) is None
    assert known_first_move(parse_game("taiji").start()) is None


@pytest.mark.parametrize("text", ["neural:book=yes", "level:10"])
def test_who_plays_the_best_plays_a_known_move(text: str) -> None:
    move, info = make_player(text, seed=1).choose(GAME.start(), QUICK)
    assert str(move) == ENTRIES[str(GAME)]["move"]
    assert info.playouts == 0


@pytest.mark.parametrize("text", ["neural", "level:9"])
def test_the_others_search(text: str) -> None:
    _, info = make_player(text, seed=1).choose(GAME.start(), QUICK)
    assert info.playouts > 0


def test_in_a_match_the_first_move_is_searched() -> None:
    player = make_player("neural:book=yes", seed=1)
    _, info = player.choose(GAME.start(), QUICK, match=MatchContext(3, Seat.FIRST))
    assert info.playouts > 0
