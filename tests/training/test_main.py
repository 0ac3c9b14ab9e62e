"""`python -m taiji.training` says in one line what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from taiji.training import __main__ as command


def test_wrong_arguments_show_the_usage() -> None:
    assert command.main(["tiny.toml"]) == "usage: python -m taiji.training SPEC FOLDER [MINUTES]"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "missing_packages", lambda: ["optax"])
    assert command.main(["tiny.toml", "run"]) == "not installed: optax (pip install 'taiji[train]')"


def test_a_package_that_cannot_be_found_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taiji.training.REQUIRED", ("json", "no_such_package"))
    assert command.missing_packages() == ["no_such_package"]


def test_a_missing_spec_is_named(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    problem = command.main([str(tmp_path / "none.toml"), str(tmp_path)])
    assert problem is not None
    assert problem.endswith("none.toml: No such file or directory")
