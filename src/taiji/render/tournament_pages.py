"""Draw the standings, cross table and pairings of a tournament on A4 pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.arena.tournaments.tables import cross_table, pairings_table, standings_table
from taiji.render.picture import Picture
from taiji.render.shapes import Path, Text, line
from taiji.render.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from taiji.arena.tournaments import Tournament
    from taiji.arena.tournaments.tables import TextTable
    from taiji.render.shapes import Shape
    from taiji.render.theme import Theme

PAGE_MM = (210.0, 297.0)
MARGIN_MM = 15.0
"""All lengths in this module are in millimetres."""
MAX_TEXT_MM = 4.2
MIN_TEXT_MM = 1.6
TITLE_MM = 5.0
HEADER_MM = 24.0
"""Height of the title of the first page."""
FOOTER_MM = 6.0
GAP_MM = 7.0
"""Distance between tables."""
_CHAR_WIDTH_EM = 0.5
"""Average width of a character, in font sizes."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A table, or the part of it that fits on a page, with its font size and column widths."""

    title: str
    table: TextTable
    rows: Sequence[tuple[str, ...]]
    widths: Sequence[int]
    size: float
    note: str

    @property
    def step(self) -> float:
        """Line height."""
        return self.size * 1.6

    @property
    def height(self) -> float:
        """Height of the block."""
        return TITLE_MM * 1.9 + self.step * (len(self.rows) + 1) + (self.step if self.note else 0)


def tournament_pages(tournament: Tournament, theme_name: str = "print") -> list[Picture]:
    """Return pages with the standings, the cross table and all rounds, latest first."""
    colours = theme(theme_name)
    settings = tournament.settings
    tables = [standings_table(tournament), cross_table(tournament)]
    tables += [pairings_table(tournament, number) for number in range(len(tournament.rounds), 0, -1)]
    blocks = [block for table in tables for block in _blocks(table, settings.name)]
    pages = _paginate(blocks)
    games = "matches of two games" if settings.games == 2 else "single games"
    about = f"{settings.format.value.replace('-', ' ')}, {settings.game}, {games}"
    drawn = []
    for number, page in enumerate(pages, 1):
        y = MARGIN_MM
        shapes: list[Shape] = []
        if number == 1:
            shapes.append(Text((MARGIN_MM, y + 8), settings.name, 8.5, colours["ink"], "start", bold=True))
            shapes.append(Text((MARGIN_MM, y + 15), about, 4, colours["text"], "start"))
            y += HEADER_MM
        for block in page:
            shapes += _block_shapes(block, y, colours)
            y += block.height + GAP_MM
        if len(pages) > 1:
            footer = f"{settings.name}, page {number} of {len(pages)}"
            at = (PAGE_MM[0] - MARGIN_MM, PAGE_MM[1] - MARGIN_MM + FOOTER_MM / 2)
            shapes.append(Text(at, footer, 3, colours["text"], "end"))
        drawn.append(Picture(*PAGE_MM, tuple(shapes), colours, settings.name, "mm"))
    return drawn


def _blocks(table: TextTable, name: str) -> Iterator[_Block]:
    """Split a table into blocks of at most a page."""
    widths = [
        max(len(cell) for cell in column) + 2 for column in zip(table.columns, *table.rows, strict=True)
    ]
    room = PAGE_MM[0] - 2 * MARGIN_MM
    size = max(MIN_TEXT_MM, min(MAX_TEXT_MM, room / (sum(widths) * _CHAR_WIDTH_EM)))
    fitting = max(
        1, int((PAGE_MM[1] - 2 * MARGIN_MM - FOOTER_MM - HEADER_MM - TITLE_MM * 1.9) / (size * 1.6)) - 2
    )
    rows = list(table.rows) or [tuple("" for _ in table.columns)]
    title = table.title.removeprefix(f"{name}: ")
    title = title[:1].upper() + title[1:]
    for start in range(0, len(rows), fitting):
        part = rows[start : start + fitting]
        heading = title if not start else f"{title}, continued"
        yield _Block(heading, table, part, widths, size, table.note if start + fitting >= len(rows) else "")


def _paginate(blocks: Sequence[_Block]) -> list[list[_Block]]:
    """Distribute blocks over pages."""
    pages: list[list[_Block]] = [[]]
    left = PAGE_MM[1] - 2 * MARGIN_MM - FOOTER_MM - HEADER_MM
    for block in blocks:
        if pages[-1] and block.height > left:
            pages.append([])
            left = PAGE_MM[1] - 2 * MARGIN_MM - FOOTER_MM
        pages[-1].append(block)
        left -= block.height + GAP_MM
    return pages


def _block_shapes(block: _Block, top: float, colours: Theme) -> Iterator[Shape]:
    ink, size = colours["ink"], block.size
    yield Text((MARGIN_MM, top + TITLE_MM), block.title, TITLE_MM, ink, "start", bold=True)
    y = top + TITLE_MM * 1.9 + block.step * 0.7
    yield from _row_shapes(block, block.table.columns, y, colours["text"])
    end = MARGIN_MM + sum(block.widths) * size * _CHAR_WIDTH_EM
    yield Path(line((MARGIN_MM, y + size * 0.45), (end, y + size * 0.45)), None, ink, 0.25)
    for row in block.rows:
        y += block.step
        yield from _row_shapes(block, row, y, ink)
    if block.note:
        yield Text((MARGIN_MM, y + block.step), block.note, min(size, 3.2), colours["text"], "start")


def _row_shapes(block: _Block, cells: tuple[str, ...], y: float, ink: str) -> Iterator[Shape]:
    x, size = MARGIN_MM, block.size
    for cell, flush, width in zip(cells, block.table.right, block.widths, strict=True):
        wide = width * size * _CHAR_WIDTH_EM
        if cell:
            at = (x + wide - size, y) if flush else (x, y)
            yield Text(at, cell, size, ink, "end" if flush else "start")
        x += wide
