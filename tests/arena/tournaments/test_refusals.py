"""What a tournament refuses, each with its reason, and what the log keeps."""

import json

import pytest

from taiji.arena.tournaments import (
    Adjudication,
    ByeRequested,
    Entered,
    Format,
    Log,
    Paired,
    Pairing,
    PairingResult,
    ResultCorrected,
    ResultEntered,
    RoundUndone,
    Tournament,
    TournamentError,
    TournamentSettings,
    Withdrew,
    event_from_json,
    event_to_json,
    next_round,
)
from taiji.arena.tournaments.audit import audit_lines
from taiji.arena.tournaments.scores import max_score, why_impossible
from taiji.rules import parse_game


def started(form=Format.SWISS, game="taiji", games=2, names="abcd"):
    tournament = Tournament(TournamentSettings("x", form, game, games=games))
    for name in names:
        tournament = tournament.after(Entered(name))
    return tournament.after(Paired(next_round(tournament)))


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (ResultEntered(1, 3, PairingResult(((20, 20), (20, 20)))), "round 1 has no board 3"),
        (ResultEntered(2, 1, PairingResult(((20, 20), (20, 20)))), "there is no round 2"),
        (ResultEntered(1, 1, PairingResult(((41, 20), (20, 20)))), "no side can have more than 40"),
        (ResultEntered(1, 1, PairingResult(((20.5, 20), (20, 20)))), "a score of 20.5 is impossible"),
        (ResultEntered(1, 1, PairingResult(((0, 20), (20, 20)))), "every side has at least 1"),
        (ResultEntered(1, 1, PairingResult(((20, 20),))), "a match of two games: one score"),
        (ResultEntered(1, 1, PairingResult()), "needs the scores"),
        (ResultCorrected(1, 1, PairingResult(((20, 20), (20, 20)))), "no result to correct"),
        (Entered("A "), "A has already entered"),
        (Entered(" "), "printable"),
        (Entered("x" * 61), "1 to 60"),
        (Entered("#3"), "cannot begin with #"),
        (Paired((Pairing(1, 2), Pairing(3, 4))), "round 1 is not finished: no result of table 1 and 1 more"),
        (Withdrew(9), "nobody has entered with number 9"),
        (ByeRequested(1, 1.0), "half a point or none"),
    ],
)
def test_a_bad_event_is_refused_with_its_reason(event, reason):
    with pytest.raises(TournamentError, match=reason):
        started().after(event)


def test_a_result_is_given_once_and_then_only_corrected():
    tournament = started().after(ResultEntered(1, 1, PairingResult(((20, 19), (20, 20)))))
    with pytest.raises(TournamentError, match="--correct"):
        tournament.after(ResultEntered(1, 1, PairingResult(((20, 19), (20, 20)))))
    with pytest.raises(TournamentError, match="round 1 has results"):
        tournament.after(RoundUndone())
    corrected = tournament.after(ResultCorrected(1, 1, PairingResult(((19, 20), (20, 20)))))
    assert corrected.points(1, 1) == (0.0, 1.0)


def test_a_drawn_knockout_tie_needs_more_games_or_a_winner():
    tournament = started(Format.KNOCKOUT, names="ab")
    level = ((20, 20), (20, 20))
    with pytest.raises(TournamentError, match="must be decided"):
        tournament.after(ResultEntered(1, 1, PairingResult(level)))
    more = (*level, (21, 20), (20, 20))
    assert tournament.after(ResultEntered(1, 1, PairingResult(more))).points(1, 1) == (1.0, 0.0)
    lot = PairingResult(level, Adjudication.SECOND)
    assert tournament.after(ResultEntered(1, 1, lot)).points(1, 1) == (0.0, 1.0)


def test_a_decided_knockout_tie_cannot_change_hands_later():
    tournament = started(Format.KNOCKOUT)
    for place in tournament.missing:
        tournament = tournament.after(ResultEntered(*place, PairingResult(((21, 20), (20, 20)))))
    tournament = tournament.after(Paired(next_round(tournament)))
    with pytest.raises(TournamentError, match="too late"):
        tournament.after(ResultCorrected(1, 1, PairingResult(((19, 20), (20, 20)))))
    tournament.after(ResultCorrected(1, 1, PairingResult(((25, 20), (20, 20)))))


def test_a_tied_single_game_says_who_won_where_the_rules_look_further():
    tournament = started(game="tailits", games=1)
    with pytest.raises(TournamentError, match="use --winner"):
        tournament.after(ResultEntered(1, 1, PairingResult(((20, 20),))))


@pytest.mark.parametrize(
    ("game", "most"),
    [("taiji", 40), ("taiji:size=7", 24), ("taiji:size=11", 60), ("tailits", 48), ("battle-of-lits", 30)],
)
def test_the_highest_scores(game, most):
    assert max_score(parse_game(game)) == most
    assert why_impossible(parse_game(game), most, most) == ""
    assert "impossible" in why_impossible(parse_game(game), most + 1, 5)


def test_the_half_point_belongs_to_one_side():
    game = parse_game("tailits+taiji")
    assert why_impossible(game, 20.5, 20) == ""
    assert "exactly one side" in why_impossible(game, 20, 20)
    assert "exactly one side" in why_impossible(game, 20.5, 20.5)


def test_what_was_typed_is_on_disk(tmp_path):
    path = tmp_path / "club.tour"
    with Log.create(path, TournamentSettings("club", Format.SWISS, "taiji")) as log:
        for name in ("Ana", "Bo"):
            log.add(Entered(name, 1500))
        log.add(Paired(next_round(log.tournament)))
        log.add(ResultEntered(1, 1, PairingResult(((20, 19), (20, 20)))))
        log.add(ResultCorrected(1, 1, PairingResult(((19, 20), (20, 20))), "typo"))
        log.add(Withdrew(2))
        before = log.tournament
        with pytest.raises(TournamentError):
            log.add(Entered("ana"))
    with Log(path) as log:
        assert log.tournament == before
        assert [event_from_json(event_to_json(event)) for event in log.events] == log.events
        lines = list(audit_lines(log.events))
    assert len(lines) == 7
    assert "replaces" in lines[5]
    assert "typo" in lines[5]


def test_a_torn_last_line_is_set_aside(tmp_path):
    path = tmp_path / "club.tour"
    with Log.create(path, TournamentSettings("club", Format.SWISS, "taiji")) as log:
        log.add(Entered("Ana"))
    whole = path.read_bytes()
    for cut in range(1, 20, 6):
        path.write_bytes(whole + whole.splitlines()[-1][:cut])
        with Log(path) as log:
            assert [entrant.name for entrant in log.tournament.entrants] == ["Ana"]
        assert path.read_bytes() == whole
    assert (tmp_path / "club.tour.torn").exists()


def test_a_file_that_is_no_tournament_is_refused(tmp_path):
    path = tmp_path / "x.tour"
    for content in ("{}\n", "hello\n", json.dumps({"taiji-tournament": 1, "event": "entered"}) + "\n"):
        path.write_text(content)
        with pytest.raises(TournamentError):
            Log(path)
    with pytest.raises(TournamentError, match="never overwritten"):
        Log.create(path, TournamentSettings("x", Format.SWISS, "taiji"))
