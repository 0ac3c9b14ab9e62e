"""Parts of a study's page: its style, tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from taiji.render.theme import theme
from taiji.study.plots import PLOT_STYLE

SERIES_LIGHT = ("#8a7550", "#1f6f8b", "#9c3b1b", "#4c6b2f")
SERIES_DARK = ("#cdb98e", "#6fc0dd", "#f0926d", "#a5cf7c")
"""Colours of the strengths on light and on dark paper."""
_KEYS = ("paper", "sunken", "hairline", "ink", "muted")
_STYLE = """
:root { color-scheme: light dark; LIGHT }
@media (prefers-color-scheme: dark) { :root { DARK } }
body { font: 1rem/1.5 Georgia, serif; background: var(--paper); color: var(--ink);
  max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; font-weight: 500; } h2 { font-size: 1.2rem; font-weight: 500; margin-top: 2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; } .muted { color: var(--muted); }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--hairline); }
thead th { vertical-align: bottom; } td { font-variant-numeric: tabular-nums; white-space: nowrap; }
td small { display: block; color: var(--muted); } tbody th { font-weight: 400; min-width: 8rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
figure { margin: 0 0 1rem; } figcaption { color: var(--muted); font-size: .9rem; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font: .85rem system-ui, sans-serif; }
.legend svg { display: inline-block; width: 14px; height: 14px; margin-right: .4rem; vertical-align: -2px; }
dt { font-weight: 700; } dd { margin: 0 0 .4rem; }
@media print { figure, tr { break-inside: avoid; } }
""".strip()
CONTROLS_NOTE = (
    "Best play gives the winner 100 %. What is missing is the error of these players, and a measure of how "
    "far the other figures may be from the truth."
)
CLEAR_NOTE = (
    "It is called clear if its 95 % interval does not contain 0; of twenty measures without a difference, "
    "one looks clear by chance."
)
OPENINGS_NOTE = (
    "Openings up to symmetry, the most balanced first: the win probability of the player who began as Light "
    "by a long search, and their score in games from the opening."
)


def style() -> str:
    """Return the style of the page, with the colours of both themes."""

    def variables(name: str, series: Sequence[str]) -> str:
        colours = theme(name)
        own = [f"--{key}: {colours[key]};" for key in _KEYS]
        return " ".join([*own, *(f"--s{i}: {colour};" for i, colour in enumerate(series))])

    filled = _STYLE.replace("LIGHT", variables("paper", SERIES_LIGHT))
    return f"{filled.replace('DARK', variables('night', SERIES_DARK))}\n{PLOT_STYLE}"


def table(head: Sequence[str], rows: Sequence[Sequence[tuple[str, str] | str]]) -> str:
    """Return a table; a pair is a value and a smaller text below it."""

    def entry(value: tuple[str, str] | str, is_first: bool) -> str:
        if isinstance(value, tuple):
            return f"<td>{escape(value[0])}<small>{escape(value[1])}</small></td>"
        return f'<th scope="row">{escape(value)}</th>' if is_first else f"<td>{escape(value)}</td>"

    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "\n".join(
        "<tr>" + "".join(entry(value, not index) for index, value in enumerate(row)) + "</tr>" for row in rows
    )
    return (
        f'<div class="table" tabindex="0" role="region" aria-label="{escape(head[0])} table"><table>'
        f"<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def figure(plot: str, caption: str) -> str:
    """Return a plot with its caption; nothing if there is no plot."""
    return f"<figure>{plot}<figcaption>{escape(caption)}</figcaption></figure>" if plot else ""
