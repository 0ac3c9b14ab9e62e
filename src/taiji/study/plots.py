"""Plots as inline SVG: dots with intervals, histograms and curves, coloured by the page's own style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from taiji.study.estimates import Estimate

WIDTH = 720
LABEL_WIDTH = 230
ROW_HEIGHT = 15
MARGIN_TOP, MARGIN_BOTTOM = 8, 34
SMALL_WIDTH, SMALL_HEIGHT = 300, 130
MARKS = 4
"""Number of different marks; further strengths begin again."""

PLOT_STYLE = """
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .axis { stroke: var(--hairline); } svg .even { stroke: var(--muted); stroke-dasharray: 4 3; }
svg .tick { fill: var(--muted); font-size: 11px; }
svg .m0 { fill: var(--s0); stroke: var(--s0); } svg .m1 { fill: var(--s1); stroke: var(--s1); }
svg .m2 { fill: var(--s2); stroke: var(--s2); } svg .m3 { fill: var(--s3); stroke: var(--s3); }
svg .bar { fill: var(--s2); } svg .curve { fill: none; stroke: var(--s2); stroke-width: 2; }
svg .band { fill: var(--sunken); }
svg { width: 100%; height: auto; max-width: 760px; display: block; }
.wide { overflow-x: auto; } .wide svg { min-width: 560px; }
""".strip()
"""The style of the plots; the page defines --s0 to --s3."""


@dataclass(frozen=True, slots=True)
class DotRow:
    """A labelled row of a dot plot: one estimate per series, None if it is missing."""

    label: str
    estimates: tuple[Estimate | None, ...]


def dot_plot(
    rows: Sequence[DotRow],
    series: Sequence[str],
    *,
    title: str,
    unit: str = "",
    scale: float = 1.0,
    even: float | None = None,
    limits: tuple[float, float] | None = None,
) -> str:
    """Return a plot with a group of rows per label, a mark per series, and its 95 % interval as a line."""
    shown = [e for row in rows for e in row.estimates if e is not None]
    if not shown:
        return ""
    low, high = limits or _limits([e.low * scale for e in shown], [e.high * scale for e in shown], even)
    left, right = LABEL_WIDTH, WIDTH - 16
    group = ROW_HEIGHT * len(series) + 8
    height = MARGIN_TOP + group * len(rows) + MARGIN_BOTTOM

    def x(value: float) -> float:
        return left + (min(high, max(low, value)) - low) / (high - low) * (right - left)

    bottom = MARGIN_TOP + group * len(rows)
    parts = _axis(ticks(low, high), x, MARGIN_TOP, bottom, unit)
    if even is not None and low <= even <= high:
        parts.append(_line(x(even), MARGIN_TOP, x(even), bottom, "even"))
    for index, row in enumerate(rows):
        top = MARGIN_TOP + group * index
        if index % 2:
            parts.insert(0, f'<rect class="band" x="0" y="{top}" width="{WIDTH}" height="{group}"/>')
        parts.append(
            f'<text x="{left - 8}" y="{top + group / 2 + 4:.1f}" text-anchor="end">{escape(row.label)}</text>'
        )
        for number, estimate in enumerate(row.estimates):
            if estimate is not None:
                y = top + 4 + ROW_HEIGHT * (number + 0.5)
                parts.append(_dot(x, estimate, y, scale, number, f"{row.label}, {series[number]}", unit))
    alt = "; ".join(
        f"{row.label}: "
        + ", ".join(
            f"{name} {_number(e.value * scale)}{unit} ({_number(e.low * scale)} to {_number(e.high * scale)})"
            for name, e in zip(series, row.estimates, strict=True)
            if e is not None
        )
        for row in rows
    )
    return _svg(WIDTH, height, parts, title, alt)


def legend(series: Sequence[str]) -> str:
    """Return the marks of the series with their names."""
    items = "".join(
        f'<span><svg viewBox="0 0 14 14" aria-hidden="true">{_mark(7, 7, number)}</svg>{escape(name)}</span>'
        for number, name in enumerate(series)
    )
    return f'<p class="legend">{items}</p>'


def bar_plot(bars: Sequence[tuple[float, int]], *, title: str, zero: bool = False) -> str:
    """Return a small histogram; with `zero` a line marks the middle between both players."""
    if not bars:
        return ""
    width = bars[1][0] - bars[0][0] if len(bars) > 1 else 1.0
    low, high = bars[0][0] - width / 2, bars[-1][0] + width / 2
    most, total = max(count for _, count in bars), sum(count for _, count in bars)
    left, right, top, bottom = 8, SMALL_WIDTH - 8, 8, SMALL_HEIGHT - 24

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    parts = _axis(ticks(low, high, 5), x, bottom, bottom, "", grid=False)
    for middle, count in bars:
        if count:
            h = (bottom - top) * count / most
            parts.append(
                f'<rect class="bar" x="{x(middle - width / 2) + 0.5:.1f}" y="{bottom - h:.1f}" '
                f'width="{max(1.0, x(width + low) - left - 1):.1f}" height="{h:.1f}">'
                f"<title>{_number(middle)}: {count} games, {100 * count / total:.1f} %</title></rect>"
            )
    if zero and low <= 0 <= high:
        parts.append(_line(x(0), top - 4, x(0), bottom, "even"))
    alt = ", ".join(f"{_number(middle)}: {count}" for middle, count in bars if count)
    return _svg(SMALL_WIDTH, SMALL_HEIGHT, parts, title, f"games by value, {alt}")


def curve_plot(values: Sequence[float], *, title: str) -> str:
    """Return a small curve from the first to the last move."""
    if not values:
        return ""
    most = max(*values, 1.0)
    left, right, top, bottom = 36, SMALL_WIDTH - 8, 8, SMALL_HEIGHT - 24
    points = [
        (left + (right - left) * i / max(1, len(values) - 1), bottom - (bottom - top) * value / most)
        for i, value in enumerate(values)
    ]
    parts = [_line(left, bottom, right, bottom, "axis")]
    for value in ticks(0, most, 3):
        y = bottom - (bottom - top) * value / most
        parts.append(
            f'<text class="tick" x="{left - 4}" y="{y + 4:.1f}" text-anchor="end">{_number(value)}</text>'
        )
    parts.append(f'<text class="tick" x="{left}" y="{bottom + 16}">first move</text>')
    parts.append(f'<text class="tick" x="{right}" y="{bottom + 16}" text-anchor="end">last move</text>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline class="curve" points="{path}"/>')
    alt = f"from {_number(values[0])} at the first move to {_number(values[-1])} at the last"
    return _svg(SMALL_WIDTH, SMALL_HEIGHT, parts, title, alt)


def ticks(low: float, high: float, count: int = 7) -> list[float]:
    """Return at most about `count` round values between two numbers."""
    rough = (high - low) / count
    power = 10.0 ** floor(log10(rough))
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= rough)
    return [step * k for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _limits(lows: Sequence[float], highs: Sequence[float], even: float | None) -> tuple[float, float]:
    low, high = min(lows), max(highs)
    if even is not None:
        low, high = min(low, even), max(high, even)
    pad = 0.05 * (high - low) or 1.0
    return low - pad, high + pad


def _axis(
    values: Sequence[float],
    x: Callable[[float], float],
    top: float,
    bottom: float,
    unit: str,
    grid: bool = True,
) -> list[str]:
    parts = []
    for value in values:
        if grid:
            parts.append(_line(x(value), top, x(value), bottom, "axis"))
        parts.append(
            f'<text class="tick" x="{x(value):.1f}" y="{bottom + 16:.1f}" text-anchor="middle">'
            f"{_number(value)}{escape(unit)}</text>"
        )
    return parts


def _dot(
    x: Callable[[float], float], estimate: Estimate, y: float, scale: float, number: int, name: str, unit: str
) -> str:
    low, high = x(estimate.low * scale), x(estimate.high * scale)
    text = (
        f"{name}: {_number(estimate.value * scale)}{unit} "
        f"({_number(estimate.low * scale)} to {_number(estimate.high * scale)})"
    )
    return (
        f'<g><title>{escape(text)}</title><line class="m{number % MARKS}" x1="{low:.1f}" y1="{y:.1f}" '
        f'x2="{high:.1f}" y2="{y:.1f}" stroke-width="2"/>{_mark(x(estimate.value * scale), y, number)}</g>'
    )


def _mark(x: float, y: float, number: int) -> str:
    """Return a circle, square, diamond or triangle: the series differ in shape and colour."""
    kind = number % MARKS
    if kind == 0:
        return f'<circle class="m0" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    if kind == 1:
        return f'<rect class="m1" x="{x - 3.6:.1f}" y="{y - 3.6:.1f}" width="7.2" height="7.2"/>'
    corners = [(0, -5.4), (5.4, 0), (0, 5.4), (-5.4, 0)] if kind == 2 else [(0, -5), (5, 4), (-5, 4)]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon class="m{kind}" points="{points}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _svg(width: int, height: float, parts: Sequence[str], title: str, alt: str) -> str:
    label = escape(f"{title}. {alt}", quote=True)
    inner = "".join(parts)
    return f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{label}">{inner}</svg>'


def _number(value: float) -> str:
    """Return a number with at most one decimal, and exponents for huge ones."""
    if abs(value) >= 100_000:
        return f"{value:.2g}"
    text = f"{value:.0f}" if abs(value) >= 100 or abs(value - round(value)) < 0.05 else f"{value:.1f}"
    return "0" if text in ("-0", "-0.0") else text
