"""Draw the positions of a record as pages of diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.render.description import describe
from taiji.render.picture import Picture, Style, compose
from taiji.render.shapes import Group, Text
from taiji.render.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.notation import Record
    from taiji.render.frames import Frame
    from taiji.render.shapes import Shape

PAGE_MM = (210.0, 297.0)
MARGIN_MM = 12.0
COLUMNS, ROWS = 2, 3
"""Diagrams per row and per column of a page."""
HEADING_MM = 10.0
GAP_MM = 6.0


def diagram_pages(
    record: Record, frames: list[Frame], style: Style, *, groups: bool = False
) -> list[Picture]:
    """Return A4 pages with six diagrams each, with moves and scores below them."""
    on_a_page = COLUMNS * ROWS
    parts = [frames[start : start + on_a_page] for start in range(0, len(frames), on_a_page)]
    heading = title(record)
    colours = theme(style.theme)
    return [
        Picture(
            *PAGE_MM,
            tuple(_page(part, f"{heading}, {n} of {len(parts)}", style, groups)),
            colours,
            heading,
            "mm",
        )
        for n, part in enumerate(parts, 1)
    ]


def title(record: Record) -> str:
    """Return the title of a record: players and game."""
    players = [name for name in (record.tag("Light"), record.tag("Dark")) if name and name != "?"]
    who = f"{' – '.join(players)}, " if players else ""
    date = record.tag("Date")
    return f"{who}{record.game}" + (f", {date}" if date and "?" not in date else "")


def _page(frames: list[Frame], heading: str, style: Style, groups: bool) -> Iterator[Shape]:
    ink = theme(style.theme)["ink"]
    yield Text((MARGIN_MM, MARGIN_MM + 3), heading, 4.2, ink, "start", bold=True)
    wide = (PAGE_MM[0] - 2 * MARGIN_MM - (COLUMNS - 1) * GAP_MM) / COLUMNS
    high = (PAGE_MM[1] - 2 * MARGIN_MM - HEADING_MM - (ROWS - 1) * GAP_MM) / ROWS
    for index, frame in enumerate(frames):
        scene = describe(frame.state, last=frame.move, groups=groups, caption=frame.caption)
        picture = compose(scene, style)
        scale = min(wide / picture.width, high / picture.height)
        x = MARGIN_MM + index % COLUMNS * (wide + GAP_MM) + (wide - picture.width * scale) / 2
        y = MARGIN_MM + HEADING_MM + index // COLUMNS * (high + GAP_MM)
        yield Group(picture.shapes, move=(x, y), scale=scale, name="diagram")
