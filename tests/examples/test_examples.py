"""Every example runs and does what it says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent.parent.parent / "examples"
TESTED = {
    "custom_game",
    "openspiel_mcts",
    "score_by_move",
    "train_cnn",
    "train_mctx",
    "train_ppo",
    "train_q_learner",
}


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"examples_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == TESTED


def test_every_example_says_how_to_run_it() -> None:
    for path in FOLDER.glob("*.py"):
        assert f"python examples/{path.name}" in path.read_text(), path


def test_a_custom_game_is_declared_in_twenty_lines_and_played() -> None:
    module = example("custom_game")
    assert len([line for line in module.CROSSROADS.splitlines() if line.strip()]) <= 20
    drawn = module.main(seed=3)
    assert "crossroads" in drawn
    assert "over after" in drawn


def test_openspiels_bot_meets_our_level() -> None:
    wins = example("openspiel_mcts").main(
        ["--games", "2", "--simulations", "10", "--game", "python_taiji(size=4)"]
    )
    assert sum(wins) == 2


def test_ten_thousand_records_become_a_plot(tmp_path: Path) -> None:
    module = example("score_by_move")
    source, target = tmp_path / "games.tji", tmp_path / "score.png"
    with source.open("w") as stream:
        for record in module.random_records("taiji:size=7", 30):
            module.write_record(stream, record)
    means = module.main([str(source), str(target)])
    assert target.read_bytes().startswith(b"\x89PNG")
    assert means.loc[1, "light_score"] == means.loc[1, "dark_score"] == 1
    assert means["light_score"].iloc[-1] > 3
    assert means["choices"].is_monotonic_decreasing


def test_the_q_learner_learns() -> None:
    before, after = example("train_q_learner").main(["--episodes", "2500", "--trials", "200"])
    assert before < 0.85
    assert after > 0.9


def test_ppo_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sb3_contrib", reason="needs stable-baselines3 and sb3-contrib")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    before, after = example("train_ppo").main(
        ["--game", "taiji:size=4", "--steps", "4096", "--trials", "100"]
    )
    assert after > before


def test_a_small_cnn_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sb3_contrib", reason="needs stable-baselines3 and sb3-contrib")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    before, after = example("train_cnn").main(
        ["--game", "taiji:size=4", "--steps", "6144", "--trials", "100"]
    )
    assert after > before


def test_mctx_plans_and_learns() -> None:
    pytest.importorskip("mctx", reason="needs mctx")
    before, after = example("train_mctx").main(
        [
            "--game",
            "taiji:size=3",
            "--iterations",
            "12",
            "--games",
            "64",
            "--simulations",
            "8",
            "--trials",
            "400",
        ]
    )
    assert after > before + 0.1
