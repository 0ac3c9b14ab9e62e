"""Matches by the rules of both publishers, and the editions that carry them."""

from __future__ import annotations

import pytest

from taiji.rules import (
    EDITIONS,
    GameError,
    Match,
    MatchContext,
    MatchResult,
    MatchRule,
    Scores,
    Seat,
    match_rule,
    parse_game,
)
from tests.rules.helpers import play

NESTORGAMES = Match(parse_game("taiji:size=3"))
BLUE_PANTHER = Match(parse_game("taiji:size=3"), MatchRule.BLUE_PANTHER)


def test_the_players_exchange_colours_in_the_second_game() -> None:
    assert [NESTORGAMES.seat(player, 0) for player in (0, 1)] == [Seat.FIRST, Seat.SECOND]
    assert [NESTORGAMES.seat(player, 1) for player in (0, 1)] == [Seat.SECOND, Seat.FIRST]


def test_a_player_or_game_that_a_match_does_not_have_is_refused() -> None:
    with pytest.raises(GameError, match=r"player: invalid 2 \(expected 0 or 1\)"):
        NESTORGAMES.seat(2, 0)
    with pytest.raises(GameError, match=r"game_no: invalid -1 \(expected 0 or 1\)"):
        NESTORGAMES.seat(0, -1)
    with pytest.raises(TypeError, match=r"player: invalid str \(expected 0 or 1\)"):
        NESTORGAMES.seat("0", 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("lead", [0.25, 1e300, -1e300, float("nan")])
def test_a_lead_that_no_game_can_have_is_refused(lead: float) -> None:
    with pytest.raises(GameError, match=r"lead: invalid .* \(expected points such as 3 or -2.5\)"):
        MatchContext(lead)
    assert MatchContext(-2.5).lead == -2.5


@pytest.mark.parametrize("match", [NESTORGAMES, BLUE_PANTHER])
def test_scores_of_both_games_are_added_and_the_higher_total_wins(match: Match) -> None:
    # Player 0 has 13 as Light and 9 as Dark, player 1 has 10 as Dark and 11 as Light.
    assert match.result(Scores(13, 10), Scores(11, 9)) == MatchResult((22, 21), 0)
    assert match.result(Scores(13, 10), Scores(13, 9)) == MatchResult((22, 23), 1)


def test_a_won_game_may_be_a_lost_match() -> None:
    assert NESTORGAMES.result(Scores(3, 2), Scores(9, 7)) == MatchResult((10, 11), 1)


def test_nestorgames_equal_totals_are_a_drawn_match() -> None:
    assert NESTORGAMES.result(Scores(13, 10), Scores(12, 9)) == MatchResult((22, 22), None)


def test_blue_panther_equal_totals_go_to_who_was_dark_in_the_second_game() -> None:
    result = BLUE_PANTHER.result(Scores(13, 10), Scores(12, 9))
    assert result == MatchResult((22, 22), 0)
    assert result.winner is not None
    assert BLUE_PANTHER.seat(result.winner, 1) is Seat.SECOND


def test_half_points_add_up() -> None:
    match = Match(parse_game("tailits+taiji"))
    assert match.result(Scores(20.5, 20), Scores(26, 26.5)) == MatchResult((47.0, 46), 0)


def test_totals_stand_while_the_match_goes_on() -> None:
    assert NESTORGAMES.totals() == (0, 0)
    assert NESTORGAMES.totals(Scores(3, 1)) == (3, 1)


def test_a_match_of_two_played_games() -> None:
    one = play("taiji:size=3", "b2/b1", "a2/a3", "c2/c3").scores()
    two = play("taiji:size=3", "b1/b2", "a2/a3", "c2/c3").scores()
    assert NESTORGAMES.result(one, two) == MatchResult((3 + 1, 1 + 1), 0)


@pytest.mark.parametrize(
    ("edition", "game", "rule"),
    [
        ("nestorgames-7x7", "taiji:size=7,groups=1", MatchRule.NESTORGAMES),
        ("nestorgames-9x9", "taiji:size=9,groups=2", MatchRule.NESTORGAMES),
        ("nestorgames-11x11", "taiji:size=11,groups=3", MatchRule.NESTORGAMES),
        ("deluxe", "taiji:size=11,groups=3", MatchRule.NESTORGAMES),
        ("blue-panther", "taiji:size=9,groups=1", MatchRule.BLUE_PANTHER),
        ("blue-panther-advanced", "taiji:size=9,groups=2", MatchRule.BLUE_PANTHER),
    ],
)
def test_an_edition_is_a_game_with_its_match_rule(edition: str, game: str, rule: MatchRule) -> None:
    assert parse_game(edition) == parse_game(game)
    assert parse_game(edition.upper()) == parse_game(game)
    assert match_rule(edition) is EDITIONS[edition].match_rule is rule


def test_there_are_six_editions_and_other_games_have_the_first_publishers_rule() -> None:
    assert len(EDITIONS) == 6
    assert match_rule("tailits") is MatchRule.NESTORGAMES


def test_the_second_game_begins_with_the_lead_of_its_own_seats() -> None:
    """Player 1, who lost game one by 3, sits FIRST in game two and is 3 points behind."""
    assert NESTORGAMES.context(Scores(13, 10)) == MatchContext(-3, None)
    assert NESTORGAMES.context(Scores(10, 14)) == MatchContext(4, None)


def test_blue_panther_gives_equal_totals_to_the_second_seat_of_game_two() -> None:
    assert BLUE_PANTHER.context(Scores(13, 10)) == MatchContext(-3, Seat.SECOND)


@pytest.mark.parametrize("match", [NESTORGAMES, BLUE_PANTHER])
@pytest.mark.parametrize("lead", [-2, 0, 2])
def test_the_context_and_the_result_agree(match: Match, lead: int) -> None:
    one = Scores(10 + lead, 10)
    context = match.context(one)
    for two in (Scores(9, 12), Scores(10, 10), Scores(12, 9), Scores(10 + lead, 10)):
        difference = context.lead + two.first - two.second
        seat = context.tie_winner if difference == 0 else Seat.FIRST if difference > 0 else Seat.SECOND
        winner = match.result(one, two).winner
        assert seat == (None if winner is None else match.seat(winner, 1))


def test_values_of_another_type_are_refused() -> None:
    with pytest.raises(TypeError, match=r"game:.*expected a Game"):
        Match("taiji")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"scores:.*expected Scores"):
        NESTORGAMES.totals((1, 2))  # type: ignore[arg-type]
