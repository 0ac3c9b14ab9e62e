"""Formats: every pairing legal, colours shared, and standings equal to a naive recomputation."""

import random
from itertools import pairwise

import pytest

from taiji.arena.tournaments import (
    Adjudication,
    Entered,
    Format,
    Paired,
    Pairing,
    PairingResult,
    ResultEntered,
    Tournament,
    TournamentSettings,
    Withdrew,
    match_points,
    next_round,
    standings,
)
from taiji.arena.tournaments.knockout import bracket
from taiji.arena.tournaments.ladder import challenge, rungs
from taiji.arena.tournaments.round_robin import berger
from taiji.rules import MatchRule
from tests.arena.tournaments.helpers import naive_table, played, simulated


def meetings(tournament):
    return [frozenset(p.players) for pairings in tournament.rounds for p in pairings if p.second]


def colours(tournament, player):
    """Whether somebody began game one as Light, round after round, as far as it was played."""
    return [
        pairing.first == player
        for number, pairings in enumerate(tournament.rounds, 1)
        for table, pairing in enumerate(pairings, 1)
        if player in pairing.players and pairing.second and tournament.results[number, table].played
    ]


def longest_run(line):
    best = run = 1
    for one, two in pairwise(line):
        run = run + 1 if one == two else 1
        best = max(best, run)
    return best


def check_against_naive(tournament):
    table = naive_table(tournament)
    lines = standings(tournament)
    assert len(lines) == len(tournament.entrants)
    found = {s.entrant.name: (s.points, s.difference, s.buchholz, s.sonneborn) for s in lines}
    assert found == table
    order = [found[line.entrant.name] for line in lines]
    assert order == sorted(order, reverse=True)
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)


@pytest.mark.slow
def test_a_swiss_of_200_players():
    tournament = simulated(Format.SWISS, 200, random.Random(7), rounds=6)
    assert len(set(meetings(tournament))) == len(meetings(tournament)) == 600
    for entrant in tournament.entrants:
        line = colours(tournament, entrant.entrant_no)
        assert abs(2 * sum(line) - len(line)) <= 2
        assert longest_run(line) <= 2
    check_against_naive(tournament)


@pytest.mark.parametrize("count", [5, 12])
def test_a_small_swiss_with_byes_withdrawals_and_late_entries(count):
    rng = random.Random(count)
    tournament = Tournament(TournamentSettings("small", Format.SWISS, "taiji:size=7", rounds=5))
    for number in range(count):
        tournament = tournament.after(Entered(f"player {number}"))
    while not tournament.over:
        tournament = played(tournament.after(Paired(next_round(tournament))), rng)
        if len(tournament.rounds) == 1:
            tournament = tournament.after(Entered("late")).after(Withdrew(2))
    assert len(set(meetings(tournament))) == len(meetings(tournament))
    assert not any(2 in pairing.players for pairings in tournament.rounds[1:] for pairing in pairings)
    assert any(count + 1 in pairing.players for pairing in tournament.rounds[1])
    byes = [pairing.first for pairings in tournament.rounds for pairing in pairings if pairing.second is None]
    assert len(set(byes)) == len(byes)
    check_against_naive(tournament)


def test_a_swiss_goes_on_where_rematches_are_unavoidable():
    tournament = simulated(Format.SWISS, 4, random.Random(2), rounds=6)
    counts = [meetings(tournament).count(pair) for pair in set(meetings(tournament))]
    assert len(set(meetings(tournament))) == 6
    assert sum(counts) == 12


def test_a_double_round_robin_of_20():
    tournament = simulated(Format.DOUBLE_ROUND_ROBIN, 20, random.Random(3))
    found = meetings(tournament)
    assert len(found) == 380
    assert all(found.count(pair) == 2 for pair in set(found))
    starts = {pairing.players for pairings in tournament.rounds for pairing in pairings}
    assert len(starts) == 380  # each side began once as Light
    schedule = [{p.first for p in pairings} for pairings in tournament.rounds]
    for entrant in tournament.entrants:
        assert longest_run([entrant.entrant_no in light for light in schedule]) <= 2
    check_against_naive(tournament)


def test_the_table_of_berger_for_six_players():
    # As FIDE prints it.
    assert [set(pairs) for pairs in berger(6)] == [
        {(1, 6), (2, 5), (3, 4)},
        {(6, 4), (5, 3), (1, 2)},
        {(2, 6), (3, 1), (4, 5)},
        {(6, 5), (1, 4), (2, 3)},
        {(3, 6), (4, 2), (5, 1)},
    ]


