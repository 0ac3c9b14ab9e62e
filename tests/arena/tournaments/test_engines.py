"""Engine tournaments: killed ten times and resumed, nothing is lost or counted twice."""

import json
import multiprocessing
import random
import time
from collections import Counter
from dataclasses import replace

import pytest

from taiji.arena import InlinePool
from taiji.arena.journal import JournalError
from taiji.arena.tournaments import Format, TournamentError, standings
from taiji.arena.tournaments.engines import EngineTournament
from taiji.arena.tournaments.spec import parse_spec
from taiji.notation import parse_record
from tests.arena.tournaments.helpers import naive_table
from tests.waiting import wait_until

SPEC = """
game = "taiji:size=4"
format = "double-round-robin"
playouts = 20
[[player]]
player = "random"
[[player]]
player = "greedy"
[[player]]
name = "small"
player = "mcts"
[[player]]
name = "chance"
player = "random"
"""


def run_to_end(spec, folder):
    running = EngineTournament(spec, folder)
    tournament = running.play(InlinePool())
    keys = sorted(running.journal.results)
    games = {key: result.moves for key, result in running.journal.results.items()}
    running.close()
    return tournament, keys, games


def check_table(tournament):
    found = {s.entrant.name: (s.points, s.difference) for s in standings(tournament)}
    naive = naive_table(tournament)
    assert found == {name: values[:2] for name, values in naive.items()}


def _slow_run(spec, folder):
    """Play at most two games and wait for the kill: ten kills always come before the end."""
    pauses = iter((0.04,))

    def pause(_):
        time.sleep(next(pauses, 3600))

    EngineTournament(spec, folder).play(InlinePool(), pause)


def _games_in(journal):
    return journal.read_text().count("\n") - 1 if journal.exists() else 0


def _kill_after_a_game(child, journal, delay_s):
    before = _games_in(journal)
    child.start()
    wait_until(lambda: _games_in(journal) > before, "no game was written")
    time.sleep(delay_s)
    assert child.is_alive(), "the tournament has ended"
    child.kill()
    child.join()


def test_ten_kills_lose_nothing(tmp_path):
    spec = parse_spec(SPEC)
    rng = random.Random(11)
    journal = tmp_path / "killed" / "games.jsonl"
    # Not "fork", which must not follow threads, such as those of a library that another test has loaded.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    for _ in range(10):
        child = context.Process(target=_slow_run, args=(spec, tmp_path / "killed"))
        _kill_after_a_game(child, journal, delay_s=0.08 * rng.random())
    lines = _games_in(journal)
    tournament, keys, games = run_to_end(spec, tmp_path / "killed")
    assert lines <= len(keys) == 24
    written = [json.loads(line) for line in journal.read_text().splitlines()]
    assert Counter(game["key"] for game in written[1:]) == Counter(keys)
    check_table(tournament)
    for (number, table), result in tournament.results.items():
        first, second = (games[f"{number}.{table}.{game}"] for game in (0, 1))
        assert first[:2] == second[:2]  # one opening, both colours
        assert len(result.games) == 2
    # With playouts instead of seconds, the same games come out of an undisturbed run.
    assert run_to_end(spec, tmp_path / "quiet")[2] == games


@pytest.mark.parametrize("form", ["swiss", "knockout", "match", "ladder", "round-robin"])
def test_every_format_comes_to_its_end(form, tmp_path):
    text = SPEC.replace("double-round-robin", form).replace('game = "taiji:size=4"', 'game = "taiji:size=3"')
    if form in ("swiss", "ladder"):
        text = "rounds = 2\n" + text
    if form == "match":
        text = text[: text.index("[[player]]\nname = ")]
    spec = parse_spec(text)
    tournament, _, _ = run_to_end(spec, tmp_path)
    assert tournament.over
    again, _, _ = run_to_end(spec, tmp_path)
    assert again == tournament
    if spec.settings.format is not Format.KNOCKOUT:
        check_table(tournament)


def test_records_and_ratings(tmp_path):
    running = EngineTournament(parse_spec(SPEC), tmp_path)
    running.play(InlinePool())
    records = list(running.records())
    assert len(records) == 24
    assert {dict(record.tags)["Light"] for record in records} == {"random", "greedy", "small", "chance"}
    from taiji.notation import format_record

    assert parse_record(format_record(records[0])).game == records[0].game
    ratings = running.ratings()
    assert sum(rating.games for rating in ratings) == 48
    assert all(rating.error_95 > 0 for rating in ratings)
    running.close()


def test_another_tournament_in_the_folder_is_refused(tmp_path):
    spec = parse_spec(SPEC)
    EngineTournament(spec, tmp_path).close()
    with pytest.raises(JournalError, match="seed"):
        EngineTournament(replace(spec, seed=2), tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("game = ", "not TOML"),
        ("[[player]]\nplayer='random'", "at least two"),
        ("colour = 1", "no setting colour"),
        ("[[player]]\nplayer='random'\n[[player]]\nplayer='random'", "two players are named"),
        ("format = 'circle'\n[[player]]\nplayer='a'\n[[player]]\nplayer='b'", "one of match"),
        ("seconds = 0\n[[player]]\nplayer='a'\n[[player]]\nplayer='b'", "above 0"),
        ("seconds = true\n[[player]]\nplayer='a'\n[[player]]\nplayer='b'", "above 0"),
        ("player = 3", "each player is a table"),
        ("openings = 99\n[[player]]\nplayer='a'\n[[player]]\nplayer='b'", "0 to 40"),
        ("format='ladder'\n[[player]]\nplayer='a'\n[[player]]\nplayer='b'", "needs rounds = N"),
        ("[[player]]\nseconds=1\n[[player]]\nplayer='b'", "needs player"),
    ],
)
def test_a_bad_declaration_is_refused(text, reason):
    with pytest.raises(TournamentError, match=reason):
        parse_spec(text)
