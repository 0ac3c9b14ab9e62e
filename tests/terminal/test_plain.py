"""Play by lines: every command, every game to its end, and clean farewells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from taiji.rules import GAMES, MatchRule
from taiji.terminal.clocks import TimeControl
from taiji.terminal.commands import COMMANDS, find_command
from taiji.terminal.plain import Plain
from taiji.terminal.questions import ask_for_session
from taiji.terminal.saves import Saves
from tests.notation.games import random_game
from tests.terminal.sessions import Typist, session


def played(text: str, folder: Path, *lines: str, **options: object) -> str:
    typist = Typist(lines)
    begun = session(text, folder, **options)  # type: ignore[arg-type]
    Plain(begun, typist.read, typist.write, ascii=True).run()
    return typist.text


@pytest.mark.parametrize("text", [*GAMES, "taiji:size=4,komi=choose", "taiji:size=4,komi=0.5,pie=3"])
def test_every_game_is_played_to_its_end(text: str, tmp_path: Path) -> None:
    moves, states = random_game(text, seed=6)
    written = played(text, tmp_path, *(str(move) for move in moves))
    outcome = states[-1].outcome()
    assert outcome is not None
    assert "The game is over" in written
    assert f"{outcome.scores.first}" in written
    assert (tmp_path / "games.tji").exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_answers(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taiji.terminal.opponents.HINT_TIME_S", 0.05)
    before = played("taiji:size=3", tmp_path / "a", "a1/a2").split("\n")
    written = played("taiji:size=3", tmp_path / "b", "a1/a2", name).split("\n")
    if name == "quit":
        assert written == before, "the end of the lines is as good as quit"
    else:
        assert Counter(written) - Counter(before), "it says something"


def test_answers() -> None:
    assert find_command("help") == ("help", "")
    assert find_command("moves  e4") == ("moves", "e4")
    assert find_command("sup") == ("supply", "")
    assert find_command("re") is None, "several begin so"
    assert find_command("?") == find_command("h") == ("help", "")
    assert find_command("exit") == find_command("Q") == ("quit", "")
    assert find_command("e4/e5") is None


def test_a_komi_is_named_and_a_colour_taken(tmp_path: Path) -> None:
    written = played("taiji:size=4,komi=choose", tmp_path, "a1/a2", "komi=1.5", "swap", "a1/a2", "score")
    assert "Dark names the points for Light, komi=-10 to komi=10" in written
    assert "the komi must be named first" in written
    assert "Dark names a komi of 1.5 for Light." in written
    assert "A swap is allowed." in written
    assert "Light has 2.5" in written


def test_reasons_are_given(tmp_path: Path) -> None:
    written = played("taiji:size=3", tmp_path, "a1/a2", "a1/b1", "why a1/b1", "why b1/c1", "z9/z8", "why")
    assert written.count("Illegal move: a1 is already covered.") == 2
    assert "b1/c1 is legal." in written
    assert "Invalid input" in written
    assert "Give the move" in written


def test_moves_are_listed(tmp_path: Path) -> None:
    written = played("taiji:size=3", tmp_path, "a1/a2", "moves c3", "moves zz", "moves")
    assert "4 moves: " in written
    assert "zz is not on the board" in written


def test_undo_and_resume(tmp_path: Path) -> None:
    written = played("taiji:size=3", tmp_path, "a1/a2", "undo", "undo", "b1/b2")
    assert "1 move taken back." in written
    assert "No move to take back." in written
    assert written.endswith("The game is saved. Resume it with: taiji play --resume")
    typist = Typist(["1", "record", "quit"])
    resumed = ask_for_session(typist.read, typist.write, Saves(tmp_path))
    assert resumed is not None
    Plain(resumed, typist.read, typist.write).run()
    assert "The game continues after 1 move." in typist.text
    assert "1. b1/b2" in typist.text


def test_swap_by_lines(tmp_path: Path) -> None:
    written = played("battle-of-lits", tmp_path, "swap", "a1a2a3a4", "swap")
    assert "Illegal move: a swap is only possible" in written
    assert "O swaps colours" in written


def test_two_computers_need_nobody(tmp_path: Path) -> None:
    written = played("taiji:size=3", tmp_path, players=("random", "random"), match=MatchRule.NESTORGAMES)
    assert "The second game" in written
    assert "The match: player 1 (random)" in written


def test_resignation_ends_it(tmp_path: Path) -> None:
    assert "The game is over: Light resigned." in played("taiji:size=3", tmp_path, "resign")


def test_the_clock_is_told(tmp_path: Path) -> None:
    written = played("taiji:size=3", tmp_path, "clock", control=TimeControl(300, 5))
    assert "Light has 5:00, Dark has 5:00." in written or "Light has 4:59" in written


def test_a_player_that_fails_ends_the_game_but_loses_nothing(tmp_path: Path) -> None:
    written = played("taiji:size=3", tmp_path, "a1/a2", players=("person", "ugi:/nonexistent/engine"))
    assert "failed: " in written
    assert "The game is saved" in written


def test_a_game_is_set_up_by_answers(tmp_path: Path) -> None:
    answers = ["chess", "taiji:size=3", "nobody", "person", "random", "10+x", "10+5", "maybe", "y"]
    typist = Typist(answers)
    begun = ask_for_session(typist.read, typist.write, Saves(tmp_path))
    assert begun is not None
    assert str(begun.setup.game) == "taiji:size=3"
    assert begun.setup.players == ("person", "random")
    assert begun.setup.control == TimeControl(600, 5)
    assert begun.setup.match is MatchRule.NESTORGAMES
    for complaint in ("unknown game 'chess'", "unknown player 'nobody'", "such as 10+5", "expected y or n"):
        assert complaint in typist.text


@pytest.mark.parametrize("answers", [[], ["1"], ["1", "1"], ["1", "1", "1"], ["1", "1", "1", ""]])
def test_the_end_of_the_answers_is_no_error(answers: list[str], tmp_path: Path) -> None:
    typist = Typist(answers)
    assert ask_for_session(typist.read, typist.write, Saves(tmp_path)) is None
