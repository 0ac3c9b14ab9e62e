"""UGI from both sides: the engine's answers, and outside programs that behave badly."""

import sys
import threading

import pytest

from taiji.notation import format_position, parse_move
from taiji.players import Info, Limit, MatchContext
from taiji.players.simple import StatelessPlayer
from taiji.players.ugi.lines import parse_go, parse_info
from taiji.protocol import Engine, EngineCrashed, UgiPlayer
from taiji.protocol.clock import time_for_move, turns_left
from taiji.rules import parse_game


def talk(*lines):
    said = []
    engine = Engine(said.append, "test")
    for line in lines:
        engine.handle(line)
    engine.close()
    return said


def test_it_introduces_itself():
    said = talk("ugi", "isready")
    assert said[0] == "id name taiji test"
    assert said[-2:] == ["ugiok", "readyok"]
    names = {line.split()[2] for line in said if line.startswith("option")}
    assert {"Game", "Level", "Threads", "Seed", "Memory"} <= names


def test_it_plays_a_legal_move_from_a_position():
    said = talk(
        "setoption name Player value greedy",
        "setoption name Game value taiji:size=5",
        "position startpos moves a1/a2",
        "go movetime 50",
    )
    state = parse_game("taiji:size=5").start()
    state = state.play(parse_move(state, "a1/a2"))
    word, move = said[-1].split()
    assert word == "bestmove"
    assert state.is_legal(parse_move(state, move))


def test_it_takes_a_position_as_one_line():
    state = parse_game("battle-of-lits:size=5").start()
    state = state.play(state.legal()[3])
    said = talk(
        f"position fen {format_position(state)} moves swap", "query p1turn", "query gameover", "query result"
    )
    assert said == ["response true", "response false", "response none"]


@pytest.mark.parametrize("texts", [["a1/a2", "b1/b2"]])
def test_it_knows_how_a_game_ended(texts):
    said = talk(
        "setoption name Game value taiji:size=2",
        f"position startpos moves {' '.join(texts)}",
        "query gameover",
        "query result",
        "go movetime 10",
    )
    assert said == ["response true", "response p2win", "bestmove none"]


def test_infinite_thinking_answers_only_after_stop():
    said = []
    engine = Engine(said.append, "test")
    engine.handle("setoption name Player value random")
    engine.handle("go infinite")
    threading.Event().wait(0.1)
    assert not any(line.startswith("bestmove") for line in said)
    engine.handle("stop")
    assert said[-1].startswith("bestmove ")


def test_a_search_answers_for_a_solver_without_a_result():
    said, start = [], parse_game("taiji").start()
    engine = Engine(said.append, "test")
    engine.handle("setoption name Player value solver")
    engine.handle("go nodes 2000")
    engine.finish()
    assert said[0].startswith("info string error: not solved within ")
    assert parse_info(start, said[-2], Info()).playouts > 1
    said.clear()
    engine.handle("go infinite")
    engine.handle("stop")
    assert not any("error" in line for line in said)
    assert parse_info(start, said[-2], Info()).playouts > 1


@pytest.mark.parametrize("player", ["nonsense", "mcts:speed=3", "ugi:/no/such/program"])
def test_a_search_answers_for_a_player_that_cannot_be_made(player):
    said = talk(f"setoption name Player value {player}", "isready", "go nodes 10", "go infinite", "stop")
    assert [line.split()[0] for line in said if not line.startswith("info")] == ["readyok", *["bestmove"] * 2]
    assert [line.startswith("info string error: ") for line in said[:3]] == [True, False, True]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("setoption name Threads value 0", "expected an integer from 1 to "),
        ("setoption name Memory value 1", "expected an integer from 16"),
        ("setoption name Game value chess", "unknown game"),
        ("setoption name Nonsense value 1", "unknown option Nonsense"),
        ("setoption", "setoption: invalid (expected name"),
        ("position startpos moves a1/z9", "move 1"),
        ("position elsewhere", "position: invalid (expected startpos"),
        ("go movetime soon", "expected an integer"),
        ("setoption name Lead value nan", "Lead: invalid value 'nan' (expected points such as 3 or -2.5)"),
        ("setoption name Lead value 0.3", "Lead: invalid value '0.3'"),
        ("setoption name MatchTie value me", "MatchTie: invalid value 'me' (expected game, p1, p2, draw)"),
        ("go nodes 0", "expected a number above 0"),
    ],
)
def test_bad_lines_are_answered_and_survived(line, part):
    said = talk(line, "isready")
    assert part in said[0]
    assert said[0].startswith("info string error: ")
    assert said[-1] == "readyok"


def test_unknown_lines_are_ignored():
    assert talk("hello", "", "xyzzy 1 2 3", "isready") == ["readyok"]


