"""Plot the log of a run: losses, accuracy, gates and wins of the first seat over time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from taiji.training.run import LOG

PANELS = (
    ("loss", ("policy", "value", "margin", "owner")),
    ("right winner", ("accuracy",)),
    ("gate", ("gate_",)),
    ("wins of the first seat", ("first_wins_",)),
)


def read_log(folder: Path) -> list[dict[str, Any]]:
    """Return the entries of a run's log without an incomplete last line."""
    lines = []
    for text in (folder / LOG).read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            continue
    return lines


def draw(folder: Path) -> Path | None:
    """Write the curves beside the log; return None without entries or matplotlib."""
    lines = read_log(folder)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    if not lines:
        return None
    figure = Figure(figsize=(10, 7), layout="constrained")
    for axes, (title, prefixes) in zip(figure.subplots(2, 2).flat, PANELS, strict=True):
        names = sorted({name for line in lines for name in line if name.startswith(prefixes)})
        for name in names:
            points = [(line["seconds"] / 60, line[name]) for line in lines if name in line]
            axes.plot(*zip(*points, strict=True), marker="o" if len(points) < 15 else None, label=name)
        axes.set_title(title)
        axes.set_xlabel("minutes")
        axes.grid(alpha=0.3)
        if names:
            axes.legend(fontsize="small")
    last = lines[-1]
    figure.suptitle(
        f"{last['games']:,.0f} games, {last['evaluations']:,.0f} evaluations, step {last.get('step', 0):,.0f}"
    )
    path = folder / "curves.png"
    figure.savefig(path, dpi=110)
    return path
