"""A study as one self-contained HTML page: tables and plots for screens of any size, light or dark."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from taiji import __version__
from taiji.study.estimates import Estimate
from taiji.study.measures import CellSummary
from taiji.study.page_parts import CLEAR_NOTE, CONTROLS_NOTE, OPENINGS_NOTE, figure, style, table
from taiji.study.plots import DotRow, bar_plot, curve_plot, dot_plot, legend
from taiji.study.summary import StudySummary
from taiji.study.wording import (
    MEASURES,
    method_lines,
    strength_name,
    write_estimate,
    write_interval,
    write_value,
)

PAGE_NAME = "index.html"


def study_page(summary: StudySummary, command: str = "") -> str:
    """Return the page."""
    study = summary.study
    title = study.title or f"{study.kind}: {', '.join(game.name for game in study.games)}"
    sections = [
        f"<h1>{escape(title)}</h1>",
        "<p>" + " ".join(escape(line) for line in method_lines(study, summary.played)) + "</p>",
        f'<p class="muted">taiji {escape(__version__)}'
        + (f": <code>{escape(command)}</code>" if command else "")
        + ("" if summary.is_complete else f". Not complete: {summary.played:,} of {study.total():,} games.")
        + "</p>",
        *_openings(summary),
        *_differences(summary),
        *_overview(summary),
        *_controls(summary),
        *_by_strength(summary),
        *_distributions(summary),
        _definitions(),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style()}\n</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(sections)
        + "\n</main>\n</body>\n</html>\n"
    )


def write_page(summary: StudySummary, folder: Path, command: str = "") -> Path:
    """Write `index.html` into the folder of the study."""
    path = folder / PAGE_NAME
    draft = path.with_suffix(".draft")
    draft.write_text(study_page(summary, command), encoding="utf-8")
    draft.replace(path)
    return path


def _overview(summary: StudySummary) -> list[str]:
    if not summary.games:
        return []
    names = [strength_name(strength) for strength in summary.study.strengths]
    parts = [
        "<h2>First player’s score</h2>",
        legend(names),
        figure(
            _dots(summary, "starter", "First player’s score", even=50.0, limits=(0.0, 100.0)),
            "Score of the player who moves first, with 95 % intervals; the dashed line is 50 %.",
        ),
    ]
    komi = _dots(
        summary,
        "komi",
        "Fair komi",
        even=0.0,
        keep=lambda cell: (e := cell.estimates["komi"]) is not None and max(abs(e.low), abs(e.high)) < 50,
    )
    if komi:
        parts += [
            "<h2>Fair komi</h2>",
            legend(names),
            figure(komi, "Points to Light that would split these games evenly; negative: to Dark."),
        ]
    ties = _dots(summary, "ties", "Share of ties", limits=(0.0, 100.0))
    parts += [
        "<h2>Ties</h2>",
        legend(names),
        figure(ties, "Share of games with equal totals, which the tie rule decides."),
        "<h2>At the strongest setting</h2>",
        table(
            ["game", "games", *(measure.name for measure in MEASURES), "half-point komi", "Light with it"],
            [
                [game.entry.name, str(cell.games), *_cell_values(cell), *_komi_values(cell)]
                for game in summary.games
                for cell in [game.strongest]
            ],
        ),
    ]
    return parts


def _dots(
    summary: StudySummary,
    key: str,
    title: str,
    *,
    even: float | None = None,
    limits: tuple[float, float] | None = None,
    keep: Any = lambda cell: True,
) -> str:
    measure = next(measure for measure in MEASURES if measure.key == key)
    strengths = summary.study.strengths
    rows = []
    for game in summary.games:
        by_strength: dict[tuple[str, int], Estimate | None] = {
            (cell.strength, cell.playouts): cell.estimates[key] if keep(cell) else None for cell in game.cells
        }
        estimates = tuple(by_strength.get((s.player, s.playouts)) for s in strengths)
        if any(estimate is not None for estimate in estimates):
            name = f"{game.entry.name} (control)" if game.entry.winner else game.entry.name
            rows.append(DotRow(name, estimates))
    plot = dot_plot(
        rows,
        [strength_name(strength) for strength in strengths],
        title=title,
        unit=" %" if measure.is_share else "",
        scale=100.0 if measure.is_share else 1.0,
        even=even,
        limits=limits,
    )
    # Narrow screens scroll the plot: its labels would become too small.
    return plot and f'<div class="wide" tabindex="0" role="region" aria-label="{escape(title)}">{plot}</div>'


def _controls(summary: StudySummary) -> list[str]:
    controls = [game for game in summary.games if game.entry.winner]
    if not controls:
        return []
    share = MEASURES[0]
    rows = []
    for game in controls:
        for cell in game.cells:
            light = cell.estimates["light"]
            assert light is not None
            score = (
                light
                if game.entry.winner == "light"
                else Estimate(1 - light.value, 1 - light.high, 1 - light.low)
            )
            rows.append(
                [
                    game.entry.name,
                    f"{cell.playouts:,}",
                    game.entry.winner.title(),
                    write_estimate(share, score),
                    f"{100 * (1 - score.value):.1f} points",
                    game.entry.note,
                ]
            )
    return [
        "<h2>Controls: games whose winner is proven</h2>",
        f"<p>{CONTROLS_NOTE}</p>",
        table(["game", "playouts", "winner", "measured score", "error", "proof"], rows),
    ]


def _by_strength(summary: StudySummary) -> list[str]:
    parts = ["<h2>How it moves with playing strength</h2>"] if summary.games else []
    for game in summary.games:
        parts += [
            f"<h3>{escape(game.entry.name)} <code>{escape(game.entry.game)}</code></h3>",
            *([f"<p>{escape(game.entry.note)}</p>"] if game.entry.note and not game.entry.winner else []),
            table(
                ["playouts", "games", "different", *(m.name for m in MEASURES), "swaps"],
                [
                    [
                        f"{cell.playouts:,}",
                        str(cell.games),
                        str(cell.different),
                        *_cell_values(cell),
                        f"{100 * cell.swaps:.1f} %" if game.has_swap else "–",
                    ]
                    for cell in game.cells
                ],
            ),
        ]
    return parts


def _distributions(summary: StudySummary) -> list[str]:
    parts = ["<h2>Margins, lengths and choices at the strongest setting</h2>"] if summary.games else []
    for game in summary.games:
        cell, name = game.strongest, game.entry.name
        figures = [
            figure(
                bar_plot(cell.margins, title=f"{name}: {game.light}’s margin", zero=True),
                f"{game.light} minus {game.dark}, points",
            ),
            figure(bar_plot(cell.lengths, title=f"{name}: length"), "Length in moves"),
            figure(curve_plot(cell.branching, title=f"{name}: choices"), "Legal moves along the game"),
        ]
        parts.append(f'<h3>{escape(name)}</h3>\n<div class="plots">{"".join(figures)}</div>')
    return parts


def _differences(summary: StudySummary) -> list[str]:
    rows = summary.differences()
    if not rows:
        return []
    first, second = summary.games
    body = []
    for measure in MEASURES:
        for number, difference in enumerate(rows):
            a, b = (game.cells[number].estimates[measure.key] for game in (first, second))
            data = difference[measure.key]
            estimate = None if data is None else Estimate.from_json(data)
            clear = estimate is not None and (estimate.low > 0 or estimate.high < 0)
            body.append(
                [
                    measure.name,
                    f"{difference['playouts']:,}",
                    write_estimate(measure, a),
                    write_estimate(measure, b),
                    write_estimate(measure, estimate).replace(" %", " points"),
                    "yes" if clear else "no",
                ]
            )
    names = [game.entry.name for game in (first, second)]
    return [
        "<h2>Side by side</h2>",
        f"<p>The difference is {escape(names[1])} minus {escape(names[0])}. {CLEAR_NOTE}</p>",
        table(["measure", "playouts", *names, "difference", "clear"], body),
    ]


def _openings(summary: StudySummary) -> list[str]:
    if not summary.openings:
        return []
    return [
        "<h2>Balanced openings</h2>",
        f"<p>{OPENINGS_NOTE}</p>",
        table(
            ["moves", "win probability", "margin", "games", "score", "95 % interval"],
            [
                [
                    " ".join(line["moves"]),
                    f"{100 * line['win_prob']:.1f} %",
                    f"{line['margin']:+.2f}",
                    str(line["games"]),
                    f"{100 * line['score']:.1f} %",
                    f"{100 * line['interval'][0]:.1f} to {100 * line['interval'][1]:.1f}",
                ]
                for line in summary.openings
            ],
        ),
    ]


def _definitions() -> str:
    items = "".join(f"<dt>{escape(m.name)}</dt><dd>{escape(m.meaning)}</dd>" for m in MEASURES)
    return f"<h2>What the measures mean</h2><dl>{items}</dl>"


def _cell_values(cell: CellSummary) -> list[tuple[str, str] | str]:
    values: list[tuple[str, str] | str] = []
    for measure in MEASURES:
        estimate = cell.estimates[measure.key]
        values.append(
            "–"
            if estimate is None
            else (write_value(measure, estimate.value), write_interval(measure, estimate))
        )
    return values


def _komi_values(cell: CellSummary) -> list[str]:
    if cell.komi is None or cell.komi_light is None:
        return ["–", "–"]
    return [f"{cell.komi:+g}", write_estimate(MEASURES[0], cell.komi_light)]
