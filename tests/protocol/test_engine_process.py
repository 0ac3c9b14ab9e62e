"""The engine as its clients see it: the real program, driven through pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from taiji.players import Limit, MatchContext
from taiji.protocol import EngineCrashed, UgiPlayer
from taiji.rules import Seat, parse_game

PROGRAM = [sys.executable, "-c", "from taiji.cli import main; main()", "engine"]
COMMAND = f"{sys.executable} -c 'from taiji.cli import main; main()' engine"


class EngineProcess:
    """A running engine; every read waits as long as it takes."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *lines: str) -> None:
        self.process.stdin.writelines(f"{line}\n" for line in lines)
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """Return the lines up to one that begins with a word."""
        lines = [self.process.stdout.readline().rstrip("\n")]
        while lines[-1].partition(" ")[0] != word:
            assert lines[-1], "the engine has ended"
            lines.append(self.process.stdout.readline().rstrip("\n"))
        return lines

    def end(self) -> list[str]:
        """End the input; return what the engine still says."""
        said, _ = self.process.communicate()
        assert self.process.returncode == 0
        return said.splitlines()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    running = EngineProcess()
    yield running
    running.close()


def random_moves(text: str, plies: int) -> str:
    state, dice, moves = parse_game(text).start(), Random(5), []
    for _ in range(plies):
        moves.append(dice.choice(state.legal()))
        state = state.play(moves[-1])
    return " ".join(["moves", *map(str, moves)]) if moves else ""


def field(line: str, name: str) -> int:
    words = line.split()
    return int(words[words.index(name) + 1])


def test_go_infinite_reports_and_stops_with_a_search_in_every_phase(engine: EngineProcess) -> None:
    """The solver could take hours for 5×5, and minutes for the rest of these games."""
    phases = [("taiji:size=5", 0), ("taiji", 24), ("tailits", 9), ("tailits+taiji", 0), ("tailits+taiji", 22)]
    for text, plies in phases:
        engine.send(f"setoption name Game value {text}", f"position startpos {random_moves(text, plies)}")
        engine.send("go infinite")
        seen = [engine.until("info")[-1] for _ in range(2 if plies == 24 else 1)]
        engine.send("stop")
        last, answer = engine.until("bestmove")[-2:]
        nodes = [field(line, "nodes") for line in (*seen, last)]
        assert nodes == sorted(nodes), text
        assert nodes[-1] >= 20 or "exact" in last, text
        assert answer.split()[1] == last.split()[last.split().index("pv") + 1], text


def test_a_solved_position_is_repeated_until_stop(engine: EngineProcess) -> None:
    engine.send("setoption name Game value taiji:size=3", "position startpos", "go infinite")
    lines = [engine.until("info")[-1] for _ in range(2)]
    assert lines[0] == lines[1]
    assert " score exact 0 " in lines[0]
    engine.send("stop")
    assert engine.until("bestmove")[-1] != "bestmove none"


def test_a_depth_is_the_length_of_the_variation(engine: EngineProcess) -> None:
    engine.send("setoption name Game value taiji:size=7", "position startpos", "go depth 3")
    assert field(engine.until("bestmove")[-2], "depth") >= 3
    engine.send("setoption name Game value taiji:size=3", "position startpos", "go depth 30")
    assert " score exact 0 " in engine.until("bestmove")[-2], "the game is shorter than that"


def test_a_custom_game_is_played() -> None:
    lagoon = Path(__file__).parents[2] / "docs/rules/examples/lagoon.toml"
    lines = "setoption name Game value lagoon\nposition startpos\nquery fen\ngo nodes 10\n"
    command = [*PROGRAM, "--game-file", str(lagoon)]
    said = subprocess.run(
        command, input=lines, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert said[0] == "response tji1 lagoon - light -"
    assert said[-1].startswith("bestmove ")


def test_the_end_of_the_input_lets_a_search_finish(engine: EngineProcess) -> None:
    engine.send("setoption name Player value mcts", "position startpos", "go nodes 20000")
    last, answer = engine.end()[-2:]
    assert field(last, "nodes") >= 20_000
    assert answer.startswith("bestmove ")


def test_the_end_of_the_input_ends_infinite_thinking(engine: EngineProcess) -> None:
    engine.send("position startpos", "go infinite")
    engine.until("info")
    assert engine.end()[-1].startswith("bestmove ")


def test_a_refused_position_gets_no_move(engine: EngineProcess) -> None:
    engine.send("position startpos moves a1/a2 a1/a2", "go nodes 10", "query fen", "query weather", "isready")
    said = engine.until("readyok")
    assert said[0].startswith("info string error: move 2, a1/a2")
    assert said[1] == "info string error: go: the last position was refused (expected a legal position first)"
    assert said[2] == said[4] == "response unknown"
    assert "unknown question 'weather' (expected gameover, p1turn, p2turn, result, fen)" in said[5]
    engine.send("position startpos moves a1/a2", "query fen", "query p2turn", "go nodes 10")
    said = engine.until("bestmove")
    assert said[:2] == ["response tji1 taiji a1/a2 dark -", "response true"]


def test_the_client_passes_on_what_a_match_is_about() -> None:
    """Both score 1 on 2×2, so that only the lead and the tie rule decide."""
    expected = {
        MatchContext(7): 1.0,
        None: 0.0,
        MatchContext(0, Seat.FIRST): 1.0,
        MatchContext(0, None): 0.5,
        MatchContext(-1, Seat.FIRST): 0.0,
        MatchContext(0.5, Seat.SECOND): 1.0,
    }
    player, state = UgiPlayer(COMMAND), parse_game("taiji:size=2").start()
    try:
        infos = {match: player.choose(state, Limit(playouts=100), match=match)[1] for match in expected}
    finally:
        player.close()
    assert {match: info.win_prob for match, info in infos.items()} == expected
    assert all(info.exact for info in infos.values())


def test_the_client_says_what_the_engine_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taiji.players.ugi.client.RESPONSE_TIMEOUT_S", 0.1)
    monkeypatch.setattr("taiji.players.ugi.client.format_position", lambda state: "tji1 go - light -")
    player = UgiPlayer(COMMAND)
    with pytest.raises(EngineCrashed, match=r"does not answer \(go: the last position was refused"):
        player.choose(parse_game("taiji:size=2").start(), Limit(seconds=0.1))
    player.close()
