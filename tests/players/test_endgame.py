"""The end of a game: what the solver may do for a position, and what a search makes of its verdict."""

from taiji.kernel import Kernel, MoveInfo, Result, Verdict
from taiji.players.endgame import Endgame, Hope
from taiji.players.recipes import FREE, GROUPS, SYMBOLS, SYMBOLS_AT_LAST, recipe, uct_recipe
from taiji.players.searching import judged
from taiji.rules import parse_game


def walk(text, seed):
    """Yield the positions of a random game with their states."""
    kernel = Kernel(parse_game(text))
    state, position = kernel.game.start(), kernel.start()
    for action in kernel.start().random_game(seed):
        yield state, position
        state = state.play(kernel.game.move(action))
        position.play(action)


def test_hope_grows_towards_the_end():
    for text in ("battle-of-lits", "tailits"):
        endgame = Endgame(Kernel(parse_game(text)))
        hopes = [endgame.hope(state, position, 0.2, None).value for state, position in walk(text, 1)]
        assert hopes == sorted(hopes)
        assert set(hopes) == {Hope.NONE.value, Hope.JUDGE.value, Hope.SOLVE.value}


def test_more_time_gives_more_hope():
    text = "battle-of-lits"
    endgame = Endgame(Kernel(parse_game(text)))
    little, much = (
        sum(endgame.hope(state, position, seconds, None).value for state, position in walk(text, 1))
        for seconds in (0.01, 10.0)
    )
    assert little < much


def test_a_stage_that_another_follows_is_not_solved():
    endgame = Endgame(Kernel(parse_game("tailits+taiji")))
    for state, position in walk("tailits+taiji", 1):
        if state.stage == 0:
            assert endgame.hope(state, position, 100.0, None) is Hope.NONE


def result(*visits):
    moves = tuple(MoveInfo(action, n, 0.5, 1.0) for action, n in visits)
    return Result(moves[0].action, 0.5, 1.0, (moves[0].action,), 100, 0.1, 10, 1000, moves)


def test_a_move_that_wins_is_played():
    sure = judged(result((7, 60), (8, 40)), Verdict(8, (7,), 10, 0.1))
    assert (sure.action, sure.win) == (8, 1.0)
    assert [move.action for move in sure.moves] == [8, 7]
    unknown = judged(result((7, 60), (8, 40)), Verdict(9, (7, 8), 10, 0.1))
    assert (unknown.action, unknown.win) == (9, 1.0)


def test_a_move_that_is_refuted_gives_way_to_the_next():
    found = result((7, 60), (8, 30), (9, 10))
    assert judged(found, Verdict(None, (7,), 10, 0.1)).action == 8
    assert judged(found, Verdict(None, (), 10, 0.1)) == found
    assert judged(found, Verdict(None, (7, 8, 9), 10, 0.1)) == found


def test_recipes_go_by_the_shape_of_the_game():
    assert recipe(parse_game("taiji:size=5")) == FREE
    assert recipe(parse_game("tailits")) == recipe(parse_game("tailits+taiji")) == GROUPS
    assert recipe(parse_game("battle-of-lits")) == SYMBOLS
    assert recipe(parse_game("taiji+battle-of-lits")) == SYMBOLS_AT_LAST
    assert uct_recipe(parse_game("tailits")).exploration > uct_recipe(parse_game("taiji")).exploration
    assert not uct_recipe(parse_game("tailits")).amaf
