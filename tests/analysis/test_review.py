"""Reviews: the loss of each move, its mark, the accuracy of each seat and the turning points."""

from __future__ import annotations

from math import exp

import pytest

from taiji.analysis import (
    Analysis,
    Candidate,
    GameReview,
    Review,
    classify,
    evaluate_try,
    explain_against,
    review_game,
)
from taiji.analysis.data import SeatName
from taiji.analysis.review import margin_loss, win_prob_loss
from taiji.players import Info, Limit, make_player
from taiji.players.simple import RandomPlayer
from taiji.rules import IllegalMove, Move, State, parse_game

GAME = parse_game("taiji:size=3")
MOVES = [GAME.parse(text) for text in ("a1/a2", "b1/b2", "c1/c2", "a3/b3")]


def analysis(
    seat: SeatName, win_prob: float | None, best: int | None = 1, margin: float | None = None
) -> Analysis:
    candidates = () if best is None else (Candidate(best, f"m{best}", 9, 1.0, None, win_prob, margin, ()),)
    return Analysis(0, seat, win_prob, margin, False, True, 9, 0.1, "test", candidates)


def reviewed(*win_probs: float) -> Review:
    """Review the game with these win probabilities of seat first; no move is the engine's choice."""
    review = GameReview(GAME.start(), MOVES)
    for index, value in enumerate(win_probs):
        seat: SeatName = "second" if index % 2 else "first"
        assert review.position is not None
        other = next(move.action for move in review.position.legal() if move != MOVES[index])
        review.add(analysis(seat, value if seat == "first" else 1 - value, best=other))
    return review.result()


def test_losses_are_marked_by_their_size() -> None:
    assert [classify(loss) for loss in (None, 0.0, 0.049, 0.05, 0.1, 0.2, 1.0)] == [
        None, None, None, "inaccuracy", "mistake", "blunder", "blunder",
    ]  # fmt: skip


@pytest.mark.parametrize("seat", ["first", "second"])
def test_a_loss_is_counted_for_the_seat_that_moved(seat: SeatName) -> None:
    other: SeatName = "second" if seat == "first" else "first"
    before = analysis(seat, 0.6, margin=1.0)
    assert win_prob_loss(before, 2, analysis(other, 0.6)) == pytest.approx(0.2)
    assert win_prob_loss(before, 2, analysis(other, 0.3)) == 0
    assert win_prob_loss(before, 2, analysis(seat, 0.5)) == pytest.approx(0.1)
    assert win_prob_loss(before, 2, analysis(other, None)) is None
    assert win_prob_loss(analysis(seat, None), 2, analysis(other, 0.5)) is None
    assert margin_loss(before, 2, analysis(other, 0.6, margin=1.5)) == 2.5
    assert margin_loss(before, 2, analysis(seat, 0.6, margin=0.25)) == 0.75
    assert margin_loss(before, 2, analysis(other, 0.6, margin=-3)) == 0
    assert margin_loss(before, 2, analysis(other, 0.6)) is None


def test_the_move_of_the_engine_loses_nothing() -> None:
    before, after = analysis("first", 0.6, margin=2), analysis("second", 0.9, margin=5)
    assert win_prob_loss(before, 1, after) == margin_loss(before, 1, after) == 0


def test_a_game_is_reviewed_ply_by_ply() -> None:
    review = reviewed(0.5, 0.25, 0.3, 0.3)
    assert [(ply.analysis.ply, ply.loss, ply.mark) for ply in review.plies] == [
        (0, 0.25, "blunder"), (1, 0.05, "inaccuracy"), (2, 0.0, None), (3, 0.0, None), (4, None, None),
    ]  # fmt: skip
    assert [ply.played and ply.played.text for ply in review.plies] == [*map(str, MOVES), None]
    assert (review.plies[-1].analysis.exact, review.plies[-1].analysis.win_prob) == (True, 0.0)


def test_each_seat_has_its_accuracy_and_its_marks() -> None:
    review = reviewed(0.5, 0.25, 0.4, 0.3)
    first, second = review.first, review.second
    assert (first.moves, first.blunders, first.mistakes, first.inaccuracies) == (2, 1, 1, 0)
    assert first.accuracy == pytest.approx(50 * (exp(-1) + exp(-0.4)), abs=0.05)
    assert first.loss == pytest.approx(0.175)
    assert (second.moves, second.blunders, second.mistakes, second.inaccuracies) == (2, 0, 1, 0)
    assert str(review).startswith("taiji:size=3, 4 of 4 moves reviewed: first 52% accurate (1 blunder, 1 mi")


