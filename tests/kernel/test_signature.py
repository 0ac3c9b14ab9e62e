"""The signatures repeat themselves and show a change of the search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taiji.kernel import PuctOptions, signature


def test_the_signature_of_the_tree_search_shows_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signature, "SEARCH_GAMES", ("taiji:size=5",))
    before = signature.search_signature()
    assert signature.search_signature() == before
    variants = tuple(replace(options, expand_visits=9) for options in signature.SEARCH_VARIANTS)
    monkeypatch.setattr(signature, "SEARCH_VARIANTS", variants)
    assert signature.search_signature() != before


def test_the_signature_of_the_puct_search_shows_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.setattr(signature, "PUCT_GAMES", ("taiji:size=5",))
    before = signature.puct_signature()
    assert signature.puct_signature() == before
    monkeypatch.setattr(signature, "PuctOptions", lambda seed: PuctOptions(seed=seed, cpuct=2.0))
    assert signature.puct_signature() != before
