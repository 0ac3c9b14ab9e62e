"""Reviews: the loss of each move, and its mark."""

from __future__ import annotations

import pytest

from taiji.analysis import Analysis, Candidate, PlayedMove, classify, review_game, win_prob_loss
from taiji.analysis.data import SeatName


def analysis(seat: SeatName, win_prob: float | None, best: int | None = 1, ply: int = 0) -> Analysis:
    candidates = () if best is None else (Candidate(best, f"m{best}", 9, 1.0, None, win_prob, None, ()),)
    return Analysis(ply, seat, win_prob, None, False, True, 9, 0.1, "test", candidates)


def test_losses_are_marked_by_their_size() -> None:
    assert [classify(loss) for loss in (None, 0.0, 0.049, 0.05, 0.1, 0.2, 1.0)] == [
        None, None, None, "inaccuracy", "mistake", "blunder", "blunder",
    ]  # fmt: skip


@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_loss_is_counted_for_the_seat_that_moved(seat: SeatName) -> None:
    other: SeatName = "second" if seat == "first" else "first"
    before = analysis(seat, 0.6)
    assert win_prob_loss(before, 2, analysis(other, 0.6)) == pytest.approx(0.2)
    assert win_prob_loss(before, 2, analysis(other, 0.3)) == 0
    assert win_prob_loss(before, 2, analysis(seat, 0.5)) == pytest.approx(0.1)
    assert win_prob_loss(before, 2, analysis(other, None)) is None
    assert win_prob_loss(analysis(seat, None), 2, analysis(other, 0.5)) is None


def test_the_move_of_the_engine_loses_nothing() -> None:
    assert win_prob_loss(analysis("first", 0.6), 1, analysis("second", 0.9)) == 0


def test_a_game_is_reviewed_ply_by_ply() -> None:
    positions = [analysis("first", 0.5), analysis("second", 0.75, 3), analysis("first", 0.3, None)]
    plies = review_game(positions, [PlayedMove(2, "b"), PlayedMove(3, "c")])
    assert [(ply.analysis, ply.loss, ply.mark) for ply in plies] == [
        (positions[0], 0.25, "blunder"), (positions[1], 0.0, None), (positions[2], None, None),
    ]  # fmt: skip
    assert [ply.played and ply.played.text for ply in plies] == ["b", "c", None]
