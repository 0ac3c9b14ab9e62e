"""The end of a game: what the solver may do for a position, and what a search makes of its verdict."""

from taiji.kernel import Kernel, MoveInfo, SearchResult, WinCheck
from taiji.players.endgame import Endgame, SolverPlan
from taiji.players.presets import (
    GROUPS,
    SYMBOLS,
    SYMBOLS_LAST_STAGE,
    UNCONSTRAINED,
    search_preset,
    uct_preset,
)
from taiji.players.searching import apply_win_check
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
        hopes = [endgame.plan(state, position, 0.2, None).value for state, position in walk(text, 1)]
        assert hopes == sorted(hopes)
        assert set(hopes) == {SolverPlan.NONE.value, SolverPlan.CHECK_MOVES.value, SolverPlan.SOLVE.value}


def test_more_time_gives_more_hope():
    text = "battle-of-lits"
    endgame = Endgame(Kernel(parse_game(text)))
    little, much = (
        sum(endgame.plan(state, position, seconds, None).value for state, position in walk(text, 1))
        for seconds in (0.01, 10.0)
    )
    assert little < much


def test_a_stage_that_another_follows_is_not_solved():
    endgame = Endgame(Kernel(parse_game("tailits+taiji")))
    for state, position in walk("tailits+taiji", 1):
        if state.stage_index == 0:
            assert endgame.plan(state, position, 100.0, None) is SolverPlan.NONE


def result(*visits):
    moves = tuple(MoveInfo(action, n, 0.5, 1.0) for action, n in visits)
    return SearchResult(moves[0].action, 0.5, 1.0, (moves[0].action,), 100, 0.1, 10, 1000, moves)


def test_a_move_that_wins_is_played():
    sure = apply_win_check(result((7, 60), (8, 40)), WinCheck(8, (7,), 10, 0.1))
    assert (sure.action, sure.win_prob) == (8, 1.0)
    assert [move.action for move in sure.moves] == [8, 7]
    unknown = apply_win_check(result((7, 60), (8, 40)), WinCheck(9, (7, 8), 10, 0.1))
    assert (unknown.action, unknown.win_prob) == (9, 1.0)


def test_a_move_that_is_refuted_gives_way_to_the_next():
    found = result((7, 60), (8, 30), (9, 10))
    assert apply_win_check(found, WinCheck(None, (7,), 10, 0.1)).action == 8
    assert apply_win_check(found, WinCheck(None, (), 10, 0.1)) == found
    assert apply_win_check(found, WinCheck(None, (7, 8, 9), 10, 0.1)) == found


def test_recipes_go_by_the_shape_of_the_game():
    assert search_preset(parse_game("taiji:size=5")) == UNCONSTRAINED
    assert search_preset(parse_game("tailits")) == search_preset(parse_game("tailits+taiji")) == GROUPS
    assert search_preset(parse_game("battle-of-lits")) == SYMBOLS
    assert search_preset(parse_game("taiji+battle-of-lits")) == SYMBOLS_LAST_STAGE
    assert uct_preset(parse_game("tailits")).exploration > uct_preset(parse_game("taiji")).exploration
    assert not uct_preset(parse_game("tailits")).amaf
