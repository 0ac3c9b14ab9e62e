"""Elo, errors and SPRT against values worked out by hand."""

from math import inf, isclose

import pytest

from taiji.arena import PairScore, Sprt, bradley_terry, elo_from_score, expected_score


def test_a_score_and_its_difference_are_inverse():
    assert isclose(elo_from_score(0.75), 190.848, abs_tol=1e-3)
    assert isclose(expected_score(190.848), 0.75, abs_tol=1e-5)
    assert isclose(expected_score(-400), 1 / 11)
    assert elo_from_score(0) == -inf
    assert elo_from_score(1) == inf


def test_the_error_is_taken_over_pairs():
    even = PairScore((1.0, 0.0) * 50, 200)
    assert even.score == 0.5
    # One hundred pairs of standard deviation one half, and one imagined of the same spread.
    assert isclose(even.standard_error, 0.05)
    assert even.los == 0.5


def test_balanced_pairs_leave_less_doubt_than_lopsided_ones():
    assert PairScore((0.5,) * 100, 200).standard_error < PairScore((1.0, 0.0) * 50, 200).standard_error


def test_a_clean_sweep_is_not_called_certain():
    sweep = PairScore((1.0,) * 10, 20)
    low, high = sweep.interval
    assert 0.5 < low < 1
    assert high == 1
    assert sweep.elo[0] == inf
    assert 0.5 < sweep.los < 1


def test_no_games_say_nothing():
    assert PairScore().score == 0.5
    assert PairScore().interval == (0.0, 1.0)


def test_ratings_follow_the_scores():
    scores = {("a", "b"): (75.0, 100.0), ("b", "c"): (75.0, 100.0), ("a", "c"): (90.0, 100.0)}
    a, b, c = bradley_terry(["c", "b", "a"], scores)
    assert [a.player, b.player, c.player] == ["a", "b", "c"]
    assert isclose(a.elo - b.elo, 190.8, abs_tol=6)
    assert isclose(a.elo + b.elo + c.elo, 0, abs_tol=1e-6)
    assert a.games == 200
    assert 0 < b.error_95 < 60


def test_an_unbeaten_player_has_a_finite_rating():
    best, _ = bradley_terry(["a", "b"], {("a", "b"): (20.0, 20.0)})
    assert best.player == "a"
    assert best.elo < 1000


def test_sprt_accepts_rejects_and_waits():
    sprt = Sprt(0, 50)
    assert sprt.verdict(PairScore()) is None
    assert sprt.verdict(PairScore((1.0, 0.5) * 60, 240)) is True
    assert sprt.verdict(PairScore((0.0, 0.5) * 60, 240)) is False
    assert sprt.verdict(PairScore((0.5, 0.6, 0.4), 6)) is None


def test_the_log_likelihood_ratio_worked_out_by_hand():
    # Four pairs of mean 0.5. Squared deviations 0.5, and 0.25 for the imagined pair, over 5: variance 0.15.
    # With s0 = 0.5 and s1 = 10/11: 4 * (s1 - s0) * (2 * 0.5 - s0 - s1) / (2 * 0.15).
    score = PairScore((1.0, 0.5, 0.5, 0.0), 8)
    assert isclose(Sprt(0, 400).llr(score), -4 * (9 / 22) ** 2 / 0.3)
    # The same share of wins over ten times the pairs says about ten times as much.
    longer = PairScore((1.0, 0.5, 0.5, 0.0) * 10, 80)
    assert isclose(Sprt(0, 400).llr(longer), -40 * (9 / 22) ** 2 / (2 * 5.25 / 41))


@pytest.mark.parametrize(("low", "high", "alpha"), [(10, 10, 0.05), (0, 10, 0.0), (0, 10, 0.7)])
def test_sprt_refuses_bounds_that_ask_nothing(low, high, alpha):
    with pytest.raises(ValueError, match="SPRT"):
        Sprt(low, high, alpha)
