"""A tournament's tables on A4 pages, to print and hang on the wall."""

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
"""In millimetres, as are all lengths here."""
MAX_TEXT_MM = 4.2
MIN_TEXT_MM = 1.6
TITLE_MM = 5.0
HEADER_MM = 24.0
"""How much of the first page its name takes."""
FOOTER_MM = 6.0
GAP_MM = 7.0
"""How far tables stand apart."""
_CHAR_WIDTH_EM = 0.5
"""How wide a letter is on average, in its size."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A table, or as much of it as fits on a page, with the size of its text and its columns' widths."""

    title: str
    table: TextTable
    rows: Sequence[tuple[str, ...]]
    widths: Sequence[int]
    size: float
    note: str

    @property
    def step(self) -> float:
        """The distance of two lines."""
        return self.size * 1.6

    @property
    def height(self) -> float:
        """How high it stands."""
        return TITLE_MM * 1.9 + self.step * (len(self.rows) + 1) + (self.step if self.note else 0)


def tournament_pages(tournament: Tournament, theme_name: str = "print") -> list[Picture]:
    """Return the standings, the cross table and every round, the last first, on as few pages as they need."""
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
            told = f"{settings.name}, page {number} of {len(pages)}"
            at = (PAGE_MM[0] - MARGIN_MM, PAGE_MM[1] - MARGIN_MM + FOOTER_MM / 2)
            shapes.append(Text(at, told, 3, colours["text"], "end"))
        drawn.append(Picture(*PAGE_MM, tuple(shapes), colours, settings.name, "mm"))
    return drawn


def _blocks(table: TextTable, name: str) -> Iterator[_Block]:
    """Cut a table into pieces of at most a page."""
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
        said = title if not start else f"{title}, continued"
        yield _Block(said, table, part, widths, size, table.note if start + fitting >= len(rows) else "")


def _paginate(blocks: Sequence[_Block]) -> list[list[_Block]]:
    """Lay blocks one below the other; what does not fit begins the next page."""
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