def test_an_odd_round_robin_gives_everybody_one_free_round():
    tournament = simulated(Format.ROUND_ROBIN, 7, random.Random(1))
    assert len(tournament.rounds) == 7
    assert len(set(meetings(tournament))) == 21
    assert {len(line.round_results) for line in standings(tournament)} == {6}


def test_who_should_meet_somebody_that_left_has_a_point():
    tournament = Tournament(TournamentSettings("r", Format.ROUND_ROBIN, "taiji"))
    for name in "abcd":
        tournament = tournament.after(Entered(name))
    tournament = played(tournament.after(Paired(next_round(tournament))), random.Random(1), 0)
    tournament = tournament.after(Withdrew(1))
    pairings = next_round(tournament)
    assert [pairing.bye for pairing in pairings if pairing.second is None] == [1.0]


def test_a_knockout_keeps_the_strongest_apart():
    assert bracket(range(1, 9)) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert bracket([1, 2, 3]) == [1, None, 2, 3]
    for count in (2, 3, 11, 16):
        rng = random.Random(count)
        tournament = Tournament(TournamentSettings("cup", Format.KNOCKOUT, "taiji:size=7"))
        for number in range(count):
            tournament = tournament.after(Entered(f"player {number}", 2000 - number))
        while not tournament.over:
            tournament = tournament.after(Paired(next_round(tournament)))
            for place in tournament.missing:
                score = (24, rng.randint(1, 23))
                score = score if rng.random() < 0.5 else score[::-1]
                tournament = tournament.after(ResultEntered(*place, PairingResult((score, score))))
        assert len(meetings(tournament)) == count - 1
        lines = standings(tournament)
        assert lines[0].points == len(tournament.rounds)
        assert lines[1].points == len(tournament.rounds) - 1


def test_a_winner_from_below_climbs_the_ladder():
    tournament = Tournament(TournamentSettings("ladder", Format.LADDER, "taiji"))
    for name in "abcd":
        tournament = tournament.after(Entered(name))
    tournament = tournament.after(Paired((challenge(tournament, 4, 2),)))
    tournament = tournament.after(ResultEntered(1, 1, PairingResult(((30, 20), (25, 20)))))
    assert rungs(tournament) == [1, 4, 2, 3]
    tournament = tournament.after(Entered("e"))
    tournament = tournament.after(Paired(next_round(tournament)))
    assert rungs(tournament) == [1, 4, 2, 3, 5]
    with pytest.raises(ValueError, match="challenge up the ladder"):
        challenge(tournament, 1, 4)


@pytest.mark.parametrize(
    ("rule", "games", "points"),
    [
        (MatchRule.NESTORGAMES, ((21, 19), (18, 20)), (0.5, 0.5)),
        # Equal totals: the first-named was Dark in the second game.
        (MatchRule.BLUE_PANTHER, ((21, 19), (18, 20)), (1.0, 0.0)),
        (MatchRule.BLUE_PANTHER, ((21, 19), (18, 21)), (0.0, 1.0)),
    ],
)
def test_the_two_rules_of_matches(rule, games, points):
    settings = TournamentSettings("x", Format.MATCH, "taiji", rule=rule)
    assert match_points(settings, PairingResult(games)) == points


def test_single_games_follow_the_rule_for_ties():
    settings = TournamentSettings("x", Format.SWISS, "taiji", games=1)
    assert match_points(settings, PairingResult(((20, 20),))) == (0.0, 1.0)  # a tie is Dark's
    lits = TournamentSettings("x", Format.SWISS, "tailits", games=1)
    assert match_points(lits, PairingResult(((20, 20),), Adjudication.FIRST)) == (1.0, 0.0)


def test_the_direct_encounter_decides_last():
    tournament = Tournament(TournamentSettings("x", Format.ROUND_ROBIN, "taiji"))
    for name in "abc":
        tournament = tournament.after(Entered(name))
    pairs = [((1, 2), (10, 5)), ((3, 1), (10, 5)), ((2, 3), (5, 10))]
    for number, ((one, two), score) in enumerate(pairs, 1):
        tournament = tournament.after(Paired((Pairing(one, two),)))
        tournament = tournament.after(ResultEntered(number, 1, PairingResult((score, (5, 5)))))
    assert [line.entrant.name for line in standings(tournament)] == ["c", "a", "b"]
