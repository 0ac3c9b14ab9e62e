"""`taiji train` on bad input; tests/training/ has the training itself."""

from __future__ import annotations

from tests.cli.run import refusal


def test_an_unknown_spec_names_the_bundled_ones() -> None:
    message = "nosuch: no such file or bundled spec (expected a .toml file, or one of battle-of-lits, taiji,"
    assert message in refusal("train", "nosuch")
