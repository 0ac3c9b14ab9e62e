"""A plot of ratings: one dot per player with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from taiji.arena.elo import Rating
from taiji.arena.tournaments.models import TournamentError


def plot_ratings(ratings: Sequence[Rating], path: Path, title: str) -> None:
    """Plot the ratings, strongest at the top, to a PNG, SVG or PDF file."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise TournamentError("plots need the package matplotlib (pip install 'taiji[study]')") from None
    figure = Figure(figsize=(7, 1.2 + 0.35 * len(ratings)), layout="constrained")
    axes = figure.subplots()
    rows = range(len(ratings), 0, -1)
    axes.errorbar(
        [rating.elo for rating in ratings],
        list(rows),
        xerr=[rating.error_95 for rating in ratings],
        fmt="o",
        color="#222222",
        ecolor="#888888",
        capsize=3,
    )
    axes.set_yticks(list(rows), [rating.player for rating in ratings])
    axes.set_xlabel("Elo, with 95 % intervals; the mean of the field is 0")
    axes.set_title(title, loc="left")
    axes.grid(axis="x", alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(path, dpi=150)
