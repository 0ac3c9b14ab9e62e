"""Balanced openings: one of each class up to symmetry, screened, confirmed and played."""

from __future__ import annotations

import json
from pathlib import Path

from taiji.analysis.explorer.keys import get_keys, key_of
from taiji.arena import InlinePool
from taiji.rules import parse_game
from taiji.study import OpeningSearch, Strength, StudiedGame, Study
from taiji.study.openings import candidates
from taiji.study.studies import run_study, write_reports

SETTINGS = OpeningSearch(plies=2, candidates=15, screen_playouts=20, confirm_playouts=60, keep=3, games=4)
STUDY = Study("openings", (StudiedGame("taiji:size=5"),), (Strength(playouts=10),), openings=SETTINGS)


def test_first_moves_up_to_symmetry() -> None:
    # 80 placements of a taijitu on 5×5 and 8 symmetries: none fixes a placement but the reflection along it.
    lines = candidates(parse_game("taiji:size=5"), 1, 1000, seed=1)
    keys = get_keys(parse_game("taiji:size=5"))
    every = {key_of(keys.of_actions([action])) for action in range(80)}
    assert len(lines) == len(every) == 12


def test_a_random_choice_has_no_two_alike() -> None:
    game = parse_game("taiji:size=7")
    lines = candidates(game, 3, 40, seed=1)
    assert lines == candidates(game, 3, 40, seed=1)
    assert lines != candidates(game, 3, 40, seed=2)
    assert len({key_of(get_keys(game).of_actions(line)) for line in lines}) == len(lines) == 40


def test_openings_are_listed_and_resumed(tmp_path: Path) -> None:
    first = run_study(STUDY, tmp_path, InlinePool(), lambda *_: None)
    lines = [json.loads(line) for line in (tmp_path / "openings.jsonl").read_text().splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert line["game"] == "taiji:size=5"
        state = parse_game(line["game"]).start()
        for move in line["moves"]:
            state = state.play(move)
        assert line["games"] == 4
        assert line["interval"][0] <= line["score"] <= line["interval"][1]
    tilt = [abs(line["score"] - 0.5) for line in lines]
    assert tilt == sorted(tilt), "the results of the games decide the order"
    screened = (tmp_path / "screening.jsonl").read_text()
    assert run_study(STUDY, tmp_path, InlinePool(), lambda *_: None).to_json() == first.to_json()
    assert (tmp_path / "screening.jsonl").read_text() == screened
    page = write_reports(first, tmp_path)[1].read_text()
    assert "Balanced openings" in page
    assert lines[0]["moves"][0] in page
