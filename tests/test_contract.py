"""The contract of the command line that scripts depend on, to the letter."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from taiji.kernel import fast_replay
from taiji.rules import parse_game
from tests.cli.run import taiji
from tests.notation.games import TEXTS, game, random_game
from tests.waiting import PATIENCE_S

ANSWER = ["game", "plies", "legal", "over", "scores", "winner"]
REFUSAL = ["error", "ply"]


def replay(*requests: object) -> list[dict[str, Any]]:
    """Send lines; each gets a line."""
    lines = [each if isinstance(each, str) else json.dumps(each) for each in requests]
    result = taiji("replay", "--jsonl", stdin="".join(line + "\n" for line in lines))
    assert result.exit_code == 0
    assert result.stderr == ""
    answers = result.stdout.splitlines()
    assert len(answers) == len(lines)
    return [json.loads(answer) for answer in answers]


def expected(text: str, seed: int, plies: int = 1000) -> tuple[dict[str, Any], dict[str, Any]]:
    """A random game as a request, and the answer that the rules give."""
    moves, states = random_game(text, seed, plies)
    outcome = states[-1].outcome()
    scores = states[-1].scores()
    request = {"game": text, "moves": [str(move) for move in moves]}
    answer = {
        "game": str(game(text)),
        "plies": len(moves),
        "legal": [len(state.legal()) for state in states[: len(moves)]],
        "over": states[-1].is_over,
        "scores": {"light": scores.first, "dark": scores.second},
        "winner": None if outcome is None or outcome.winner is None else ("light", "dark")[outcome.winner],
    }
    return request, answer


@pytest.mark.parametrize("text", TEXTS)
def test_replay_answers_each_line_in_order(text: str) -> None:
    pairs = [expected(text, seed, plies) for seed, plies in ((1, 1000), (2, 5), (3, 0), (4, 1000))]
    answers = replay(*(request for request, _ in pairs))
    assert answers == [answer for _, answer in pairs]
    for answer in answers:
        assert list(answer) == ANSWER
        assert list(answer["scores"]) == ["light", "dark"]


@pytest.mark.parametrize("text", TEXTS)
def test_the_rules_alone_answer_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    request, answer = expected(text, 5)
    monkeypatch.setattr(fast_replay, "_move_cache", lambda game: None)
    assert replay(request) == [answer]


def test_the_core_is_what_answers() -> None:
    assert all(fast_replay._move_cache(game(text)) is not None for text in TEXTS)
    assert fast_replay._move_cache(parse_game("taiji:size=11,score=omega")) is None, (
        "its products are counted exactly"
    )


def test_scores_and_winner_are_of_the_seats_that_began_so() -> None:
    board = "battle-of-lits:symbols=x..o|.xo.|.xo.|x..o"
    for seed in range(200):
        request, answer = expected(board, seed)
        if "swap" in request["moves"]:
            break
    assert request["moves"][1] == "swap"
    assert replay(request) == [answer]
    plain = {"game": board, "moves": [request["moves"][0]]}
    swapped = {"game": board, "moves": [request["moves"][0], "swap"]}
    before, after = replay(plain, swapped)
    assert before["scores"] == {"light": after["scores"]["dark"], "dark": after["scores"]["light"]}
    assert after["legal"][1] == len(random_game(board, seed, 1)[1][1].legal()), "the swap is a choice"


def test_any_way_to_write_a_move_will_do() -> None:
    answers = replay(
        *({"game": "taiji:size=2", "moves": moves} for moves in (["a1/a2"], ["A1,A2"], ["a1-a2"], [" a1a2 "]))
    )
    assert answers == [answers[0]] * 4
    assert answers[0]["plies"] == 1


def test_a_half_point_is_a_half_point() -> None:
    for seed in range(3):
        request, answer = expected("tailits+taiji", seed)
        scores = replay(request)[0]["scores"]
        assert scores == answer["scores"]
        assert sum(isinstance(points, float) for points in scores.values()) == 1


def test_editions_and_options_are_understood() -> None:
    answers = replay({"game": "deluxe", "moves": []}, {"game": "taiji:groups=2,size=9", "moves": []})
    assert [answer["game"] for answer in answers] == ["taiji:size=11", "taiji"]


@pytest.mark.parametrize(
    ("request_line", "ply", "message"),
    [
        ("", 0, "not JSON"),
        ("{", 0, "not JSON"),
        ("nonsense", 0, "not JSON: Expecting value at column 1"),
        ("[" * 100_000, 0, "not JSON"),
        ("1" * 5_000, 0, "not JSON"),
        ("[]", 0, "not an object"),
        ("null", 0, "not an object"),
        ("{}", 0, "game: missing"),
        ('{"game": "taiji"}', 0, "moves: missing"),
        ('{"moves": []}', 0, "game: missing"),
        ('{"game": 9, "moves": []}', 0, "game: invalid (expected a string"),
        ('{"game": "taiji", "moves": "e4/e5"}', 0, "moves: invalid (expected a list"),
        ('{"game": "chess", "moves": []}', 0, "unknown game 'chess' (expected one of taiji, tailits,"),
        ('{"game": "taiji:size=1", "moves": []}', 0, "size=1: invalid (expected an integer from 2 to 11"),
        ('{"game": "taiji:x=1", "moves": []}', 0, "taiji has no option 'x' (expected size, groups,"),
        ('{"game": "battle-of-lits:board=2,symbols=x", "moves": []}', 0, "board and symbols contradict"),
        ('{"game": "taiji", "moves": [5]}', 1, "ply 1: invalid (expected a string"),
        ('{"game": "taiji", "moves": [null]}', 1, "ply 1: invalid (expected a string"),
        ('{"game": "taiji", "moves": ["hello"]}', 1, "ply 1: invalid cell 'hello'"),
        ('{"game": "taiji", "moves": ["e4/e5", "e5/e6"]}', 2, "ply 2: e5 is already covered"),
        ('{"game": "taiji", "moves": ["e4/e5", "a1/a2", "z1/z2"]}', 3, "ply 3: z1 is not on the board"),
        ('{"game": "taiji", "moves": ["e4/g4"]}', 1, "ply 1: no piece of this game covers"),
        ('{"game": "taiji", "moves": ["swap"]}', 1, "ply 1: taiji has no swap"),
        ('{"game": "battle-of-lits", "moves": ["swap"]}', 1, "ply 1: a swap is only possible"),
        ('{"game": "tailits", "moves": ["a1a2/a3a4"]}', 1, "ply 1: the first piece must cover the centre f6"),
        ('{"game": "taiji:size=2", "moves": ["a1/a2", "b1/b2", "a1/a2"]}', 3, "ply 3: the game is over"),
    ],
)
def test_what_cannot_be_replayed_is_answered_too(request_line: str, ply: int, message: str) -> None:
    good = {"game": "taiji:size=2", "moves": ["a1/a2"]}
    before, answer, after = replay(good, request_line, good)
    assert list(answer) == REFUSAL
    assert answer["ply"] == ply
    assert message in answer["error"]
    assert before == after
    assert list(before) == ANSWER


def test_bytes_that_are_no_text_and_endless_lines_are_answered() -> None:
    lines = b'\xff\xfe\xfa\n{"game": "taiji:size=2", "moves": []}\n' + b" " * 3_000_000 + b"\nx"
    result = taiji("replay", "--jsonl", stdin=lines)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(answer) for answer in answers] == [REFUSAL, ANSWER, REFUSAL, REFUSAL]
    assert answers[2]["error"] == "line too long (expected at most 1,000,000 bytes)"


def test_no_input_gives_no_output() -> None:
    result = taiji("replay", "--jsonl", stdin="")
    assert (result.exit_code, result.stdout) == (0, "")


def test_an_answer_comes_before_the_next_question() -> None:
    command = [sys.executable, "-c", "from taiji.cli import main; main()", "replay", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for seed in range(3):
            request, answer = expected("taiji:size=3", seed)
            program.stdin.write(json.dumps(request) + "\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline()) == answer
        program.stdin.close()
        assert program.wait(PATIENCE_S) == 0


def test_a_long_mixed_stream() -> None:
    chance = random.Random(6)
    small = ["taiji:size=2", "taiji:size=3", "taiji:size=4", "taiji+battle-of-lits:size=3"]
    pairs = [expected(chance.choice(small), seed, chance.randrange(12)) for seed in range(300)]
    assert replay(*(request for request, _ in pairs)) == [answer for _, answer in pairs]


def test_perft() -> None:
    result = taiji("perft", "taiji:size=7", "1", "--json")
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    value = json.loads(result.stdout)
    assert list(value) == ["game", "depth", "nodes"]
    assert value == {"game": "taiji:size=7", "depth": 1, "nodes": 168}


def test_games() -> None:
    value = json.loads(taiji("games", "--json").stdout)
    assert list(value) == ["games", "editions"]
    for each in value["games"]:
        assert list(each) == ["name", "title", "designer", "rulebook", "summary", "options"]
        for option in each["options"]:
            assert {"name", "kind", "domain", "default", "help"} <= set(option)
    for each in value["editions"]:
        assert list(each) == ["name", "title", "game", "match"]
