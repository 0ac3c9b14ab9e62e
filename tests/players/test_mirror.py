"""The player `mirror`: equal points to the end wherever the mirror theorem applies."""

from random import Random

import pytest

from taiji.kernel import Kernel, Solver
from taiji.players import Limit, PlayerError, make_player
from taiji.players.mirror import mirror_move
from taiji.rules import MatchContext, Seat, game_from_dict, parse_game

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


def oblong(width, height):
    return game_from_dict(
        {
            "name": "oblong",
            "board": ["." * width] * height,
            "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
            "tie": "light",
        }
    )


@pytest.mark.parametrize(("width", "height"), [(4, 3), (5, 4), (3, 6)])
def test_light_takes_the_central_pair_of_even_by_odd_boards(width, height):
    game = oblong(width, height)
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


def cells(game):
    return game.stages[0].board.cells.bit_count()


def almost_mirrored(game, rng):
    """Return a position after moves and their images, of which the last is often missing or another."""
    state = game.start()
    for _ in range(rng.randrange(1 + cells(game) // 4)):
        state = state.play(rng.choice(state.legal()))
        answer = mirror_move(state)
        if state.is_over or answer is None:
            break
        state = state.play(answer if rng.random() < 0.9 else rng.choice(state.legal()))
        if state.is_over:
            break
    return state.play(rng.choice(state.legal())) if not state.is_over and rng.random() < 0.7 else state


@pytest.mark.parametrize(
    ("game", "least"),
    [
        (parse_game("taiji:size=4"), 50),
        (parse_game("taiji:size=4,tie=last"), 50),
        (parse_game("taiji:size=4,tie=draw"), 0),
        (parse_game("taiji:size=4,komi=1"), 0),
        (parse_game("taiji:size=4,komi=-1"), 50),
        (parse_game("taiji:size=6,score=omega"), 50),
        (oblong(4, 3), 20),
    ],
    ids=str,
)
def test_the_core_proves_wins_by_mirroring(game, least):
    """It sees all that the player sees where equal points win, and more: groups match without their cells."""
    solver = Solver(Kernel(game), memory=16)
    proven = 0
    for seed in range(200):
        state = almost_mirrored(game, Random(seed))
        if state.is_over:
            continue
        found, seen = solver.mirror_win(state), mirror_move(state)
        if seen is not None:
            assert (found is not None) == (mirrored_to_the_end(state.play(seen)).winner is state.seat_to_move)
        if found is None:
            continue
        proven += 1
        assert state.is_legal(found)
        if cells(game) <= 16:
            assert solver.solve(state.play(found), winner_only=True).winner is state.seat_to_move
        else:
            assert seen is not None
    assert proven >= least


def mirrored_to_the_end(state):
    while not state.is_over:
        state = state.play(state.legal()[0])
        state = state.play(mirror_move(state))
    return state.outcome()


def test_the_solver_knows_the_theorem_in_the_middle_of_a_game():
    state = parse_game("taiji:size=10").start().play("a1/a2")
    solution = Solver(Kernel(state.game), memory=16).solve(state, winner_only=True)
    assert (solution.winner, [str(move) for move in solution.best]) == (Seat.SECOND, ["j9/j10"])
    assert solution.nodes < 100


PROVING = ["mcts:playouts=5,mirrors=yes", "neural:playouts=5,mirrors=yes", "level:10"]
NOT_PROVING = ["mcts:playouts=5", "neural:playouts=5", "uct:playouts=5", "level:3"]


@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("text", PROVING)
def test_strong_players_win_as_dark_by_mirroring(text, size):
    game = parse_game(f"taiji:size={size}")
    player, rng = make_player(text, seed=1), Random(1)
    state = game.start()
    while not state.is_over:
        if state.seat_to_move is Seat.FIRST:
            state = state.play(rng.choice(state.legal()))
            continue
        move, info = player.choose(state, QUICK)
        assert (info.exact, info.win_prob, info.pv[0]) == (True, 1.0, move)
        state = state.play(move)
    assert state.outcome().scores.first == state.outcome().scores.second
    assert state.outcome().winner is Seat.SECOND


@pytest.mark.parametrize("text", NOT_PROVING)
def test_others_search(text):
    state = parse_game("taiji:size=8").start().play("a1/a2")
    _, info = make_player(text, seed=1).choose(state, QUICK)
    assert not info.exact


@pytest.mark.parametrize(
    "text", ["mcts:mirrors=yes,endgame=no", "uct:mirrors=yes", "neural:mirrors=yes,endgame=no"]
)
def test_mirroring_needs_the_endgame(text):
    with pytest.raises(PlayerError, match="mirrors=yes: invalid with"):
        make_player(text)


@pytest.mark.parametrize("context", [MatchContext(2, Seat.SECOND), MatchContext(0, Seat.FIRST)])
def test_a_match_may_need_more_than_equal_points(context):
    state = parse_game("taiji:size=8").start().play("a1/a2")
    assert make_player("mcts:mirrors=yes").choose(state, QUICK, match=MatchContext(-2, Seat.FIRST))[1].exact
    assert not make_player("mcts:mirrors=yes").choose(state, QUICK, match=context)[1].exact
