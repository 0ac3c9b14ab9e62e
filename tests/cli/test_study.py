"""`taiji study`: a page for a designer's game in one command, and bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import refusal, taiji

ROOT = Path(__file__).parents[2]
LAGOON = str(ROOT / "docs" / "rules" / "examples" / "lagoon.toml")
QUICK = ("--games", "4", "--playouts", "3,6,9", "--workers", "1")


def test_a_designers_game_in_one_command(tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    result = taiji("study", "balance", LAGOON, *QUICK, "-o", folder, "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["complete"]
    assert [cell["playouts"] for cell in summary["games"][0]["cells"]] == [3, 6, 9]
    assert summary["games"][0]["light"] == "Sand"
    assert "estimate: about" in result.stderr
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"study.toml", "lagoon.toml", "games.jsonl", "summary.json", "index.html", "report.md"}
    again = taiji("study", "run", f"{folder}/study.toml", "-o", folder, "--workers", "1", "--json")
    assert json.loads(again.stdout) == summary
    by_name = taiji("study", "balance", "lagoon", "--game-file", LAGOON, *QUICK, "-o", folder, "--json")
    assert json.loads(by_name.stdout) == summary
    parquet = str(tmp_path / "games.parquet")
    report = taiji("study", "report", folder, "--parquet", parquet)
    assert report.exit_code == 0, report.output
    assert "lagoon" in report.stdout
    import pyarrow.parquet as pq

    assert pq.read_table(parquet).num_rows == 12


def test_compare_and_openings(tmp_path: Path) -> None:
    result = taiji(
        "study",
        "compare",
        "taiji:size=3",
        "taiji:size=3,groups=2",
        *QUICK,
        "-o",
        str(tmp_path / "c"),
        "--json",
    )
    assert len(json.loads(result.stdout)["differences"]) == 3
    small = ("--candidates", "5", "--screen", "5", "--confirm", "9", "--keep", "2", "--games", "2")
    args = ("--playouts", "3", "--workers", "1", "-o", str(tmp_path / "o"))
    result = taiji("study", "openings", "taiji:size=4", "--plies", "1", *small, *args)
    assert result.exit_code == 0, result.output
    assert len((tmp_path / "o" / "openings.jsonl").read_text().splitlines()) == 2


def test_a_study_without_a_limit_of_games_keeps_its_minutes(tmp_path: Path) -> None:
    folder = str(tmp_path / "x")
    settings = ("--playouts", "4000", "--workers", "1", "-o", folder)
    problem = refusal("study", "balance", "taiji", *settings, "--minutes", "0.001")
    assert "taiji: too large to study in 0.001 minutes: even 20 games per strength take" in problem
    assert "expected --minutes " in problem
    problem = refusal("study", "balance", "taiji", *settings, "--games", "900", "--minutes", "0.001")
    assert "for 900 games at 4,000 playouts per move" in problem
    assert not (tmp_path / "x").exists()


def test_an_error_names_a_few_games_of_many(tmp_path: Path) -> None:
    games = [f"taiji:size={size}" for size in range(3, 11)]
    settings = ("--playouts", "4000", "--workers", "1", "-o", str(tmp_path / "x"))
    problem = refusal("study", "balance", *games, *settings, "--minutes", "0.001")
    assert "taiji:size=6 and 4 more: too large to study in 0.001 minutes" in problem


def test_fewer_games_if_they_suffice(tmp_path: Path) -> None:
    from taiji.study import Strength, StudiedGame, Study
    from taiji.study.budget import Budget, fit

    study = Study("balance", (StudiedGame("taiji:size=3"),), (Strength(playouts=5),), count=200)
    assert fit(study, Budget(60, 200, 5), 2, may_reduce=True) == study
    assert fit(study, Budget(240, 200, 5), 2, may_reduce=True).count == 90


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("balance", "chess"), "unknown game"),
        (("balance", "none.toml"), "No such file"),
        (("balance",), "missing argument"),
        (("balance", "taiji:size=3", "--playouts", "1,x"), "--playouts 1,x: invalid"),
        (("balance", "taiji:size=3", "--playouts", "0"), "playouts: invalid 0"),
        (("balance", "taiji:size=3", "--player", "nobody"), "unknown player"),
        (("balance", "taiji:size=3", "--jax", "--player", "mcts"), "give one of them"),
        (("balance", "taiji:size=3", "taiji:size=3"), "is given twice"),
        (("balance", "taiji:size=3", "--boards", "3"), "no seeded boards"),
        (("compare", "taiji:size=3"), "missing argument"),
        (("openings", "taiji:size=3", "--plies", "0"), "plies: invalid 0"),
        (("run", "none.toml"), "No such file"),
        (("report", "nowhere"), "does not exist"),
        (("dance",), "no such command"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], problem: str) -> None:
    assert problem.lower() in refusal("study", *arguments).lower()


def test_a_folder_that_is_no_study(tmp_path: Path) -> None:
    assert "study.toml" in refusal("study", "report", str(tmp_path))
