"""`taiji show` draws games, positions and records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taiji import write
from taiji.notation import Record, format_position, format_record, parse_position
from taiji.render.text import draw
from taiji.rules import GAMES, Seat, parse_game
from tests.cli.run import refusal, taiji
from tests.notation.games import HOLES, game, random_game

POSITION = "tji1 taiji:size=4 a1/a2,b1/b2 light -"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "games.tji"
    games = [
        Record.of(game(text), random_game(text, 1)[0])
        for text in ("taiji:size=4", "taiji+battle-of-lits:size=4")
    ]
    path.write_text("\n".join(map(format_record, games)) + '\n[Game "taiji"]\n\n1. nonsense *\n')
    return str(path)


@pytest.mark.parametrize("text", [*GAMES, "blue-panther"])
def test_a_game_is_drawn_as_it_begins(text: str) -> None:
    assert taiji("show", text).stdout == draw(parse_game(text).start()) + "\n"


def test_a_position_is_drawn_in_one_argument_or_several() -> None:
    drawn = draw(parse_position(POSITION)) + "\n"
    assert taiji("show", POSITION).stdout == drawn
    assert taiji("show", "--", *POSITION.split()).stdout == drawn
    assert taiji("show", *POSITION.split()).stdout == drawn


def test_options_of_the_drawing() -> None:
    state = parse_position(POSITION)
    assert taiji("show", POSITION, "--ascii").stdout == draw(state, ascii=True) + "\n"
    assert taiji("show", POSITION, "--colour").stdout == draw(state, colour=True) + "\n"
    assert taiji("show", POSITION, "--no-scoring-groups").stdout == draw(state, scoring_groups=False) + "\n"


def test_a_record_is_drawn_as_it_ended_or_at_a_ply(file: str) -> None:
    moves, states = random_game("taiji:size=4", 1)
    assert taiji("show", file).stdout == draw(states[-1], last=moves[-1]) + "\n"
    assert taiji("show", file, "--ply", "2").stdout == draw(states[2], last=moves[1]) + "\n"
    assert taiji("show", file, "--ply", "0").stdout == draw(states[0]) + "\n"
    moves, states = random_game("taiji+battle-of-lits:size=4", 1)
    assert taiji("show", file, "--game-number", "2").stdout == draw(states[-1], last=moves[-1]) + "\n"


def test_a_record_from_stdin(file: str) -> None:
    assert taiji("show", "-", stdin=Path(file).read_text()).stdout == taiji("show", file).stdout


def test_a_custom_game(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(HOLES)
    assert taiji("show", str(path)).stdout == draw(game("test-holes").start()) + "\n"
    position = format_position(random_game("test-holes", 1)[1][3])
    assert taiji("show", position, "--game-file", str(path)).stdout == draw(parse_position(position)) + "\n"


def test_as_json(file: str) -> None:
    moves, states = random_game("taiji:size=4", 1)
    value = json.loads(taiji("show", file, "--ply", "3", "--json").stdout)
    scores = states[3].scores()
    assert value == {
        "game": "taiji:size=4",
        "position": format_position(states[3]),
        "stage": "taiji",
        "ply": 3,
        "to_move": "dark",
        "legal": len(states[3].legal()),
        "over": False,
        "scores": {"light": scores.first, "dark": scores.second},
        "winner": None,
        "last": str(moves[2]),
    }
    over = json.loads(taiji("show", file, "--json").stdout)
    outcome = states[-1].outcome()
    assert outcome is not None
    assert over["over"] is True
    assert over["to_move"] is None
    assert over["winner"] == {Seat.FIRST: "light", Seat.SECOND: "dark", None: None}[outcome.winner]


def test_bad_input(file: str, tmp_path: Path) -> None:
    assert "nothing to do (expected a game, a position or a file" in refusal("show")
    assert "unknown game 'tayji' (did you mean taiji? expected one of taiji," in refusal("show", "tayji")
    assert "none.tji: No such file or directory" in refusal("show", "none.tji")
    assert "no such file, and not a position (a position starts" in refusal("show", "taiji e4/e5")
    assert refusal("show", "tji1 taiji - dark -") == "taiji: column 14: mover: 'dark' (expected light)"
    assert "no game 9 (the file holds 3)" in refusal("show", file, "--game-number", "9")
    assert "--ply 99: too large (the game has " in refusal("show", file, "--ply", "99")
    assert "ply 1: invalid cell 'nonsense'" in refusal("show", file, "--game-number", "3")
    assert "0 is not in the range x>=1" in refusal("show", file, "--game-number", "0")
    assert "Is a directory" in refusal("show", str(tmp_path) + "/")


@pytest.mark.parametrize("name", ["games.jsonl", "games.trl", "games.json"])
@pytest.mark.parametrize("folder", [True, False])
def test_a_record_of_another_program_is_drawn(
    name: str, folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "taiji:groups=1"
    played = Record.of(game(text), random_game(text, 2)[0])
    write(tmp_path / name, [played] if name.endswith(".trl") else [played, played])
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / name) if folder else name
    shown = taiji("show", path, "--ply", "3").stdout
    assert (
        shown.splitlines()[1:]
        == draw(played.replay().states[3], last=played.replay().moves[2]).splitlines()[1:]
    )
    assert taiji("analyse", path, "--ply", "3", "--playouts", "5").exit_code == 0
    assert "no game 3" in refusal("solve", path, "--game-number", "3")


@pytest.mark.parametrize("text", ["taiji:size=4", POSITION])
@pytest.mark.parametrize("option", ["--ply 3", "--game-number 2"])
def test_an_option_of_records_is_refused_for_anything_else(text: str, option: str) -> None:
    message = refusal("show", text, *option.split())
    assert message == f"taiji: {option}: {text} is not a file of records"
    assert taiji("show", text, "--ply", "0").exit_code == 0
