"""`taiji render`: every format from the command line, and bad input in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from taiji.notation import format_record
from tests.cli.run import refusal, taiji
from tests.render.scenes import record

STARTS = {"svg": b"<svg ", "png": b"\x89PNG", "gif": b"GIF89a", "pdf": b"%PDF-", "txt": b"  \xe2\x94\x8c"}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.tji"
    path.write_text(format_record(record("taiji:size=4")))
    return path


@pytest.mark.parametrize("form", STARTS)
def test_every_format(form: str, game: Path, tmp_path: Path) -> None:
    output = tmp_path / f"out.{form}"
    result = taiji("render", str(game), "-o", str(output), "--size", "200", "--groups", "--theme", "night")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr == f"{output}: {output.stat().st_size:,} bytes written\n"
    assert output.read_bytes().startswith(STARTS[form])


def test_stdout(game: Path) -> None:
    assert taiji("render", str(game), "-o", "-", "--format", "svg").stdout.startswith("<svg ")


def test_a_position_with_everything_pointed_out(tmp_path: Path) -> None:
    output = tmp_path / "position.svg"
    position = ["tji1", "taiji:size=5", "b2/b3,c2/c3", "light", "-"]
    marks = ["--arrow", "b2-c4", "--note", "e5=A", "--caption", "Light to move", "--no-coordinates"]
    assert taiji("render", *position, "-o", str(output), *marks).exit_code == 0
    svg = output.read_text()
    assert 'class="arrow"' in svg
    assert ">A</text>" in svg
    assert "Light to move</text>" in svg


def test_a_ply_and_the_last_move(game: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / f"{n}.svg" for n in range(3)]
    taiji("render", str(game), "-o", str(outputs[0]), "--ply", "2")
    taiji("render", str(game), "-o", str(outputs[1]), "--ply", "3")
    taiji("render", str(game), "-o", str(outputs[2]), "--ply", "3", "--no-last")
    two, three, unmarked = (path.read_text() for path in outputs)
    assert two.count('class="piece"') == 2
    assert three.count('class="piece"') == 3
    assert len(unmarked) < len(three)


@pytest.mark.parametrize(
    ("form", "mark"), [("svg", b"@keyframes"), ("gif", b"NETSCAPE"), ("pdf", b"%PDF"), ("txt", b"ply 3")]
)
def test_a_range_becomes_an_animation_or_pages(form: str, mark: bytes, game: Path, tmp_path: Path) -> None:
    output = tmp_path / f"range.{form}"
    assert taiji("render", str(game), "-o", str(output), "--ply", "1-3", "--size", "120").exit_code == 0
    assert mark in output.read_bytes()


def test_sheets(tmp_path: Path) -> None:
    assert taiji("render", "taiji:size=7", "--sheet", "-o", str(tmp_path / "sheet.pdf")).exit_code == 0
    assert taiji("render", "taiji:size=7", "--sheet", "-o", str(tmp_path / "sheet.svg")).exit_code == 0
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF-")
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["sheet-1.svg", "sheet-2.svg"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["taiji", "-o", "x.bmp"], "unknown format 'bmp' (expected .svg, .png, .gif, .pdf, .txt)"),
        (["taiji", "-o", "x"], "(expected .svg"),
        (["taiji", "-o", "-"], "give the format with --format"),
        (["taiji", "-o", "nowhere/x.svg"], "nowhere/x.svg: No such file or directory"),
        (["taiji", "-o", "x.gif"], "not a file of records"),
        (["nothing.tji", "-o", "x.png"], "nothing.tji: No such file"),
        (["chess", "-o", "x.png"], "unknown game"),
        (["taiji", "-o", "x.png", "--theme", "neon"], "'paper', 'night', 'patterns', 'print'"),
        (["taiji", "-o", "x.png", "--arrow", "e4"], "such as e4-g6"),
        (["taiji", "-o", "x.png", "--arrow", "e4-z9"], "z9 is not on the board"),
        (["taiji", "-o", "x.png", "--note", "e4"], "such as e4=A"),
        (["taiji", "-o", "x.png", "--ply", "soon"], "such as 12"),
        (["taiji", "--sheet", "-o", "x.png"], "needs a .pdf or .svg file"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refusal("render", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_range_needs_a_format_with_several_pictures(game: Path) -> None:
    assert "a range needs .gif, .svg, .pdf or .txt" in refusal(
        "render", str(game), "-o", "x.png", "--ply", "1-3"
    )
    assert "(the game has" in refusal("render", str(game), "-o", "x.png", "--ply", "99")
