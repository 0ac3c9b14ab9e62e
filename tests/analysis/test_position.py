"""Analyses of a position: values on the right candidate, from the view of the seat to move."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from taiji.analysis import Analysis, analyse, analysis_from_info, analysis_of_end
from taiji.notation import parse_move
from taiji.players import CandidateMove, Info, Limit, make_player
from taiji.players.simple import StatelessPlayer
from taiji.rules import Move, State, parse_game


def position(game: str, *moves: str) -> State:
    state = parse_game(game).start()
    for text in moves:
        state = state.play(parse_move(state, text))
    return state


class Scripted(StatelessPlayer):
    """Answers with a given move and evaluation, after the same evaluation as an interim report."""

    name = "scripted"

    def __init__(self, move: Move, info: Info) -> None:
        self._answer = (move, info)

    def choose(self, state: State, limit: Limit, **options: Any) -> tuple[Move, Info]:
        if options["report"] is not None:
            options["report"](self._answer[1])
        return self._answer


@pytest.fixture
def state() -> State:
    return position("taiji:size=4", "a1/a2")


@pytest.fixture
def info(state: State) -> Info:
    one, two, three = state.legal()[:3]
    return Info(
        win_prob=0.123456,
        margin=2.5049,
        pv=(two, state.play(two).legal()[0]),
        playouts=900,
        seconds=0.30004,
        candidates=(
            CandidateMove(one, 0.5, 0.11, 500, -3.0, 0.25),
            CandidateMove(two, 0.3, 0.12, 300, -2.0),
            CandidateMove(three, 0.2, 0.1, 200, -1.0),
        ),
    )


def test_the_chosen_move_comes_first_with_the_values_of_the_position(state: State, info: Info) -> None:
    one, two, three = state.legal()[:3]
    result = analyse(state, Scripted(two, info), Limit())
    assert [candidate.move for candidate in result.candidates] == [two.action, one.action, three.action]
    best, second, third = result.candidates
    assert (best.win_prob, best.margin, best.visits, best.share) == (0.1235, 2.5, 300, 0.3)
    assert best.pv == tuple(str(move) for move in info.pv)
    assert (second.win_prob, second.margin, second.visits, second.prior) == (0.11, -3.0, 500, 0.25)
    assert (third.win_prob, third.margin, third.prior) == (0.1, -1.0, None)
    assert second.pv == (str(one),) == (second.text,)
    assert (result.win_prob, result.margin, result.seconds) == (0.1235, 2.5, 0.3)
    assert (result.ply, result.seat, result.player, result.final) == (1, "second", "scripted", True)
    assert result.reasons


def test_a_move_that_was_not_searched_is_still_first(state: State, info: Info) -> None:
    other = state.legal()[5]
    best = analyse(state, Scripted(other, info), Limit(), candidates=2).candidates[0]
    assert (best.move, best.share, best.visits, best.margin) == (other.action, 0.0, None, 2.5)
    assert best.pv == (str(other),)


def test_the_number_of_candidates_is_limited(state: State, info: Info) -> None:
    assert len(analyse(state, Scripted(state.legal()[1], info), Limit(), candidates=2).candidates) == 2


def test_an_interim_report_is_not_final_and_has_no_reasons(state: State, info: Info) -> None:
    reports: list[Analysis] = []
    result = analyse(state, Scripted(state.legal()[1], info), Limit(), report=reports.append)
    assert [report.final for report in reports] == [False]
    assert reports[0].candidates == result.candidates
    assert reports[0].reasons == ()


def test_a_player_without_an_opinion_gives_its_move_alone(state: State) -> None:
    result = analyse(state, make_player("random", seed=1), Limit())
    assert (result.win_prob, result.margin) == (None, None)
    assert len(result.candidates) == 1
    assert (result.candidates[0].share, result.candidates[0].win_prob) == (1.0, None)
    assert analysis_from_info(state, Info(), "random").candidates == ()


def test_a_search_gives_every_candidate_its_own_values() -> None:
    state = position("taiji:size=4", "a1/a2", "b1/b2")
    result = analyse(state, make_player("mcts:playouts=300,endgame=no", seed=1), Limit())
    assert result.seat == "first"
    assert len(result.candidates) > 1
    assert all(candidate.visits and candidate.margin is not None for candidate in result.candidates)
    assert sum(candidate.share for candidate in result.candidates) <= 1.001
    assert asdict(result)["candidates"][0]["move"] == result.candidates[0].move


def test_a_solved_position_has_the_margin_of_the_mover() -> None:
    state = position("taiji:size=3", "a1/a2")
    result = analyse(state, make_player("solver"), Limit())
    assert result.exact
    values = []
    for move in state.legal():
        after = state.play(move)
        reply = analyse(after, make_player("solver"), Limit())
        assert reply.margin is not None
        values.append(reply.margin if reply.seat == result.seat else -reply.margin)
    assert result.margin == max(values)
    assert result.candidates[0].margin == result.margin


def test_the_end_of_a_game_is_seen_from_the_seat_to_move() -> None:
    over = position("taiji:size=2", "a1/a2", "b1/b2")
    first_won = over.outcome()
    assert first_won is not None
    result = analysis_of_end(over)
    assert result == analyse(over, make_player("random"), Limit())
    assert (result.seat, result.exact, result.candidates) == ("first", True, ())
    assert (result.win_prob, result.margin) == (0.0, 0.0)  # equal scores: Dark, the second seat, wins
