"""Certificates of small boards: written by the solver, checked by the rules, and no other claim passes."""

import json

import pytest

from taiji.analysis.certificates import (
    CertificateError,
    check_certificate,
    make_certificate,
    read_certificate,
)
from taiji.rules import Seat, game_from_dict, parse_game
from tests.cli.run import refusal, taiji


def board(width, height, score):
    return {
        "name": f"taiji-{width}x{height}",
        "board": ["." * width] * height,
        "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
        "score": score,
        "tie": "dark",
    }


BOARDS = [
    (board(2, 2, {"rule": "largest", "groups": 1}), 0, Seat.SECOND),
    (board(3, 3, {"rule": "omega"}), 0, Seat.SECOND),
    (board(4, 3, {"rule": "largest", "groups": 2}), 0, Seat.SECOND),
    (board(5, 3, {"rule": "largest", "groups": 1}), 1, Seat.FIRST),
]


@pytest.mark.parametrize(("definition", "margin", "winner"), BOARDS, ids=[row[0]["name"] for row in BOARDS])
def test_a_certificate_proves_its_value(definition, margin, winner):
    made = make_certificate(game_from_dict(definition), definition)
    read = read_certificate(list(made.lines()))
    assert (read.margin, read.winner) == (margin, winner)
    assert check_certificate(read) > len(read.answers[Seat.FIRST]) + len(read.answers[Seat.SECOND])


def lines_of(definition):
    return list(make_certificate(game_from_dict(definition), definition).lines())


@pytest.mark.parametrize("claim", [-1, 1, 2])
def test_no_other_margin_passes(claim):
    lines = lines_of(BOARDS[2][0])
    head = json.loads(lines[0]) | {"margin": claim, "winner": "light" if claim > 0 else "dark"}
    with pytest.raises(CertificateError, match="claimed"):
        check_certificate(read_certificate([json.dumps(head), *lines[1:]]))


def test_every_answer_is_needed():
    lines = lines_of(BOARDS[1][0])
    for left_out in range(1, len(lines)):
        with pytest.raises(CertificateError, match="no answer"):
            check_certificate(read_certificate(lines[:left_out] + lines[left_out + 1 :]))


HEAD = {"format": "taiji-certificate", "version": 1, "game": "taiji:size=2", "margin": 0, "winner": "dark"}


@pytest.mark.parametrize(
    ("head", "rest", "problem"),
    [
        ({"format": "x"}, [], "line 1"),
        ({"version": 9}, [], "line 1"),
        ({"game": "chess"}, [], "line 1"),
        ({"margin": "x"}, [], "line 1"),
        ({"winner": "light"}, [], "winner"),
        ({}, ["x"], "line 2"),
        ({}, ["dark 1 2 a1/b1 b1/a1"], "line 2"),
    ],
)
def test_bad_files_are_refused(head, rest, problem):
    with pytest.raises(CertificateError, match=problem):
        read_certificate([json.dumps(HEAD | head), *rest])


@pytest.mark.parametrize("line", [(), ("[" * 100_000,), ('{"margin": ' + "9" * 5000 + "}",)])
def test_heads_that_are_not_json_are_refused(line):
    with pytest.raises(CertificateError, match="line 1"):
        read_certificate(line)


def test_games_whose_positions_are_more_than_two_colours_have_none():
    with pytest.raises(CertificateError, match="tailits"):
        make_certificate(parse_game("tailits"), "tailits")


def test_the_program_writes_and_checks_them(tmp_path):
    file = tmp_path / "3x3.proof"
    assert "margin +0, dark wins" in taiji("solve", "taiji:size=3", "--certificate", file).output
    assert "proven: taiji:size=3" in taiji("solve", "--check", file).output
    assert json.loads(taiji("solve", "--check", file, "--json").output)["winner"] == "dark"
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:-1]))
    assert "no answer" in refusal("solve", "--check", file)
    assert "memory=900000" in refusal("solve", "taiji:size=2", "--memory", "900000")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(4, 4), (6, 3), (5, 4), (7, 2), (10, 2)])
@pytest.mark.parametrize("score", [{"rule": "largest", "groups": n} for n in (1, 2, 3)] + [{"rule": "omega"}])
def test_boards_of_up_to_twenty_squares(width, height, score):
    definition = board(width, height, score)
    check_certificate(make_certificate(game_from_dict(definition), definition))
