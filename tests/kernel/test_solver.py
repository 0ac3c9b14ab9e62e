"""The solver against plain minimax on Python positions, and against what is known of small boards."""

from functools import cache
from random import Random

import pytest

from taiji.kernel import Kernel, Solution, Solver
from taiji.rules import MatchContext, Seat, game_from_dict, parse_game

GAMES = [
    "taiji:size=4",
    "taiji:size=4,groups=2",
    "taiji:size=5,score=omega",
    "taiji:size=5,score=squares,groups=2",
    "taiji:size=5,score=product,groups=2",
    "taiji:size=4,diagonal=yes",
    "taiji:size=7",
    "battle-of-lits:size=5",
    "battle-of-lits:size=6,swap=no",
    "taiji+battle-of-lits:size=4",
    "tailits",
    "tailits:score=second",
    "tailits+taiji:groups=1",
]


@cache
def minimax(state):
    """Return the best result for seat FIRST: the margin, then 1, 0 or -1 for who wins."""
    outcome = state.outcome()
    if outcome is not None:
        margin = outcome.scores.first - outcome.scores.second
        return margin, {Seat.FIRST: 1, None: 0, Seat.SECOND: -1}[outcome.winner]
    values = [minimax(state.play(move)) for move in state.legal()]
    return max(values) if state.seat_to_move is Seat.FIRST else min(values)


def near_the_end(game, seed, choices):
    """Play at random until few choices are left."""
    random = Random(seed)
    state = game.start()
    while not state.is_over and (len(state.legal()) > choices or state.stage_index + 1 < len(game.stages)):
        state = state.play(random.choice(state.legal()))
    return state


@pytest.mark.parametrize("text", GAMES)
def test_it_agrees_with_minimax(text):
    game = parse_game(text)
    solver = Solver(Kernel(game))
    for seed in range(8):
        state = near_the_end(game, seed, 10)
        minimax.cache_clear()
        margin, sign = minimax(state)
        found = solver.solve(state)
        assert found.solved
        assert found.margin == margin
        assert found.winner == {1: Seat.FIRST, 0: None, -1: Seat.SECOND}[sign]
        if state.is_over:
            continue
        best = {move for move in state.legal() if minimax(state.play(move)) == (margin, sign)}
        assert set(found.best) == best
        for move in found.pv:
            state = state.play(move)
        assert state.is_over
        assert minimax(state) == (margin, sign)


def test_the_winner_alone_is_the_same_winner():
    game = parse_game("taiji:size=5,groups=2")
    for seed in range(10):
        state = near_the_end(game, seed, 30)
        whole, half = (Solver(Kernel(game)).solve(state, winner_only=only) for only in (False, True))
        assert whole.winner == half.winner
        assert half.margin is None


@pytest.mark.parametrize(
    ("lead", "tie"), [(1, None), (-3, Seat.FIRST), (0, Seat.FIRST), (0.5, Seat.SECOND), (0, None)]
)
def test_a_lead_in_the_match_counts(lead, tie):
    game = parse_game("taiji:size=4")
    for seed in range(6):
        state = near_the_end(game, seed, 12)
        plain = Solver(Kernel(game)).solve(state)
        found = Solver(Kernel(game)).solve(state, match=MatchContext(lead, tie))
        assert found.margin == plain.margin + lead
        expected = tie if found.margin == 0 else Seat.FIRST if found.margin > 0 else Seat.SECOND
        assert found.winner == expected


def test_small_boards_are_darks_by_the_tie():
    for text in ("taiji:size=2", "taiji:size=3", "taiji:size=4", "taiji:size=4,score=omega"):
        game = parse_game(text)
        found = Solver(Kernel(game)).solve(game.start())
        assert (found.winner, found.margin) == (Seat.SECOND, 0), text


def test_it_solves_any_game_of_ones_own():
    game = game_from_dict(
        {
            "name": "corners",
            "board": ["....", ".##.", "...."],
            "pieces": [
                {"kind": "v", "shape": ["ld", "d "], "count": 9},
                {"kind": "i", "shape": ["l"], "count": 2},
            ],
            "tie": "draw",
        }
    )
    found = Solver(Kernel(game)).solve(game.start())
    minimax.cache_clear()
    assert (found.margin, {Seat.FIRST: 1, None: 0, Seat.SECOND: -1}[found.winner]) == minimax(game.start())


def test_it_gives_up_in_time_and_says_so():
    game = parse_game("taiji")
    found = Solver(Kernel(game), memory=1).solve(game.start(), nodes=5000)
    assert not found.solved
    assert found.nodes <= 6024


def test_progress_is_reported_and_narrows():
    game = parse_game("taiji:size=4")
    seen = []
    found = Solver(Kernel(game)).solve(game.start(), on_progress=seen.append)
    assert found.solved
    assert seen[-1].nodes == found.nodes
    assert seen[-1].lower == seen[-1].upper == 0


def test_a_solution_prints_in_one_line():
    game = parse_game("taiji:size=2")
    found = Solver(Kernel(game)).solve(game.start(), all_best=False)
    line = " ".join(map(str, found.pv))
    assert str(found).startswith(f"seat second wins by 0; best {found.best[0]}; line {line} (")
    assert "\n" not in str(found)
    big = parse_game("taiji")
    assert str(Solver(Kernel(big), memory=1).solve(big.start(), nodes=1000)).startswith("not solved")
    draw = Solution(True, None, 0, (), (), 1234, 0.5)
    assert str(draw) == "a draw (1,234 positions in 0.50 s)"


def test_a_table_needs_memory():
    with pytest.raises(ValueError, match="memory=0"):
        Solver(Kernel(parse_game("taiji:size=2")), memory=0)


@pytest.mark.parametrize("text", ["taiji:size=4", "battle-of-lits:size=6,swap=no", "tailits"])
def test_a_look_for_a_win_finds_one_or_refutes_all(text):
    game = parse_game(text)
    kernel = Kernel(game)
    solver = Solver(kernel)
    won = lost = 0
    for seed in range(20):
        state = near_the_end(game, seed, 12)
        if state.is_over:
            continue
        minimax.cache_clear()
        own = 1 if state.seat_to_move is Seat.FIRST else -1
        wins = {move.action for move in state.legal() if minimax(state.play(move))[1] == own}
        first = [move.action for move in state.legal()][::-1]
        verdict = solver.find_win(kernel.position_from_state(state), first)
        assert not set(verdict.refuted) & wins
        if wins:
            assert verdict.winning_move in wins
            assert list(verdict.refuted) == first[: first.index(verdict.winning_move)]
            won += 1
        else:
            assert verdict.winning_move is None
            assert sorted(verdict.refuted) == sorted(first)
            lost += 1
    assert won
    assert lost


def test_a_look_for_a_win_keeps_to_its_limit():
    kernel = Kernel(parse_game("battle-of-lits"))
    verdict = Solver(kernel).find_win(kernel.start(), [], nodes=5000)
    assert verdict.winning_move is None
    assert verdict.refuted == ()
    assert 5000 <= verdict.nodes < 7000
