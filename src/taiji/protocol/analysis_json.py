"""Analyses as JSON objects, for programs that draw or store them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from taiji.analysis import Analysis
from taiji.notation import format_position
from taiji.rules import State

FORMAT = 2


def analysis_to_json(state: State, analysis: Analysis) -> dict[str, Any]:
    """Return the analysis of a position as JSON; a finished game has its scores and winner too."""
    data = {"format": FORMAT, "position": format_position(state), **asdict(analysis)}
    outcome = state.outcome()
    if outcome is not None:
        winner = None if outcome.winner is None else ("first", "second")[outcome.winner]
        data["result"] = {"winner": winner, "first": outcome.scores.first, "second": outcome.scores.second}
    return data
