"""Contests: fair pairs, nothing lost or counted twice, and no player can stop the arena."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from taiji.arena import (
    Contest,
    InlinePool,
    Journal,
    JournalError,
    LocalPool,
    PoolError,
    Sprt,
    openings,
    random_opening,
    run_contest,
    run_game_task,
)
from taiji.arena.report import to_dict
from taiji.players import Limit, PlayerError, make_player
from taiji.rules import Seat, parse_game
from tests.waiting import wait_until

QUICK = Limit(seconds=0.05)


def contest(pairs=4, players=("random", "greedy"), game="taiji:size=4", sprt=None, seed=1, **others):
    return Contest(game, players, pairs, (QUICK,) * len(players), seed=seed, sprt=sprt, **others)


def run(given, folder, pool=None):
    journal = Journal(folder / "games.jsonl", given.fingerprint())
    standings = run_contest(given, pool or InlinePool(), journal, on_result=lambda *_: None)
    journal.close()
    return standings


def test_both_colours_are_played_from_the_same_opening():
    fixtures = list(contest(pairs=3).game_tasks())
    assert len(fixtures) == 6
    for one, two in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert one.opening == two.opening
        assert (one.first, one.second) == (two.second, two.first)
    assert len({fixture.opening for fixture in fixtures}) > 1


def test_each_pair_may_have_a_board_of_its_own():
    pair = ("random", "greedy")
    fixtures = list(
        Contest(
            "battle-of-lits:size=6", pair, 3, (QUICK,) * 2, opening_plies=0, random_boards=True
        ).game_tasks()
    )
    games = [parse_game(fixture.game) for fixture in fixtures]
    assert games[::2] == games[1::2]
    assert len(set(games)) == 3
    assert {game.stages[0].board.width for game in games} == {6}
    for game, why in (("taiji", "no seeded boards"), ("battle-of-lits:board=7", "appears twice")):
        with pytest.raises(ValueError, match=why):
            Contest(game, pair, 3, (QUICK,) * 2, random_boards=True)


def test_games_that_are_done_are_not_given_out_again():
    wanted = contest(pairs=2)
    done = {fixture.key for fixture in list(wanted.game_tasks())[:3]}
    left = [fixture.key for fixture in wanted.game_tasks(done)]
    assert set(left) | done == wanted.keys()
    assert not set(left) & done


def test_an_opening_that_a_glance_likes_is_looked_at_closely(monkeypatch):
    looks = []

    class Judge:
        def __init__(self, *_):
            pass

        def reset(self):
            pass

        def run(self, _, limits):
            looks.append(limits.playouts)
            chances = {2000: 0.5, 20_000: 0.9 if looks.count(20_000) < 3 else 0.52}
            return SimpleNamespace(win_prob=chances[limits.playouts])

    monkeypatch.setattr(openings, "Search", Judge)
    openings.balanced_opening(parse_game("taiji:size=4"), 2, 1)
    assert looks == [2000, 20_000] * 3


def test_an_opening_leaves_something_to_play():
    game = parse_game("taiji:size=2")
    for seed in range(20):
        state = game.start()
        for move in random_opening(game, 10, seed):
            state = state.play(move)
        assert not state.is_over


def test_a_judge_picks_balanced_openings():
    game = parse_game("taiji:size=3")
    wanted = random_opening(game, 1, 7, evaluate=lambda state: state.light.bit_length() / 9, tolerance=0.06)
    cell = (1 << 9) - 1
    assert len(wanted) == 1
    assert wanted[0].light & cell
    assert abs(wanted[0].light.bit_length() / 9 - 0.5) <= 0.06


def test_a_player_finds_openings_balanced():
    game = parse_game("taiji:size=5")
    text = "mcts:playouts=400,endgame=no"
    chosen = openings.balanced_opening(game, 2, 3, text)
    assert chosen == openings.balanced_opening(game, 2, 3, text)
    state = game.start()
    for move in chosen:
        state = state.play(move)
    _, info = make_player(text, seed=3).choose(state, Limit())
    assert abs(info.win_prob - 0.5) <= openings.PLAYER_TOLERANCE


@pytest.mark.parametrize("plies", [1, 2])
def test_who_finds_an_opening_balanced_is_asked_for_the_mover(monkeypatch, plies):
    seen = []

    class Opinion:
        new_game = close = lambda self: None

        def choose(self, state, limit):
            return None, SimpleNamespace(win_prob=0.8 if state.seat_to_move is Seat.FIRST else 0.3)

    def note(*_, evaluate, **__):
        state = parse_game("taiji:size=4").start()
        for _ in range(plies):
            state = state.play(state.legal()[0])
        seen.append(evaluate(state))
        return []

    monkeypatch.setattr(openings, "make_player", lambda *_, **__: Opinion())
    monkeypatch.setattr(openings, "random_opening", note)
    openings.balanced_opening(parse_game("taiji:size=4"), plies, 1, "anybody")
    assert seen == [{1: 0.7, 2: 0.8}[plies]]


def test_a_player_without_win_probabilities_balances_nothing():
    with pytest.raises(PlayerError, match="random: gives no win probability"):
        openings.balanced_opening(parse_game("taiji:size=4"), 2, 1, "random")


def test_who_balances_the_openings_belongs_to_the_contest():
    given = contest(balanced_by="mcts:playouts=400")
    assert given.fingerprint() == {**contest().fingerprint(), "balanced_by": "mcts:playouts=400"}
    with pytest.raises(ValueError, match="without opening plies"):
        contest(balanced_by="mcts", opening_plies=0)


def test_every_game_is_whole_and_its_record_replays(tmp_path):
    standings = run(contest(), tmp_path)
    assert len(standings.results) == 8
    for result in standings.results:
        replay = result.record("test").replay()
        assert replay.problems == ()
        assert replay.last.is_over
        assert tuple(replay.last.scores()) == result.scores


def test_standings_add_up(tmp_path):
    data = to_dict(run(contest(pairs=6), tmp_path))
    pairing = data["pairings"][0]
    points = sum(data["by_colour"]["random"][colour][0] for colour in ("light", "dark"))
    assert pairing["games"] == 12
    assert points == pytest.approx(pairing["score"] * 12, abs=0.01)
    json.dumps(data)


def test_a_stopped_contest_goes_on_where_it_was(tmp_path):
    run(contest(pairs=2), tmp_path)
    before = (tmp_path / "games.jsonl").read_text()
    standings = run(contest(pairs=4), tmp_path)
    after = (tmp_path / "games.jsonl").read_text()
    assert after.startswith(before)
    assert len(standings.results) == 8
    keys = [json.loads(line)["key"] for line in after.splitlines()[1:]]
    assert len(keys) == len(set(keys)) == 8


def test_a_half_written_line_is_cut_off_and_played_again(tmp_path):
    run(contest(pairs=2), tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    standings = run(contest(pairs=2), tmp_path)
    assert len(standings.results) == 4
    assert len(path.read_text().splitlines()) == 5


def test_another_contest_does_not_mix_in(tmp_path):
    run(contest(pairs=1), tmp_path)
    with pytest.raises(JournalError, match="different seed"):
        run(contest(pairs=1, seed=2), tmp_path)


def test_a_value_that_only_the_other_contest_has_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    Journal(path, {"seed": 1, "board": "own"}).close()
    with pytest.raises(JournalError, match=r"\(different board\)"):
        Journal(path, {"seed": 1})


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "games.jsonl").write_text("hello\n")
    with pytest.raises(JournalError, match="not a journal"):
        run(contest(pairs=1), tmp_path)


def test_sprt_ends_a_contest_early(tmp_path):
    standings = run(contest(pairs=500, players=("greedy", "random"), sprt=Sprt(0, 100)), tmp_path)
    assert standings.verdict() is True
    assert len(standings.results) < 1000


@pytest.mark.parametrize(
    ("players", "pairs", "sprt", "message"),
    [
        (("random",), 1, None, "at least two"),
        (("random", "random"), 1, None, "same text and the same limit"),
        (("random", "greedy"), 0, None, "one pair"),
    ],
)
def test_contests_that_make_no_sense(players, pairs, sprt, message):
    with pytest.raises(ValueError, match=message):
        contest(pairs=pairs, players=players, sprt=sprt)


def test_an_engine_that_cannot_start_loses_and_the_arena_goes_on(tmp_path):
    standings = run(contest(pairs=1, players=("random", "ugi:/no/such/program")), tmp_path)
    assert standings.pair_score(0, 1).score == 1
    assert "cannot start /no/such/program" in standings.forfeits()[0].reason
    assert standings.forfeits()[0].record().termination is not None


def die_once(path):
    """Kill this worker the first time."""
    if not Path(path).exists():
        Path(path).write_text("tried")
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die(_):
    """Kill this worker every time."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_lost_worker_is_replaced_and_its_task_done_once(tmp_path):
    pool = LocalPool(2)
    tasks = [str(tmp_path / name) for name in "abc"]
    done = list(pool.run(die_once, tasks))
    pool.close()
    assert sorted(done) == [(task, "done") for task in tasks]


