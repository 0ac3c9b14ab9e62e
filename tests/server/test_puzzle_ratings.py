"""Puzzles rated by people's results: each person's first try counts once."""

from __future__ import annotations

import pytest

from taiji.analysis.puzzles import load_set
from taiji.analysis.puzzles.rating import MAX_SHIFT, expected_success, rate_puzzle
from tests.server.inside import Inside

PUZZLE = load_set("taiji-7")[0]


def test_a_first_try_moves_the_rating_once(database_url: str) -> None:
    with Inside(database_url).running() as server:
        ada, bob = server.browser(), server.browser()
        path = f"/api/puzzles/{PUZZLE.id}/tries"
        strong = {"solved": False, "rating": PUZZLE.rating + 400}
        first = ada.post(path, strong)
        assert (first["tries"], first["solved"]) == (1, 0)
        # Who fails although expected to succeed in 10 of 11 tries makes it harder by 40 · 10/11 points.
        assert first["rating"] == round(PUZZLE.rating + 40 * 10 / 11)
        assert ada.post(path, {**strong, "solved": True}) == first
        second = bob.post(path, {"solved": True, "rating": 1500})
        assert (second["tries"], second["solved"]) == (2, 1)
        assert second["rating"] < first["rating"]
        assert server.browser().get("/api/puzzles/ratings") == {"puzzles": [second]}
        assert [row["puzzle_id"] for row in ada.get("/api/me/export")["puzzle_tries"]] == [PUZZLE.id]


@pytest.mark.parametrize(
    ("puzzle", "body", "expected"),
    [
        ("taiji-7-0-0", {"solved": True, "rating": 1200}, (404, "not-found")),
        (PUZZLE.id, {"solved": 1, "rating": 1200}, (422, "bad-request")),
        (PUZZLE.id, {"solved": True, "rating": -1}, (422, "bad-request")),
        (PUZZLE.id, {"solved": True}, (422, "bad-request")),
    ],
)
def test_bad_reports(inside: Inside, puzzle: str, body: object, expected: object) -> None:
    assert inside.browser().ask("POST", f"/api/puzzles/{puzzle}/tries", body) == expected


def test_ratings_settle_near_the_solvers() -> None:
    rating = 1000.0
    for tries in range(400):
        rating = rate_puzzle(1000, rating, tries, 1200, solved=tries % 2 == 0)
    assert rating == pytest.approx(1200, abs=20)
    for tries in range(400):
        rating = rate_puzzle(1000, rating, tries, 3000, solved=False)
    assert rating == 1000 + MAX_SHIFT
    assert expected_success(1200, 1200) == 0.5
