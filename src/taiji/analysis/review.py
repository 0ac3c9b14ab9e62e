"""Review a game: classify each played move by the win probability and the points that it gave away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp

from taiji.analysis.data import (
    Analysis,
    Mark,
    MoveReason,
    PlayedMove,
    Review,
    ReviewPly,
    SeatName,
    SeatReview,
    TriedMove,
)
from taiji.analysis.ownership_reasons import explain_by_ownership
from taiji.analysis.position import analyse, analysis_of_end
from taiji.analysis.reasons import explain, explain_against
from taiji.players import Limit, Player
from taiji.rules import Move, State

MARKS: tuple[tuple[float, Mark], ...] = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))
"""Minimum loss of win probability for each mark, largest first."""
ACCURACY_DECAY = 4.0
"""The accuracy of a move falls as exp(−ACCURACY_DECAY × loss): 82 % at a loss of 5 %, 45 % at 20 %."""
DEFAULT_SECONDS = 0.4
"""Seconds per position, so that the review of a game of 40 plies takes about 16 s on one core."""
FIRST_SECONDS = 0.1
"""Seconds of the first two positions by default, so that the first move is classified at once."""


def win_prob_loss(before: Analysis, played: int, after: Analysis) -> float | None:
    """Return the win probability that the played action gave away; None if it is unknown.

    The engine's own choice loses nothing, even if the next search evaluates the position lower.
    """
    if before.best is not None and before.best.move == played:
        return 0.0
    if before.win_prob is None or after.win_prob is None:
        return None
    kept = after.win_prob if after.seat == before.seat else 1 - after.win_prob
    return round(max(0.0, before.win_prob - kept), 4)


def margin_loss(before: Analysis, played: int, after: Analysis) -> float | None:
    """Return the points of the expected margin that the played action gave away; None if unknown."""
    if before.best is not None and before.best.move == played:
        return 0.0
    if before.margin is None or after.margin is None:
        return None
    kept = after.margin if after.seat == before.seat else -after.margin
    return round(max(0.0, before.margin - kept), 2)


def classify(loss: float | None) -> Mark | None:
    """Return the mark for a loss of win probability, if it deserves one."""
    if loss is None:
        return None
    return next((mark for least, mark in MARKS if loss >= least), None)


def review_ply(
    before: Analysis, played: PlayedMove, after: Analysis, against: Sequence[MoveReason] = ()
) -> ReviewPly:
    """Return the review of a move from the analyses of the positions before and after it."""
    loss = win_prob_loss(before, played.move, after)
    margin = margin_loss(before, played.move, after)
    return ReviewPly(before, played, loss, classify(loss), margin, tuple(against))


def reasons_against(state: State, move: Move, before: Analysis, after: Analysis) -> list[MoveReason]:
    """Return what speaks against a move, played in `state`, that was not the best.

    First what the best reply gains, then what a net expects to count at the end.
    """
    best = before.best
    if best is None or best.move == move.action or after.best is None:
        return []
    game = state.game
    better: list[Move] = [game.move(best.move)]
    if len(best.pv) > 1:
        better.append(state.play(better[0]).parse(best.pv[1]))
    exact = explain_against(state, move, game.move(after.best.move), better)
    return exact + explain_by_ownership(state, move, better[0])


def evaluate_try(state: State, move: Move, before: Analysis, after: Analysis) -> TriedMove:
    """Evaluate a move that a reader tries in a reviewed position, from the analyses before and after it."""
    loss = win_prob_loss(before, move.action, after)
    is_best = before.best is not None and before.best.move == move.action
    mark = classify(loss)
    return TriedMove(
        move=move.action,
        text=str(move),
        verdict="best" if is_best else "unknown" if loss is None else mark or "good",
        loss=loss,
        margin_loss=margin_loss(before, move.action, after),
        reasons=tuple(explain(state, move)),
        against=tuple(reasons_against(state, move, before, after)) if mark else (),
    )


def seconds_for(ply: int, seconds: float = DEFAULT_SECONDS) -> float:
    """Return the seconds for a position of a review: few for the first two, so that results show at once."""
    return min(seconds, FIRST_SECONDS) if ply < 2 else seconds


class GameReview:
    """A review in progress: the caller analyses `position` and passes the result to `add`, in turn.

    The positions are those before each move and the one after the last; a finished game ends the review with
    its result.
    """

    def __init__(self, start: State, moves: Sequence[Move]) -> None:
        self._game = str(start.game)
        self._moves = tuple(moves)
        self._state: State | None = start
        self._before = start
        """The position before the last move that was played."""
        self.plies: list[ReviewPly] = []
        self._add_end()

    @property
    def positions(self) -> int:
        """Number of positions of the game."""
        return len(self._moves) + 1

    @property
    def position(self) -> State | None:
        """The next position to analyse; None at the end."""
        return self._state

    def add(self, analysis: Analysis) -> None:
        """Add the analysis of `position`, which classifies the move before it; go to the next position."""
        if self._state is None:
            raise ValueError("analysis: the review is complete (expected one per position)")
        at = len(self.plies)
        analysis = replace(analysis, ply=at)
        if self.plies:
            before = self.plies[-1]
            assert before.played is not None
            against = reasons_against(self._before, self._moves[at - 1], before.analysis, analysis)
            self.plies[-1] = review_ply(before.analysis, before.played, analysis, against)
        if at == len(self._moves):
            self.plies.append(ReviewPly(analysis))
            self._state = None
            return
        move = self._moves[at]
        self.plies.append(ReviewPly(analysis, PlayedMove(move.action, str(move))))
        self._before, self._state = self._state, self._state.play(move)
        self._add_end()

    def _add_end(self) -> None:
        if self._state is not None and self._state.is_over:
            self.add(analysis_of_end(self._state))

    def result(self) -> Review:
        """Return the review as far as it has come."""
        return summarise(self._game, self.positions, self.plies)


def summarise(game: str, positions: int, reviewed: Sequence[ReviewPly]) -> Review:
    """Return the review of a game from its plies so far."""
    plies = tuple(reviewed)
    first, second = (review_seat(plies[:-1], seat) for seat in ("first", "second"))
    player = plies[0].analysis.player if plies else ""
    return Review(game, player, positions, plies, first, second, turning_points(plies))


def review_seat(moves: Sequence[ReviewPly], seat: SeatName) -> SeatReview:
    """Return how well a seat played; a move of unknown loss counts as a move, not for the averages."""
    own = [ply for ply in moves if ply.analysis.seat == seat]
    losses = [ply.loss for ply in own if ply.loss is not None]
    marks = [ply.mark for ply in own]
    mean = sum(losses) / len(losses) if losses else None
    accuracy = sum(exp(-ACCURACY_DECAY * loss) for loss in losses) / len(losses) if losses else None
    return SeatReview(
        moves=len(own),
        accuracy=None if accuracy is None else round(100 * accuracy, 1),
        loss=None if mean is None else round(mean, 4),
        inaccuracies=marks.count("inaccuracy"),
        mistakes=marks.count("mistake"),
        blunders=marks.count("blunder"),
    )


def turning_points(plies: Sequence[ReviewPly]) -> tuple[int, ...]:
    """Return the indices of the marked moves with which the favourite gave the lead away."""
    return tuple(
        index
        for index, ply in enumerate(plies)
        if ply.mark is not None
        and ply.loss is not None
        and ply.analysis.win_prob is not None
        and ply.analysis.win_prob > 0.5 > ply.analysis.win_prob - ply.loss
    )


def review_game(
    start: State,
    moves: Sequence[Move],
    player: Player,
    limit: Limit | None = None,
    *,
    on_progress: Callable[[Review], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Review:
    """Review a game with a player, position by position; by default with DEFAULT_SECONDS for most positions.

    `on_progress` receives the review so far after each position. When `should_stop` returns True, the review
    ends with what is known.
    """
    review = GameReview(start, moves)
    player.prepare(start.game)
    while review.position is not None and not should_stop():
        position_limit = limit or Limit(seconds=seconds_for(len(review.plies)))
        review.add(analyse(review.position, player, position_limit, candidates=1))
        if on_progress is not None:
            on_progress(review.result())
    return review.result()
