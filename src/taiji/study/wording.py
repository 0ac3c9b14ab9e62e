"""The words of a report: the names of the measures, what they mean, and how their values are written."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.study.estimates import Estimate
from taiji.study.spec import BATCH_PLAYER, FAST_PLAYER, Strength, Study


@dataclass(frozen=True, slots=True)
class Measure:
    """An estimate of a cell: its column, its unit, and its definition."""

    key: str
    name: str
    meaning: str
    is_share: bool = False
    digits: int = 1


MEASURES = (
    Measure(
        "starter", "first player", "Score of the player who moves first: wins and half of the draws.", True
    ),
    Measure("light", "Light", "Score of the player who has the light colour at the end, after a swap.", True),
    Measure("ties", "ties", "Share of games with equal totals, which the tie rule decides.", True),
    Measure(
        "komi",
        "fair komi",
        "Points to Light (negative: to Dark) with which half of these games would go either way: minus the "
        "median margin, each whole margin spread over one point. Not given if games have a swap.",
        digits=2,
    ),
    Measure("margin", "margin", "Mean of Light's points minus Dark's at the end.", digits=2),
    Measure("abs_margin", "size of margin", "Mean distance of the totals: how clearly games are won."),
    Measure("length", "length", "Mean number of moves of a game."),
    Measure("branching", "choices", "Mean number of legal moves per turn (branching factor).", digits=0),
    Measure(
        "lead_changes",
        "lead changes",
        "Mean number of times the lead passes to the other player. A player leads above 60 % by the mean of "
        "two successive estimates of the players.",
        digits=2,
    ),
    Measure(
        "decided_at",
        "decided at",
        "Share of the game after which the winner stays at 90 % or more: if high, games stay open for long.",
        True,
    ),
)
"""The measures in the order of the tables."""


def write_value(measure: Measure, value: float) -> str:
    """Return a value with its unit."""
    if measure.is_share:
        return f"{100 * value:.1f} %"
    if abs(value) >= 10_000:
        return f"{value:.2g}"
    text = f"{value:.{measure.digits}f}"
    return text[1:] if text.startswith("-") and not float(text) else text


def write_interval(measure: Measure, estimate: Estimate | None) -> str:
    """Return the bounds of the interval; empty if there is no estimate."""
    if estimate is None:
        return ""
    low, high = (write_value(measure, bound).removesuffix(" %") for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"


def write_estimate(measure: Measure, estimate: Estimate | None) -> str:
    """Return the value and its interval."""
    if estimate is None:
        return "–"
    return f"{write_value(measure, estimate.value)} ({write_interval(measure, estimate)})"


def strength_name(strength: Strength) -> str:
    """Return a strength in words."""
    if strength.player == FAST_PLAYER:
        return f"mcts, {strength.playouts:,} playouts"
    unit = "simulations" if strength.player == BATCH_PLAYER else "playouts"
    name = "net in JAX" if strength.player == BATCH_PLAYER else strength.player
    return f"{name}, {strength.playouts:,} {unit}"


INTERVALS = (
    "Values in brackets are 95 % intervals of the sampling error. They say nothing about how far the players "
    "are from best play: controls do, where the winner is proven."
)


def method_lines(study: Study, played: int) -> list[str]:
    """Return what was run, in sentences."""
    lines = [
        "Both seats play with the same player and the same limit per move; the two share nothing.",
        "Players: " + "; ".join(strength_name(strength) for strength in study.strengths) + ".",
        f"{played:,} games, seed {study.seed}"
        + (f", {study.random_plies} random moves first." if study.random_plies else ", from the first move."),
        INTERVALS,
    ]
    if any(strength.player == FAST_PLAYER for strength in study.strengths):
        lines.insert(2, f"mcts is {FAST_PLAYER}: tree search with a fixed number of playouts per move.")
    if any(strength.is_batched for strength in study.strengths):
        lines.insert(
            2, "The net plays by Gumbel search, 16 candidates at the root, many games at a time in JAX."
        )
    return lines
