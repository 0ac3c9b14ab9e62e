"""A study as Markdown, for documentation."""

from __future__ import annotations

from collections.abc import Sequence

from taiji.study.estimates import Estimate
from taiji.study.summary import StudySummary
from taiji.study.wording import MEASURES, method_lines, write_estimate

SHORT = ("starter", "ties", "komi", "length", "branching", "lead_changes", "decided_at")
"""The measures of the main table."""


def study_markdown(summary: StudySummary) -> str:
    """Return the tables of a study as Markdown."""
    study = summary.study
    parts = [f"# {study.title or study.kind}", "\n".join(method_lines(study, summary.played))]
    shown = [measure for measure in MEASURES if measure.key in SHORT]
    parts.append(
        _table(
            ["game", "playouts", "games", *(measure.name for measure in shown)],
            [
                [
                    game.entry.name,
                    f"{cell.playouts:,}",
                    str(cell.games),
                    *(write_estimate(measure, cell.estimates[measure.key]) for measure in shown),
                ]
                for game in summary.games
                for cell in game.cells
            ],
        )
    )
    if summary.differences():
        first, second = (game.entry.name for game in summary.games)
        rows = []
        for difference in summary.differences():
            for measure in MEASURES:
                data = difference[measure.key]
                estimate = None if data is None else Estimate.from_json(data)
                text = write_estimate(measure, estimate).replace(" %", " points")
                rows.append([measure.name, f"{difference['playouts']:,}", text])
        parts += [f"{second} minus {first}:", _table(["measure", "playouts", "difference"], rows)]
    if summary.openings:
        parts.append(
            _table(
                ["opening", "Light’s win probability", "games", "Light’s score", "95 % interval"],
                [
                    [
                        " ".join(line["moves"]),
                        f"{100 * line['win_prob']:.1f} %",
                        str(line["games"]),
                        f"{100 * line['score']:.1f} %",
                        f"{100 * line['interval'][0]:.1f} to {100 * line['interval'][1]:.1f}",
                    ]
                    for line in summary.openings
                ],
            )
        )
    parts.append("\n".join(f"* **{measure.name}**: {measure.meaning}" for measure in MEASURES))
    return "\n\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |" for line in lines)
