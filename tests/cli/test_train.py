"""`taiji train` on bad input; tests/training/ has the training itself."""

from __future__ import annotations

import pytest

from taiji.training.spec import TrainingSpec
from tests.cli.run import refusal, taiji


def test_an_unknown_spec_names_the_bundled_ones() -> None:
    message = refusal("train", "nosuch")
    assert (
        "nosuch: no such file or bundled spec (expected a .toml file, or one of battle-of-lits, " in message
    )
    assert ", taiji, tailits, " in message


def test_options_override_the_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[TrainingSpec] = []
    monkeypatch.setattr("taiji.cli.train._train", lambda spec, *_: trained.append(spec))
    for arguments in ((), ("--seed", "7", "--minutes", "0.5")):
        assert taiji("train", "tiny", *arguments).exit_code == 0
    assert trained[0].run.seed == 1
    assert (trained[1].run.seed, trained[1].run.minutes) == (7, 0.5)
    assert "--seed" in refusal("train", "tiny", "--seed", "-1")
