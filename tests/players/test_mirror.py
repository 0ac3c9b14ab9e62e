"""The player `mirror`: equal points to the end wherever the mirror theorem applies."""

import pytest

from taiji.players import Limit, make_player
from taiji.players.mirror import mirror_move
from taiji.rules import Seat, game_from_dict, parse_game

QUICK = Limit(playouts=20)


def play(game, players):
    state = game.start()
    for player in players:
        player.new_game()
    while not state.is_over:
        move, _ = players[state.seat_to_move].choose(state, QUICK)
        state = state.play(move)
    return state.outcome()


@pytest.mark.parametrize("score", ["sum", "omega", "squares", "product"])
@pytest.mark.parametrize("size", [4, 6])
def test_dark_mirrors_even_boards_to_the_end(size, score):
    game = parse_game(f"taiji:size={size},groups=2" if score == "sum" else f"taiji:size={size},score={score}")
    for seed in range(3):
        outcome = play(game, (make_player("random", seed=seed), make_player("mirror", seed=seed)))
        assert outcome.scores.first == outcome.scores.second
        assert outcome.winner is Seat.SECOND


@pytest.mark.parametrize(("width", "height"), [(4, 3), (5, 4), (3, 6)])
def test_light_takes_the_central_pair_of_even_by_odd_boards(width, height):
    game = game_from_dict(
        {
            "name": "oblong",
            "board": ["." * width] * height,
            "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
            "tie": "light",
        }
    )
    for seed in range(3):
        outcome = play(game, (make_player("mirror", seed=seed), make_player("random", seed=seed)))
        assert outcome.scores.first == outcome.scores.second
        assert outcome.winner is Seat.FIRST


@pytest.mark.parametrize("text", ["taiji:size=5", "taiji:size=6,diagonal=yes", "tailits", "battle-of-lits"])
def test_it_plays_on_as_mcts_where_it_cannot_mirror(text):
    state = parse_game(text).start()
    assert mirror_move(state) is None
    move, _ = make_player("mirror:playouts=20", seed=1).choose(state, Limit())
    assert state.is_legal(move)


def test_dark_has_nothing_to_mirror_on_an_even_by_odd_board():
    game = parse_game("taiji:size=4")
    assert mirror_move(game.start()) is None, "Light is to move in a symmetric position"
    state = game.start().play("a1/b1")
    assert str(mirror_move(state)) == "c4/d4"