def test_go_reads_clocks_in_milliseconds():
    go = parse_go("p1time 60000 p2time 30000 p1inc 1000 p2inc 0 wibble")
    assert go.times == (60.0, 30.0)
    assert go.increments == (1.0, 0.0)


def test_a_clock_is_never_overspent():
    state = parse_game("taiji").start()
    assert turns_left(state) > 15
    for left in (0.0, 0.01, 1.0, 60.0):
        assert time_for_move(state, left, 0.0) <= max(0.001, left)


class Spy(StatelessPlayer):
    """Plays the first legal move and keeps the limit it was given."""

    name = "spy"

    def __init__(self):
        self.limits = []

    def choose(self, state, limit, **_):
        self.limits.append(limit)
        move = state.legal()[0]
        return move, Info(pv=(move, state.play(move).legal()[0]), win_prob=0.25, margin=-1.5, seconds=0.1)


@pytest.mark.parametrize(
    ("go", "limit"),
    [
        ("go depth 3", Limit(depth=3)),
        ("go nodes 500 depth 4", Limit(playouts=500, depth=4)),
        ("go movetime 250", Limit(seconds=0.25)),
        ("go", Limit(seconds=1.0)),
    ],
)
def test_go_becomes_the_limit_of_the_player(monkeypatch, go, limit):
    spy = Spy()
    monkeypatch.setattr("taiji.protocol.engine.make_player", lambda text, seed: spy)
    said = talk("setoption name Game value taiji:size=3", go)
    assert spy.limits == [limit]
    assert said[-2] == "info depth 2 time 100 nodes 0 nps 0 score win 250 margin -1.50 pv a1/b1 c1/c2"


@pytest.mark.parametrize(
    ("limit", "line"),
    [
        (Limit(depth=5), "go depth 5"),
        (Limit(0.5, 100, 2), "go movetime 500 nodes 100 depth 2"),
        (Limit(), "go movetime 1000"),
        (Limit(infinite=True), "go infinite"),
    ],
)
def test_the_client_passes_the_whole_limit_on(tmp_path, limit, line):
    log = tmp_path / "go.txt"
    body = (
        HELLO + f"        open({str(log)!r}, 'w').write(line)\n        print('bestmove a1/a2', flush=True)\n"
    )
    player = UgiPlayer(program(tmp_path, body))
    player.choose(parse_game("taiji:size=3").start(), limit)
    player.close()
    assert log.read_text().strip() == line


def program(tmp_path, body):
    path = tmp_path / "engine.py"
    path.write_text("import sys, time\n" + body)
    return f"{sys.executable} {path}"


HELLO = """
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi": print("ugiok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go":
"""


def ask(command, seconds=0.1):
    player = UgiPlayer(command)
    try:
        return player.choose(parse_game("taiji:size=3").start(), Limit(seconds=seconds))
    finally:
        player.close()


def test_a_program_without_the_options_of_a_match_is_not_asked_to_set_them(tmp_path):
    log = tmp_path / "said.txt"
    body = HELLO.replace("    word =", f'    open({str(log)!r}, "a").write(line); word =')
    body += "        print('bestmove a1/a2', flush=True)\n"
    player = UgiPlayer(program(tmp_path, body))
    player.choose(parse_game("taiji:size=3").start(), Limit(playouts=1), match=MatchContext(3))
    player.close()
    assert "Lead" not in log.read_text()


def test_an_outside_program_plays(tmp_path):
    body = (
        HELLO + "        print('info time 5 nodes 7 score win 600 margin 1.5 pv a1/a2 b1/b2', flush=True)\n"
    )
    body += "        print('bestmove a1/a2', flush=True)\n"
    move, info = ask(program(tmp_path, body))
    assert move.cells == 0b1001
    assert info.win_prob == 0.6
    assert info.playouts == 7
    assert len(info.pv) == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit(1)\n", "has exited"),
        (HELLO + "        sys.exit(3)\n", "has exited"),
        (HELLO + "        print('bestmove a1/c3', flush=True)\n", "no piece"),
        (HELLO + "        print('bestmove', flush=True)\n", "invalid move ''"),
    ],
)
def test_programs_that_fail_are_reported(tmp_path, body, message):
    with pytest.raises(ValueError, match=message):
        ask(program(tmp_path, body))


def test_a_program_that_hangs_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("taiji.players.ugi.client.RESPONSE_TIMEOUT_S", 0.2)
    with pytest.raises(EngineCrashed, match="does not answer"):
        ask(program(tmp_path, HELLO + "        time.sleep(60)\n"))


def test_garbled_info_changes_nothing():
    state = parse_game("taiji:size=3").start()
    before = Info(win_prob=0.25, playouts=3)
    assert parse_info(state, "score win nodes x pv nonsense", before).win_prob == 0.25
