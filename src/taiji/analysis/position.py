"""Analyse a position with a player: its best move, its candidates and the reasons for the best move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from taiji.analysis.data import Analysis, Candidate, SeatName
from taiji.analysis.reasons import explain
from taiji.players import CandidateMove, Info, Limit, MatchContext, Player
from taiji.rules import Move, Seat, State

MAX_CANDIDATES = 10
MIN_SHARE = 0.02
"""Fraction of the visits of the most visited move below which the value of a move is not reported."""
SEAT_NAMES: dict[Seat, SeatName] = {Seat.FIRST: "first", Seat.SECOND: "second"}


def analyse(
    state: State,
    player: Player,
    limit: Limit,
    *,
    candidates: int = MAX_CANDIDATES,
    match: MatchContext | None = None,
    report: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """Return a player's analysis of a position, with at most `candidates` moves.

    `report` receives interim results. If the game is over, return its result without asking the player.
    """
    if state.is_over:
        return analysis_of_end(state)

    def on_info(info: Info) -> None:
        assert report is not None
        report(analysis_from_info(state, info, player.name, candidates=candidates))

    move, info = player.choose(state, limit, match=match, report=None if report is None else on_info)
    return analysis_from_info(state, info, player.name, move, candidates=candidates)


def analysis_from_info(
    state: State, info: Info, player: str, move: Move | None = None, *, candidates: int = MAX_CANDIDATES
) -> Analysis:
    """Return what a player reported as an analysis; it is final if the chosen `move` is given."""
    return Analysis(
        ply=state.ply,
        seat=SEAT_NAMES[state.seat_to_move],
        win_prob=_rounded(info.win_prob, 4),
        margin=_rounded(info.margin, 2),
        exact=info.exact,
        final=move is not None,
        playouts=info.playouts,
        seconds=round(info.seconds, 3),
        player=player,
        candidates=tuple(_candidates(state, info, move)[:candidates]),
        reasons=() if move is None else tuple(explain(state, move)),
    )


def _candidates(state: State, info: Info, chosen: Move | None) -> list[Candidate]:
    """Return the candidates by value, the chosen move first with the values and variation of the position.

    The value of a move that was hardly searched is noise: such a move keeps its place in the list, last, and
    loses its value. So does one that seems better than the chosen move.
    """
    best = chosen or (info.pv[0] if info.pv else None)
    known = max((entry.share for entry in info.candidates), default=0.0) * MIN_SHARE
    others = []
    for entry in info.candidates:
        if entry.move != best:
            vague = entry.share < known or (best is not None and _value(entry) > _value(info))
            others.append(replace(entry, win_prob=None, margin=None) if vague else entry)
    others.sort(key=lambda entry: (entry.win_prob is not None, _value(entry), entry.share), reverse=True)
    lines = [_candidate(state, entry, (entry.move,)) for entry in others]
    if best is None:
        return lines
    searched = next((entry for entry in info.candidates if entry.move == best), None)
    entry = replace(
        searched or CandidateMove(best, 0.0 if others else 1.0), win_prob=info.win_prob, margin=info.margin
    )
    return [_candidate(state, entry, info.pv if info.pv[:1] == (best,) else (best,)), *lines]


def _value(entry: CandidateMove | Info) -> tuple[float, float]:
    """Return what candidates are ordered by: win probability, then margin."""
    return (entry.win_prob or 0.0, entry.margin or 0.0)


def _candidate(state: State, entry: CandidateMove, pv: tuple[Move, ...]) -> Candidate:
    return Candidate(
        move=entry.move.action,
        text=str(entry.move),
        visits=entry.visits,
        share=round(entry.share, 4),
        prior=_rounded(entry.prior, 4),
        win_prob=_rounded(entry.win_prob, 4),
        margin=_rounded(entry.margin, 2),
        pv=tuple(str(move) for move in pv),
    )


def analysis_of_end(state: State) -> Analysis:
    """Return the result of a finished game as an exact analysis without candidates."""
    outcome = state.outcome()
    assert outcome is not None
    seat = state.seat_to_move
    win_prob = 0.5 if outcome.winner is None else float(outcome.winner is seat)
    margin = float(outcome.scores.of(seat) - outcome.scores.of(seat.other))
    return Analysis(
        ply=state.ply,
        seat=SEAT_NAMES[seat],
        win_prob=win_prob,
        margin=margin,
        exact=True,
        final=True,
        playouts=0,
        seconds=0.0,
        player="",
    )


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(float(value), digits)
