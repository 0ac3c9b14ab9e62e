"""Write pictures as SVG text."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from taiji.render.shapes import DIAGONALS, DOTS, GAP, Circle, Group, Path, Segment, Shape, Text
from taiji.render.theme import font_stack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taiji.render.picture import Picture
    from taiji.render.theme import Theme

_PATTERNS = {DOTS: "taiji-light-squares", DIAGONALS: "taiji-dark-squares"}
"""Ids of the pattern definitions."""


def write(picture: Picture, width: float | None = None, *, style: str = "", extra: Iterable[str] = ()) -> str:
    """Return a picture as an SVG document, `width` pixels wide or, by default, of its own size.

    `style` is a style sheet; `extra` are elements to add on top.
    """
    wide = width or picture.width
    high = wide * picture.height / picture.width
    unit = picture.unit
    size = f'width="{format_number(wide)}{unit}" height="{format_number(high)}{unit}"'
    corner = " ".join(format_number(value, 4) for value in picture.origin)
    box = f'viewBox="{corner} {format_number(picture.width, 4)} {format_number(picture.height, 4)}"'
    font = f"font-family={quoteattr(font_stack())}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img" {font}>']
    if picture.alt_text:
        parts.append(f"<title>{escape(picture.alt_text)}</title>")
    if style:
        parts.append(f"<style>{style}</style>")
    if picture.theme.patterns:
        parts.append(_patterns(picture.theme))
    if not picture.transparent:
        parts.append(f'<rect width="100%" height="100%" fill="{picture.theme["paper"]}"/>')
    shared: dict[str, str] = {}
    drawn = [element(shape, shared) for shape in picture.shapes]
    if shared:
        parts.append(f"<defs>{''.join(shared.values())}</defs>")
    parts += drawn
    parts += extra
    parts.append("</svg>\n")
    return "\n".join(parts)


def element(shape: Shape, shared: dict[str, str]) -> str:
    """Return a shape as an SVG element; shared definitions are added to `shared` by key."""
    match shape:
        case Path():
            return _path(shape)
        case Circle():
            x, y = shape.centre
            more = f' opacity="{format_number(shape.opacity)}"' if shape.opacity < 1 else ""
            more += _dashes(shape.dash)
            place = f'cx="{format_number(x)}" cy="{format_number(y)}" r="{format_number(shape.radius)}"'
            return f"<circle {place}{_paint(shape.fill, shape.stroke, shape.width)}{more}/>"
        case Text():
            x, y = shape.at
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            weight = ' font-weight="600"' if shape.bold else ""
            return (
                f'<text x="{format_number(x)}" y="{format_number(y)}"'
                f' font-size="{format_number(shape.size)}" fill="{shape.fill}"'
                f"{anchor}{weight}>{escape(shape.text)}</text>"
            )
        case Group():
            return _group(shape, shared)


def _group(group: Group, shared: dict[str, str]) -> str:
    attributes = f' class="{group.name}"' if group.name else ""
    if group.opacity < 1:
        attributes += f' opacity="{format_number(group.opacity)}"'
    title = f"<title>{escape(group.title)}</title>" if group.title else ""
    x, y = group.move
    if group.key:
        if group.key not in shared:
            inside = "".join(element(shape, shared) for shape in group.shapes)
            shared[group.key] = f'<g id="{group.key}">{inside}</g>'
        at = f'x="{format_number(x)}" y="{format_number(y)}"'
        return f'<use href="#{group.key}" {at}{attributes}>{title}</use>'
    moves = [f"translate({format_number(x)} {format_number(y)})"] if (x, y) != (0.0, 0.0) else []
    if group.scale != 1:
        moves.append(f"scale({format_number(group.scale, 5)})")
    if moves:
        attributes += f' transform="{" ".join(moves)}"'
    return f"<g{attributes}>{title}{''.join(element(shape, shared) for shape in group.shapes)}</g>"


def _path(path: Path) -> str:
    attributes = _paint(path.fill, path.stroke, path.width)
    if path.fill and path.fill_opacity < 1:
        attributes += f' fill-opacity="{format_number(path.fill_opacity)}"'
    if path.stroke:
        if path.stroke_opacity < 1:
            attributes += f' stroke-opacity="{format_number(path.stroke_opacity)}"'
        attributes += _dashes(path.dash)
        attributes += ' stroke-linecap="round"'
    if path.even_odd:
        attributes += ' fill-rule="evenodd"'
    return f'<path d="{path_data(path.segments)}"{attributes}/>'


def _dashes(length: float) -> str:
    return f' stroke-dasharray="{format_number(length)} {format_number(length * GAP)}"' if length else ""


def _paint(fill: str | None, stroke: str | None, width: float) -> str:
    colour = f"url(#{_PATTERNS[fill]})" if fill in _PATTERNS else fill or "none"
    paint = f' fill="{colour}"'
    return f'{paint} stroke="{stroke}" stroke-width="{format_number(width)}"' if stroke else paint


def path_data(segments: Iterable[Segment]) -> str:
    """Return path commands in SVG's compact form."""
    written = []
    x = y = 0.0
    for segment in segments:
        command, values = str(segment[0]), [float(value) for value in segment[1:]]
        if command == "L" and values[0] == x:
            written.append(f"V{format_number(values[1])}")
        elif command == "L" and values[1] == y:
            written.append(f"H{format_number(values[0])}")
        else:
            written.append(command + " ".join(format_number(value) for value in values))
        if values:
            x, y = values[-2:]
    return "".join(written)


def format_number(value: float, decimals: int = 2) -> str:
    """Format a number without trailing zeros."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{value:.0f}"
    return "0" if text in ("-0", "") else text


def _patterns(theme: Theme) -> str:
    """Return the definitions of the patterns of light and dark squares."""
    dots, lines = theme.patterns
    half = format_number(dots.step / 2)
    dot = f'<circle cx="{half}" cy="{half}" r="{format_number(dots.size)}"'
    dot += f' fill="{theme[dots.ink]}" opacity="{format_number(dots.opacity)}"/>'
    middle, step = format_number(lines.step / 2), format_number(lines.step)
    stroke = f'<path d="M{middle} 0V{step}" stroke="{theme[lines.ink]}"'
    stroke += f' stroke-width="{format_number(lines.size)}" opacity="{format_number(lines.opacity)}"/>'
    return f"<defs>{_pattern(DOTS, dots.step, 0, dot)}{_pattern(DIAGONALS, lines.step, 45, stroke)}</defs>"


def _pattern(fill: str, step: float, turn: int, mark: str) -> str:
    side = f'width="{format_number(step)}" height="{format_number(step)}" patternUnits="userSpaceOnUse"'
    turned = f' patternTransform="rotate({turn})"' if turn else ""
    return f'<pattern id="{_PATTERNS[fill]}" {side}{turned}>{mark}</pattern>'
