"""A tournament's tables on A4 pages, to print and hang on the wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.arena.tournaments.tables import cross_table, pairings_table, standings_table
from taiji.render.look import theme
from taiji.render.picture import Picture
from taiji.render.shapes import Path, Text, line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.arena.tournaments import Tournament
    from taiji.arena.tournaments.tables import Table
    from taiji.render.look import Theme
    from taiji.render.shapes import Shape

PAGE = (210.0, 297.0)
MARGIN = 15.0
"""In millimetres, as are all lengths here."""
LARGEST_TEXT = 4.2
SMALLEST_TEXT = 1.6
_EM = 0.5
"""How wide a letter is on average, in its size."""


def tournament_pages(tournament: Tournament, theme_name: str = "print") -> list[Picture]:
    """Return the standings, the cross table and the last round, on as many pages as they need."""
    colours = theme(theme_name)
    tables = [standings_table(tournament), cross_table(tournament)]
    if tournament.rounds:
        tables.append(pairings_table(tournament))
    return [page for table in tables for page in _pages(table, colours)]


def _pages(table: Table, colours: Theme) -> Iterator[Picture]:
    widths = [max(len(cell) for cell in column) + 2 for column in zip(table.heads, *table.rows, strict=True)]
    room = PAGE[0] - 2 * MARGIN
    size = max(SMALLEST_TEXT, min(LARGEST_TEXT, room / (sum(widths) * _EM)))
    step = size * 1.55
    fitting = max(1, int((PAGE[1] - 2 * MARGIN - 18) / step) - 1)
    rows = list(table.rows) or [tuple("" for _ in table.heads)]
    for start in range(0, len(rows), fitting):
        shapes = list(_written(table, rows[start : start + fitting], widths, size, colours))
        yield Picture(*PAGE, tuple(shapes), colours, table.title, "mm")


def _written(
    table: Table, rows: list[tuple[str, ...]], widths: list[int], size: float, colours: Theme
) -> Iterator[Shape]:
    ink = colours["ink"]
    step = size * 1.55
    y = MARGIN + 6
    yield Text((MARGIN, y), table.title, 5.5, ink, "start", bold=True)
    y += 12
    yield from _row(table.heads, table.right, widths, y, size, colours["text"])
    yield Path(line((MARGIN, y + size * 0.45), (PAGE[0] - MARGIN, y + size * 0.45)), None, ink, 0.25)
    for row in rows:
        y += step
        yield from _row(row, table.right, widths, y, size, ink)


def _row(
    cells: tuple[str, ...], right: tuple[bool, ...], widths: list[int], y: float, size: float, ink: str
) -> Iterator[Shape]:
    x = MARGIN
    for cell, flush, width in zip(cells, right, widths, strict=True):
        wide = width * size * _EM
        if cell:
            at = (x + wide - size, y) if flush else (x, y)
            yield Text(at, cell, size, ink, "end" if flush else "start")
        x += wide
