"""The texts of games that are remembered: never more than a maximum."""

from __future__ import annotations

import pytest

from taiji.rules import catalogue, parse_game


def test_texts_are_forgotten_at_the_maximum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_canonical", {})
    monkeypatch.setattr(catalogue, "MAX_TEXTS", 2)
    for size in (2, 3, 4):
        assert str(parse_game(f"taiji:size={size},groups=1")) == f"taiji:size={size}"
        assert len(catalogue._canonical) <= 2
    assert list(catalogue._canonical) == ["taiji:size=4,groups=1"]
