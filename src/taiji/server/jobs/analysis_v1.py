"""Analyses and reviews as protocol 1 sends and stores them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taiji.analysis import Analysis, ReviewPly


def analysis_v1(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis of a position that is not over; values are the mover's."""
    best = analysis.candidates[0]
    return {
        "ply": analysis.ply,
        "turn": analysis.seat,
        "move": best.move,
        "text": best.text,
        "win": analysis.win_prob,
        "margin": analysis.margin,
        "playouts": analysis.playouts,
        "seconds": analysis.seconds,
        "player": analysis.player,
        "lines": [
            {
                "move": candidate.move,
                "text": candidate.text,
                "win": candidate.win_prob,
                "margin": candidate.margin,
                "share": candidate.share,
                "line": list(candidate.pv),
            }
            for candidate in analysis.candidates
        ],
        "reasons": [asdict(reason) for reason in analysis.reasons],
    }


def review_ply_v1(ply: ReviewPly) -> dict[str, Any]:
    """Return one position of a review; values are those of the seat `first`."""
    analysis, best = ply.analysis, ply.analysis.best
    win, margin = analysis.win_prob, analysis.margin
    if analysis.seat == "second":
        win = None if win is None else round(1 - win, 4)
        margin = None if margin is None else -margin
    entry: dict[str, Any] = {
        "ply": analysis.ply,
        "win": win,
        "margin": margin,
        "best": None if best is None else best.move,
        "best_text": None if best is None else best.text,
        "line": [] if best is None else list(best.pv),
    }
    if ply.played is not None:
        entry |= {"played": ply.played.move, "played_text": ply.played.text}
        entry |= {"loss": ply.loss, "mark": ply.mark}
    return entry
