"""The stored playthroughs are reproduced; `python -m tests.playthroughs` updates them."""

from __future__ import annotations

import pytest

from taiji.rules import GAMES
from tests.oracle import Oracle
from tests.playthroughs import FOLDER, PLAYED, playthrough


@pytest.mark.parametrize("name", PLAYED)
def test_a_playthrough_goes_as_it_went(name: str) -> None:
    assert playthrough(*PLAYED[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLAYED)
def test_the_oracle_reads_a_playthrough_with_the_same_choices_and_scores(name: str) -> None:
    pages = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    head = dict(line.split(" ", 1) for line in pages[0].splitlines())
    oracle = Oracle(head["game"], head.get("symbols"))
    for page in pages[1:]:
        lines = page.splitlines()
        scores = next(line for line in lines if line.startswith("scores ")).split()[1:]
        assert [float(score) for score in scores] == [oracle.scores()["light"], oracle.scores()["dark"]]
        if lines[-1].startswith("over"):
            assert lines[-1] == f"over, won by {oracle.winner()}"
            assert oracle.over
            break
        assert lines[-2].startswith(
            f"{oracle.seat_to_move} to move as {oracle.colour_to_move}, {len(oracle.legal())} choices"
        )
        oracle.play(lines[-1].split()[1])
    else:
        pytest.fail("the playthrough has no end")


def test_every_game_has_a_playthrough_and_every_file_is_one() -> None:
    assert set(GAMES) <= set(PLAYED)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYED)
