"""A study gives the same numbers with any number of workers, and after being killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from taiji.arena import InlinePool, JournalError, LocalPool
from taiji.study import Strength, StudiedGame, Study, read_study, write_study
from taiji.study.runner import open_journal, run_games
from taiji.study.studies import load_summary, run_study, stored_study, write_reports
from tests.waiting import wait_until

STUDY = Study(
    "balance",
    (StudiedGame("taiji:size=4"), StudiedGame("battle-of-lits:size=5", boards=3)),
    (Strength(playouts=10), Strength(playouts=20), Strength("mcts", 5)),
    count=12,
)
RUN = """
import sys
from pathlib import Path
from taiji.arena import InlinePool
from taiji.study import read_study
from taiji.study.studies import run_study
folder = Path(sys.argv[1])
run_study(read_study(folder / "study.toml"), folder, InlinePool(), lambda *_: None)
"""


def silent(name: str, done: int, total: int) -> None:
    """Show nothing."""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("reference")
    return json.dumps(run_study(STUDY, folder, InlinePool(), silent).to_json())


def test_workers_do_not_change_the_numbers(reference: str, tmp_path: Path) -> None:
    pool = LocalPool(2)
    try:
        assert json.dumps(run_study(STUDY, tmp_path, pool, silent).to_json()) == reference
    finally:
        pool.close()


def test_a_killed_study_goes_on(reference: str, tmp_path: Path) -> None:
    write_study(STUDY, tmp_path)
    games = tmp_path / "games.jsonl"
    with subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path)]) as run:
        wait_until(lambda: games.exists() and games.read_bytes().count(b"\n") > 1, "no game was played")
        run.send_signal(signal.SIGKILL)
    # What the disk had of the last line when the process was killed.
    text = games.read_text()
    games.write_text(text + '{"cell":"taiji:size=4 | mcts')
    played: list[int] = []
    summary = run_study(STUDY, tmp_path, InlinePool(), lambda _, done, total: played.append(done))
    assert played[0] >= 1, "the first games were played again"
    assert json.dumps(summary.to_json()) == reference
    assert json.dumps(load_summary(tmp_path).to_json()) == reference


def test_other_seeds_give_other_games(tmp_path: Path) -> None:
    one = Study("balance", STUDY.games[:1], STUDY.strengths[:1], count=6)
    rows = []
    for seed in (1, 2):
        study = Study("balance", one.games, one.strengths, count=6, seed=seed)
        journal = open_journal(study, tmp_path / str(seed))
        run_games(study, InlinePool(), journal, lambda _: None)
        journal.close()
        rows.append([row.actions for row in journal.results.values()])
    assert rows[0] != rows[1]


def test_games_may_be_added_but_not_another_seed(tmp_path: Path) -> None:
    small = Study("balance", STUDY.games[:1], STUDY.strengths[:1], count=4)
    run_study(small, tmp_path, InlinePool(), silent)
    before = (tmp_path / "games.jsonl").read_text()
    steps: list[int] = []
    more = small.with_count(6)
    assert stored_study(more, tmp_path, keep_count=True) == small
    assert stored_study(more, tmp_path, keep_count=False) is None
    summary = run_study(more, tmp_path, InlinePool(), lambda _, done, total: steps.append(done))
    assert (steps[0], summary.played) == (4, 6)
    assert (tmp_path / "games.jsonl").read_text().startswith(before)
    other = Study("balance", small.games, small.strengths, count=4, seed=2)
    with pytest.raises(JournalError, match="another study"):
        run_study(other, tmp_path, InlinePool(), silent)
    assert read_study(tmp_path / "study.toml") == more


def test_random_moves_come_first(tmp_path: Path) -> None:
    study = Study("balance", STUDY.games[1:], (Strength(playouts=2),), count=3, random_plies=2)
    journal = open_journal(study, tmp_path)
    run_games(study, InlinePool(), journal, lambda _: None)
    journal.close()
    for row in journal.results.values():
        assert row.opening == 2
        assert row.win[:2] == (None, None)
        assert row.win[2] is not None
    assert {row.game for row in journal.results.values()} == {
        f"battle-of-lits:board={board},size=5" if board > 1 else "battle-of-lits:size=5"
        for board in (1, 2, 3)
    }


def test_comparison(tmp_path: Path) -> None:
    games = StudiedGame("taiji:size=3"), StudiedGame("taiji:size=3,groups=2")
    study = Study("compare", games, (Strength(playouts=5),), count=8)
    summary = run_study(study, tmp_path, InlinePool(), silent)
    (difference,) = summary.differences()
    cells = [game.cells[0] for game in summary.games]
    margins = [cell.estimates["margin"] for cell in cells]
    assert margins[0] is not None
    assert margins[1] is not None
    assert difference["margin"][0] == pytest.approx(margins[1].value - margins[0].value, abs=1e-4)
    assert "Side by side" in write_reports(summary, tmp_path)[1].read_text()


@pytest.mark.slow
def test_the_batched_search_resumes_with_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    study = Study("balance", (StudiedGame("taiji:size=3"),), (Strength("gumbel", 2),), count=4, batch=2)
    whole = run_study(study, tmp_path / "whole", InlinePool(), silent).to_json()
    run_study(study.with_count(2), tmp_path / "parts", InlinePool(), silent)
    parts = run_study(study, tmp_path / "parts", InlinePool(), silent).to_json()
    assert parts == whole
    assert whole["games"][0]["cells"][0]["games"] == 4
