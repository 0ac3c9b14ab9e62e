"""`taiji convert`: files, folders and streams, with statistics of what was rejected and why."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from taiji.cli import program
from taiji.notation import format_record, read_records
from tests.notation.interchange.samples import LUDII, game_record

BAD = '[Game "taiji"]\n\n1. a1/a2 a2/a3 *\n\n'
"""A game whose second move is illegal."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with three games of which the second is bad."""
    monkeypatch.chdir(tmp_path)
    good = [format_record(game_record(LUDII, seed)) + "\n" for seed in (1, 2)]
    (tmp_path / "games.tji").write_text(good[0] + BAD + good[1])
    return tmp_path


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(program, ["convert", *arguments], input=stdin)


def moves(path: Path) -> list[tuple[str, ...]]:
    with path.open() as stream:
        return [record.moves for record in read_records(stream)]


GOOD = [game_record(LUDII, seed).moves for seed in (1, 2)]


@pytest.mark.parametrize("ending", ["jsonl", "json", "trl", "txt"])
def test_there_and_back(folder: Path, ending: str) -> None:
    there = run("games.tji", f"other.{ending}")
    assert there.exit_code == 2
    assert "taiji convert: games.tji: game 2, line" in there.stderr
    assert "ply 2: a2/a3: " in there.stderr
    assert f"3 games read, 2 written to other.{ending}, 1 refused" in there.stderr
    assert "refused: 1 × illegal move" in there.stderr
    assert there.stdout == ""
    back = run(f"other.{ending}", "back.tji")
    assert back.exit_code == 0, back.stderr
    assert moves(folder / "back.tji") == GOOD
    assert not list(folder.glob("*.partial"))


def test_a_folder_gets_one_file_a_game_and_gives_them_back(folder: Path) -> None:
    assert run("games.tji", "trials/", "--to", "ludii").exit_code == 2
    assert sorted(path.name for path in (folder / "trials").iterdir()) == ["00001.trl", "00002.trl"]
    (folder / "trials" / "00003.trl").write_text("game=Chess.lud\n")
    back = run("trials", "back.tji")
    assert back.exit_code == 2
    assert "trials/00003.trl: game 1, line 1: unknown game 'Chess.lud'" in back.stderr
    assert "refused: 1 × unknown variant" in back.stderr
    assert moves(folder / "back.tji") == GOOD


def test_tables(folder: Path) -> None:
    assert run("games.tji", "plies.csv").exit_code == 2
    rows = list(csv.DictReader(io.StringIO((folder / "plies.csv").read_text())))
    assert len(rows) == sum(map(len, GOOD))
    assert {row["number"] for row in rows} == {"1", "2"}
    assert run("games.tji", "games.parquet", "--rows", "games").exit_code == 2
    frame = pd.read_parquet(folder / "games.parquet")
    assert [tuple(text.split()) for text in frame["moves"]] == GOOD


def test_standard_input_and_output(folder: Path) -> None:
    done = run("-", "-", "--from", "tji", "--to", "jsonl", stdin=(folder / "games.tji").read_bytes())
    assert [len(json.loads(line)["moves"]) for line in done.stdout.splitlines()] == list(map(len, GOOD))
    assert "stdin: game 2" in done.stderr
    assert "written to standard output" in done.stderr


def test_the_tally_as_json(folder: Path) -> None:
    done = run("games.tji", "other.json", "--json")
    assert json.loads(done.stdout) == {
        "read": 3,
        "written": 2,
        "refused": {"illegal move": 1},
        "notes": {},
    }


def test_notes_are_counted(folder: Path) -> None:
    done = run("games.tji", "other.trl")
    assert "note: 2 games: names and other tags left out" in done.stderr


def test_a_shared_tie_is_noted(folder: Path) -> None:
    record = {
        "header": {
            "game": {"name": "Taiji", "variants": ["7x7"]},
            "players": [{"name": "a", "result": 1}, {"name": "b", "result": 1}],
        },
        "moves": [],
    }
    from tests.notation.interchange.samples import tied

    texts = [move.replace("/", ",") for move in tied("taiji:size=7,groups=2").moves]
    record["moves"] = [texts[at : at + 2] for at in range(0, len(texts), 2)]
    (folder / "tie.json").write_text(json.dumps(record))
    done = run("tie.json", "tie.tji")
    assert done.exit_code == 0
    assert "note: 1 game: equal scores, a tie at AbstractPlay" in done.stderr
    assert '[Result "0-1"]' in (folder / "tie.tji").read_text()


def test_a_target_stays_when_nothing_could_be_written(folder: Path) -> None:
    (folder / "bad.tji").write_text(BAD)
    (folder / "kept.json").write_text("kept")
    done = run("bad.tji", "kept.json")
    assert done.exit_code == 2
    assert (folder / "kept.json").read_text() == "kept"


def test_a_wrong_result_is_refused(folder: Path) -> None:
    text = format_record(game_record(LUDII, 1)).replace("0-1", "x").replace("1-0", "0-1").replace("x", "1-0")
    (folder / "wrong.tji").write_text(text)
    done = run("wrong.tji", "-", "--to", "tji")
    assert "by the rules it is" in done.stderr
    assert "refused: 1 × wrong result" in done.stderr


def test_a_game_of_ones_own_is_converted(folder: Path) -> None:
    (folder / "own.toml").write_text(
        'name = "own"\nboard = ["...", "..."]\n[[pieces]]\nkind = "two"\nshape = ["ld"]\ncount = 3\n'
    )
    (folder / "own.tji").write_text('[Game "own"]\n\n1. a1/b1 *\n')
    done = run("own.tji", "own.sgf", "--game-file", "own.toml")
    assert done.exit_code == 0, done.stderr
    assert "SZ[3:2]" in (folder / "own.sgf").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing.tji", "x.json"), "nothing.tji"),
        (("games.tji", "x.docx"), "unknown extension '.docx'"),
        (("games.tji", "x"), "unknown extension ''"),
        (("games.docx", "x.tji"), "games.docx"),
        (("games.tji", "x", "--to", "word"), "unknown format"),
        (("games.tji", "x.tji", "--from", "sgf"), "the sgf format cannot be read"),
        (("x.csv", "x.tji"), "the csv format cannot be read"),
        (("-", "x.tji"), "--from"),
        (("games.tji", "-"), "--to"),
        (("games.tji", "there/is/no/folder.json"), "there/is/no"),
        (("empty.tji", "x.json"), "no games found"),
    ],
)
def test_bad_requests_are_refused_in_one_line(folder: Path, arguments: tuple[str, ...], says: str) -> None:
    (folder / "empty.tji").write_text("")
    (folder / "games.docx").write_text("")
    (folder / "x.csv").write_text("")
    done = run(*arguments)
    assert done.exit_code == 2
    assert says in done.stderr or says in str(done.exception)
