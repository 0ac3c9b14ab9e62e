"""Random playouts: deterministic, uniform over placements, and safe in several threads at once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from taiji.kernel import Kernel, Playouts
from taiji.rules import parse_game

GAMES = ("taiji:size=5", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits:size=5")


def summary(result: Playouts) -> tuple[float, ...]:
    return (result.playouts, result.plies, result.first_wins, result.second_wins, result.draws, result.margin)


@pytest.mark.parametrize("text", GAMES)
def test_a_random_game_is_a_game(text: str) -> None:
    game = parse_game(text)
    kernel = Kernel(game)
    for seed in range(10):
        state = game.start()
        for action in kernel.start().random_game(seed):
            state = state.play(game.move(action))
        assert state.is_over


@pytest.mark.parametrize("text", GAMES)
def test_playouts_add_up_to_random_games(text: str) -> None:
    """One playout of a seed is the random game of that seed: the totals are the game's."""
    kernel = Kernel(parse_game(text))
    for seed in range(10):
        result = kernel.start().playouts(1, seed=seed)
        end = kernel.start()
        for action in kernel.start().random_game(seed):
            end.play(action)
        first, second = end.scores()
        assert result.margin == first - second
        assert result.plies == len(end.history)
        assert (result.first_wins, result.second_wins) == (end.winner() == 0, end.winner() == 1)


def test_the_same_seed_gives_the_same_playouts() -> None:
    start = Kernel(parse_game("taiji")).start()
    for threads in (1, 2):
        one, two = (start.playouts(2000, seed=5, threads=threads) for _ in range(2))
        assert summary(one) == summary(two)
        assert one.playouts == 2000
    assert summary(start.playouts(2000, seed=5)) != summary(start.playouts(2000, seed=6))


@pytest.mark.parametrize("text", ["taiji:size=2", "taiji:size=3", "tailits:set=six"])
def test_uniform_over_placements(text: str) -> None:
    """Pearson's statistic of the first moves stays within five deviations of its mean."""
    start = Kernel(parse_game(text)).start()
    legal = start.legal()
    drawn = 30 * len(legal)
    seen = Counter(start.random_game(seed)[0] for seed in range(drawn))
    assert set(seen) <= set(legal)
    expected = drawn / len(legal)
    statistic = sum((seen[action] - expected) ** 2 / expected for action in legal)
    freedom = len(legal) - 1
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5


def test_known_figures_of_random_taiji() -> None:
    """Random games on 9×9 last 36.6 plies and Light wins 44.2 % of them."""
    result = Kernel(parse_game("taiji")).start().playouts(40_000, seed=1)
    assert result.plies / result.playouts == pytest.approx(36.61, abs=0.05)
    assert result.first_wins / result.playouts == pytest.approx(0.442, abs=0.012)


def test_many_threads_may_share_a_kernel() -> None:
    start = Kernel(parse_game("taiji+battle-of-lits:size=6")).start()
    alone = [summary(start.playouts(300, seed=seed)) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: summary(start.playouts(300, seed=seed)), range(8)))
    assert together == alone


def test_time_ends_playouts() -> None:
    result = Kernel(parse_game("taiji:size=4")).start().playouts(seconds=0.05)
    assert 0.05 <= result.seconds < 1
    assert result.playouts > 100


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "count or a time"),
        ({"count": 0}, "at least 1"),
        ({"count": 1, "threads": 0}, "1 to 256"),
        ({"seconds": -1.0}, "positive"),
        ({"seconds": float("nan")}, "positive"),
    ],
)
def test_impossible_limits_are_refused(arguments: dict[str, float], word: str) -> None:
    start = Kernel(parse_game("taiji:size=3")).start()
    with pytest.raises(ValueError, match=word):
        start.playouts(**arguments)  # type: ignore[arg-type]


def test_illegal_actions_are_refused() -> None:
    start = Kernel(parse_game("taiji:size=3")).start()
    start.play(0)
    for action in (0, -1, 24, 10**6):
        with pytest.raises(ValueError, match="not legal"):
            start.play(action)
