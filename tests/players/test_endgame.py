"""The endgame: what the solver can afford, and what the players make of its answer."""

import pytest

from taiji.kernel import Kernel, MoveInfo, SearchResult, WinCheck
from taiji.players import Limit, make_player
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
from taiji.rules import MatchContext, Seat, parse_game


def walk(text, seed):
    """Yield the positions of a random game with their states."""
    kernel = Kernel(parse_game(text))
    state, position = kernel.game.start(), kernel.start()
    for action in kernel.start().random_game(seed):
        yield state, position
        state = state.play(kernel.game.move(action))
        position.play(action)


def test_the_solver_affords_more_towards_the_end():
    for text in ("battle-of-lits", "tailits"):
        endgame = Endgame(Kernel(parse_game(text)))
        plans = [endgame.plan(state, position, 0.2, None).value for state, position in walk(text, 1)]
        assert plans == sorted(plans)
        assert set(plans) == {SolverPlan.NONE.value, SolverPlan.CHECK_MOVES.value, SolverPlan.SOLVE.value}


def test_the_solver_affords_more_with_more_time():
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


@pytest.fixture(params=["mcts:playouts=200", "neural:evaluations=4,handover=0"])
def checking_player(request, monkeypatch):
    """A player whose solver always checks the moves of the search."""
    if request.param.startswith("neural"):
        pytest.importorskip("onnxruntime")
    monkeypatch.setattr(Endgame, "plan", lambda *_: SolverPlan.CHECK_MOVES)
    return make_player(request.param, seed=1)


def test_a_player_plays_the_win_that_the_solver_has_found(checking_player, monkeypatch):
    state = parse_game("tailits").start()
    winning = state.legal()[17]
    asked = []

    def find_winning_move(self, position, moves, seconds, playouts, match):
        asked.extend(moves)
        return WinCheck(winning.action, (), 1, 0.0)

    monkeypatch.setattr(Endgame, "find_winning_move", find_winning_move)
    move, info = checking_player.choose(state, Limit())
    assert (move, info.win_prob, info.pv[0]) == (winning, 1.0, winning)
    assert asked


def test_a_player_leaves_a_move_that_the_solver_refutes(checking_player, monkeypatch):
    state = parse_game("tailits").start()
    refuted = []

    def refute_the_best(self, position, moves, seconds, playouts, match):
        refuted.append(moves[0])
        return WinCheck(None, (moves[0],), 1, 0.0)

    monkeypatch.setattr(Endgame, "find_winning_move", refute_the_best)
    move, info = checking_player.choose(state, Limit())
    assert move.action != refuted[0]
    assert info.candidates[0].move == move


def test_the_solver_checks_for_the_match_and_not_for_the_game(checking_player, monkeypatch):
    state, match = parse_game("tailits").start(), MatchContext(4, Seat.SECOND)
    matches = []

    def find_winning_move(self, position, moves, seconds, playouts, match):
        matches.append(match)
        return WinCheck(None, (), 1, 0.0)

    monkeypatch.setattr(Endgame, "find_winning_move", find_winning_move)
    checking_player.choose(state, Limit(), match=match)
    assert matches == [match]