def test_a_turning_point_gives_the_lead_away() -> None:
    assert reviewed(0.8, 0.3, 0.7, 0.6).turning_points == (0, 1)
    assert reviewed(0.9, 0.6, 0.6, 0.52).turning_points == (), "a lead that shrinks is still a lead"
    assert reviewed(0.51, 0.49, 0.49, 0.49).turning_points == (), "and a small swing turns nothing"


def test_a_review_grows_and_stops_when_told() -> None:
    player = make_player("greedy", seed=1)
    seen: list[Review] = []
    full = review_game(GAME.start(), MOVES, player, on_progress=seen.append)
    assert [len(review.plies) for review in seen] == [1, 2, 3, 5], "the end of the game needs no analysis"
    assert full.is_complete
    assert seen[0].first.accuracy is None
    part = review_game(
        GAME.start(), MOVES, player, on_progress=seen.append, should_stop=lambda: len(seen) == 6
    )
    assert (len(part.plies), part.positions, part.is_complete) == (2, 5, False)
    assert [ply.played for ply in part.moves] == [ply.played for ply in full.moves[:1]]


def test_the_first_move_is_judged_at_once_unless_a_limit_is_given() -> None:
    class Patient(RandomPlayer):
        limits: list[float | None]

        def choose(self, state: State, limit: Limit, **settings: object) -> tuple[Move, Info]:
            self.limits.append(limit.seconds)
            return super().choose(state, limit)

    player = Patient(1)
    for limit, expected in ((None, [0.1, 0.1, 0.4, 0.4]), (Limit(seconds=0.2), [0.2] * 4)):
        player.limits = []
        review_game(GAME.start(), MOVES, player, limit)
        assert player.limits == expected


def test_an_open_game_is_reviewed_to_its_last_position() -> None:
    review = review_game(GAME.start(), MOVES[:1], make_player("mcts", seed=1), Limit(playouts=200))
    assert (review.positions, review.is_complete, len(review.moves)) == (2, True, 1)
    assert review.plies[-1].analysis.candidates


def test_a_finished_position_is_its_own_review() -> None:
    end: State = GAME.start()
    for move in MOVES:
        end = end.play(move)
    review = review_game(end, [], make_player("random"))
    assert (review.is_complete, review.moves, review.first.accuracy) == (True, (), None)


def test_foreign_moves_and_surplus_analyses_are_refused() -> None:
    foreign: Move = parse_game("taiji:size=5").parse("e4/e5")
    with pytest.raises(IllegalMove, match="another game"):
        review_game(GAME.start(), [foreign], make_player("random"))
    review = GameReview(GAME.start(), [])
    review.add(analysis("first", 0.5))
    with pytest.raises(ValueError, match="the review is complete"):
        review.add(analysis("first", 0.5))


def test_a_mistake_is_explained_by_the_answer_it_allows() -> None:
    """The answer joins two groups; the better line does not allow it."""
    game = parse_game("taiji:size=5")
    state = game.start()
    for text in ("a2/a1", "c2/c1", "e4/e5", "a5/a4"):
        state = state.play(game.parse(text))
    played, reply, better = game.parse("d5/d4"), game.parse("b2/b1"), game.parse("b1/b2")
    before, after = analysis("first", 0.6, better.action), analysis("second", 0.8, reply.action)
    tried = evaluate_try(state, played, before, after)
    assert (tried.verdict, tried.loss) == ("blunder", 0.4)
    assert {reason.code: reason.text for reason in tried.against} == {
        "lets-join": "lets Dark join groups of 1 and 1 into one of 3",
        "gives": "gives Dark the 3",
    }
    assert evaluate_try(state, better, before, after).verdict == "best"
    assert evaluate_try(state, better, before, after).against == ()
    assert evaluate_try(state, played, before, analysis("second", 0.42, reply.action)).verdict == "good"
    assert evaluate_try(state, played, before, analysis("second", None, reply.action)).verdict == "unknown"


def test_what_cannot_be_avoided_is_not_held_against_a_move() -> None:
    game = parse_game("taiji:size=5")
    state = game.start()
    for text in ("a2/a1", "c2/c1", "e4/e5", "a5/a4"):
        state = state.play(game.parse(text))
    played, other, reply = (game.parse(text) for text in ("d5/d4", "e2/e1", "b2/b1"))
    assert [reason.code for reason in explain_against(state, played, reply)] == ["lets-join", "gives"]
    assert explain_against(state, played, reply, [other, reply]) == []
