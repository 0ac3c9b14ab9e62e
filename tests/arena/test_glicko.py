"""Glicko-2 against its author's worked example."""

import pytest

from taiji.arena.glicko import Glicko, rate_game, update


def test_the_published_example():
    # The paper rounds on the way: with full precision its 1464.06 is 1464.0507.
    player = update(
        Glicko(1500, 200, 0.06), [(Glicko(1400, 30), 1), (Glicko(1550, 100), 0), (Glicko(1700, 300), 0)]
    )
    assert player.rating == pytest.approx(1464.06, abs=0.01)
    assert player.deviation == pytest.approx(151.52, abs=0.01)
    assert player.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_games_only_the_doubt_grows():
    before = Glicko(1600, 50, 0.06)
    after = update(before, [])
    assert after.rating == before.rating
    assert after.deviation == pytest.approx((50**2 + (0.06 * 173.7178) ** 2) ** 0.5)


def test_a_game_moves_both_as_far_where_both_are_as_sure():
    one, two = rate_game(Glicko(), Glicko(), 1.0)
    assert one.rating - 1500 == pytest.approx(1500 - two.rating)
    assert one.rating > 1600
    assert one.deviation < 350
    level = rate_game(Glicko(), Glicko(), 0.5)
    assert level[0].rating == pytest.approx(1500)


def test_a_long_series_finds_the_difference():
    one, two = Glicko(), Glicko()
    for game in range(200):
        one, two = rate_game(one, two, 0.0 if game % 4 == 0 else 1.0)
    assert 120 < one.rating - two.rating < 290
    assert one.deviation < 110
