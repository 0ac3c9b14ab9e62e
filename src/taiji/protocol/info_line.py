"""Analyses as `info` lines of UGI."""

from __future__ import annotations

from taiji.analysis import Analysis


def info_line(analysis: Analysis) -> str:
    """Return an analysis as an info line; `score` is the mover's win probability in permille."""
    pv = analysis.best.pv if analysis.best is not None else ()
    parts = ["info"]
    if pv:
        parts.append(f"depth {len(pv)}")
    speed = round(analysis.playouts_per_s)
    parts.append(f"time {round(analysis.seconds * 1000)} nodes {analysis.playouts} nps {speed}")
    if analysis.win_prob is not None:
        parts.append(f"score {'exact' if analysis.exact else 'win'} {round(analysis.win_prob * 1000)}")
    if analysis.margin is not None:
        parts.append(f"margin {analysis.margin:.2f}")
    if pv:
        parts.append("pv " + " ".join(pv))
    return " ".join(parts)