def test_a_task_that_kills_every_worker_is_reported():
    pool = LocalPool(1)
    with pytest.raises(PoolError, match="crashed 3 times"):
        list(pool.run(die, ["x"]))
    pool.close()


def test_a_pool_needs_a_worker():
    with pytest.raises(ValueError, match="at least one"):
        LocalPool(0)


def test_a_contest_survives_being_killed(tmp_path):
    """Kill the process a few times in the middle; the journal loses nothing and counts nothing twice."""
    code = (
        "from pathlib import Path; from tests.arena.test_contest import contest, run;"
        f"run(contest(pairs=25, game='taiji:size=7'), Path({str(tmp_path)!r}))"
    )
    for _ in range(3):
        _kill_after_a_game(tmp_path, subprocess.Popen([sys.executable, "-c", code]))
    subprocess.run([sys.executable, "-c", code], check=True)
    lines = (tmp_path / "games.jsonl").read_text().splitlines()[1:]
    keys = [json.loads(line)["key"] for line in lines]
    wanted = contest(pairs=25, game="taiji:size=7")
    assert sorted(keys) == sorted(fixture.key for fixture in wanted.game_tasks())


def _kill_after_a_game(folder, process):
    size = _size(folder)
    wait_until(lambda: _size(folder) > size + 500 or process.poll() is not None, "no game was written")
    process.kill()
    process.wait()


def _size(folder):
    path = folder / "games.jsonl"
    return path.stat().st_size if path.exists() else 0


def test_the_same_seed_plays_the_same_game():
    fixture = next(iter(contest().game_tasks()))
    assert run_game_task(fixture).moves == run_game_task(fixture).moves
