"""Files of records: told by content or extension, read and written one game at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from taiji.notation import NotationError, Record, format_record
from taiji.notation.files import detect_format, read_file, write_file
from taiji.notation.interchange import FORMATS, format_for_file
from taiji.rules import parse_game

GAME = parse_game("taiji:groups=1")
TAGS = {"Light": "Ann", "Dark": "Bob"}


def first_moves() -> Iterator[str]:
    """The moves of the game in which everybody plays the first legal one."""
    state = GAME.start()
    while not state.is_over:
        yield str(state.legal()[0])
        state = state.play(state.legal()[0])


RECORD = Record.of(GAME, first_moves(), TAGS)
READABLE = [name for name, form in FORMATS.items() if form.read is not None]
PEERS = Path(__file__).parent / "interchange" / "peers"


@pytest.mark.parametrize("name", READABLE)
def test_a_format_is_told_by_its_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    assert write_file(path, [RECORD, RECORD], format=name) == 2
    with read_file(path) as file:
        assert file.format == name
        assert [record.moves for record in file] == [RECORD.moves] * 2


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_told_by_its_extension(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{FORMATS[name].suffixes[0]}"
    assert write_file(str(path), RECORD) == 1
    assert path.stat().st_size > 0
    head = path.read_bytes()[:4096]
    by_content = detect_format(head, "x" if name != "csv" else "x.csv")
    assert by_content is format_for_file(path.name) is FORMATS[name]


def test_files_of_other_programs_are_told_by_their_content() -> None:
    for folder, name in (("abstractplay", "abstractplay"), ("ludii", "ludii")):
        for path in sorted((PEERS / folder).rglob("*")):
            if path.is_file():
                assert detect_format(path.read_bytes()[:8192], "unnamed").name == name, path


def test_content_counts_more_than_the_extension(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_text(format_record(RECORD))
    with read_file(path) as by_content, read_file(path, format="abstractplay") as by_name:
        assert by_content.format == "tji"
        with pytest.raises(NotationError):
            next(by_name)


def test_an_empty_file_has_no_games_and_an_unknown_one_no_format(tmp_path: Path) -> None:
    empty, unknown = tmp_path / "empty.tji", tmp_path / "notes"
    empty.touch()
    unknown.write_text("dear diary")
    assert list(read_file(empty)) == []
    with pytest.raises(ValueError, match="unknown extension ''"):
        read_file(unknown)


def test_an_invalid_game_is_raised_or_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "games.tji"
    good, bad = format_record(RECORD), '[Game "taiji"]\n\n1. a1/a2 a2/a3 *\n'
    path.write_text(f"{bad}\n{good}")
    errors: list[NotationError] = []
    assert [record.moves for record in read_file(path, on_error=errors.append)] == [RECORD.moves]
    assert [error.ply for error in errors] == [2]
    with read_file(path) as reading:
        with pytest.raises(NotationError, match="a2 is already covered"):
            next(reading)
        assert next(reading).moves == RECORD.moves, "the next game can still be read"


def test_records_are_read_and_written_one_at_a_time(tmp_path: Path) -> None:
    alive: list[int] = []
    path = tmp_path / "games.jsonl"

    def records() -> Iterator[Record]:
        for number in range(3):
            partial = tmp_path / "games.jsonl.partial"
            alive.append(partial.exists())
            yield Record.of(GAME, ["e4/e5"], {"Round": str(number)})

    assert write_file(path, records()) == 3
    assert alive == [True] * 3
    reading = read_file(path)
    assert next(reading).tag("Round") == "0"
    path.write_text("")
    reading.close()


def test_a_file_stays_as_it_was_if_a_record_is_invalid(tmp_path: Path) -> None:
    path = tmp_path / "games.tji"
    write_file(path, RECORD)
    before = path.read_bytes()
    broken = Record(GAME, RECORD.steps[:1] * 2)
    with pytest.raises(NotationError, match=r"ply 2: .* is already covered"):
        write_file(path, [RECORD, broken])
    with pytest.raises(NotationError, match="Ludii has no battle-of-lits"):
        write_file(path, Record(parse_game("battle-of-lits"), ()), format="ludii")
    with pytest.raises(TypeError, match=r"records: invalid str \(expected a Record or an iterable of them"):
        write_file(path, [RECORD, "x"])  # type: ignore[list-item]
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.tji"]


def test_a_file_can_be_rewritten_from_itself(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_file(path, [RECORD, RECORD])
    assert write_file(path, read_file(path)) == 2
    assert [json.loads(line)["tags"]["Light"] for line in path.read_text().splitlines()] == ["Ann", "Ann"]


def test_a_file_that_cannot_be_created_is_named_as_the_caller_named_it(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "games.tji"
    with pytest.raises(FileNotFoundError) as error:
        write_file(path, RECORD)
    assert error.value.filename == str(path)
