"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from taiji.notation.wording import counted


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (1_200, "1,200 games")]
)
def test_a_number_has_its_noun(count: int, words: str) -> None:
    assert counted(count, "game") == words


def test_a_plural_may_be_its_own_word() -> None:
    assert [counted(count, "ply", "plies") for count in (1, 2)] == ["1 ply", "2 plies"]
