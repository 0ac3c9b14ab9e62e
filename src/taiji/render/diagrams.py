"""Pages of diagrams: the positions of a record one after the other, to print or to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.render.description import describe
from taiji.render.look import theme
from taiji.render.picture import Picture, Style, compose
from taiji.render.shapes import Group, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.notation import Record
    from taiji.render.film import Frame
    from taiji.render.shapes import Shape

PAGE = (210.0, 297.0)
MARGIN = 12.0
COLUMNS, ROWS = 2, 3
"""Diagrams across and down a page."""
HEADING = 10.0
GAP = 6.0


def diagram_pages(record: Record, film: list[Frame], style: Style, *, groups: bool = False) -> list[Picture]:
    """Return pages in A4 with six diagrams each, their moves and scores below them."""
    on_a_page = COLUMNS * ROWS
    parts = [film[start : start + on_a_page] for start in range(0, len(film), on_a_page)]
    heading = title(record)
    colours = theme(style.theme)
    return [
        Picture(
            *PAGE,
            tuple(_page(part, f"{heading}, {n} of {len(parts)}", style, groups)),
            colours,
            heading,
            "mm",
        )
        for n, part in enumerate(parts, 1)
    ]


def title(record: Record) -> str:
    """Return what a record is, in a line."""
    players = [name for name in (record.tag("Light"), record.tag("Dark")) if name and name != "?"]
    who = f"{' – '.join(players)}, " if players else ""
    date = record.tag("Date")
    return f"{who}{record.game}" + (f", {date}" if date and "?" not in date else "")


def _page(film: list[Frame], heading: str, style: Style, groups: bool) -> Iterator[Shape]:
    ink = theme(style.theme)["ink"]
    yield Text((MARGIN, MARGIN + 3), heading, 4.2, ink, "start", bold=True)
    wide = (PAGE[0] - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    high = (PAGE[1] - 2 * MARGIN - HEADING - (ROWS - 1) * GAP) / ROWS
    for index, frame in enumerate(film):
        scene = describe(frame.state, last=frame.move, groups=groups, caption=frame.caption)
        picture = compose(scene, style)
        scale = min(wide / picture.width, high / picture.height)
        x = MARGIN + index % COLUMNS * (wide + GAP) + (wide - picture.width * scale) / 2
        y = MARGIN + HEADING + index // COLUMNS * (high + GAP)
        yield Group(picture.shapes, move=(x, y), scale=scale, name="diagram")
