"""Draw A4 sheets to print at actual size: the board of a game and its pieces to cut out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.render.board_layout import BoardLayout
from taiji.render.boards import board_shapes, coordinate_shapes
from taiji.render.description import describe
from taiji.render.picture import Picture
from taiji.render.shapes import Group, Path, Shape, Text, line
from taiji.render.theme import Theme, geometry, theme
from taiji.render.tiles import PieceShape, piece_shapes
from taiji.rules import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.rules import Game, Piece
    from taiji.rules.game import Stage

PAGE_MM = (210.0, 297.0)
MARGIN_MM = 10.0
"""All lengths in this module are in millimetres."""
MAX_CELL_MM = 20.0
SPACE_MM = 2.0
"""Space between pieces."""
HEADING_MM = 14.0
FOOTING_MM = 10.0
RULER_MM = 50.0
"""Length of the ruler that is used to check a print."""


@dataclass(frozen=True)
class Cutout:
    """A piece to cut out; if it may be flipped, its back is printed too."""

    shape: PieceShape
    both_sides: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in cells."""
        cells = self.shape.cells
        return max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1


def sheets(game: Game, theme_name: str = "print") -> list[Picture]:
    """Return the pages of a game: board, pieces and, if they may be flipped, their backs."""
    colours = theme(theme_name)
    cell = cell_size(game)
    pages = [_page(list(_board(game, cell, colours)), colours, f"{game}: the board")]
    for stage in game.stages:
        for number, page in enumerate(_pack(list(cutouts(stage)), cell), 1):
            heading = f"{game}: pieces for {stage.name}, page {number}"
            pages.append(_page(list(_cut(page, cell, colours, heading)), colours, heading))
            if any(piece.both_sides for _, _, piece in page):
                back = [(PAGE_MM[0] - x - piece.size[0] * cell, y, _flip(piece)) for x, y, piece in page]
                heading += ", back: print it on the other side, flipped along the long edge"
                pages.append(_page(list(_cut(back, cell, colours, heading)), colours, heading))
    return pages


def cell_size(game: Game) -> float:
    """Return the side of a cell in millimetres: the largest integer that fits the page."""
    board = game.stages[0].board
    room = PAGE_MM[0] - 2 * MARGIN_MM
    sizes = geometry()
    around = 2 * sizes.margin / sizes.cell  # the coordinates, in cells
    return float(min(MAX_CELL_MM, room // (max(board.width, board.height) + around)))


def cutouts(stage: Stage) -> Iterator[Cutout]:
    """Yield every piece of a stage's supply."""
    for piece in stage.pieces:
        form = _piece_shape(stage, piece)
        flips = piece.can_flip and len(piece.squares) > 2
        for _ in range(stage.stocks[piece.stock].count):
            yield Cutout(form, flips)


def _piece_shape(stage: Stage, piece: Piece) -> PieceShape:
    """Return the shape of a piece in its widest orientation, which packs best."""
    shape = max(piece.orientations, key=lambda squares: (max(x for (x, _), _ in squares), squares))
    tall = max(y for (_, y), _ in shape)
    by_colour: dict[str, list[tuple[int, int]]] = {"l": [], "d": [], ".": []}
    for (x, y), colour in shape:
        by_colour[colour].append((x, tall - y))
    light, dark, plain = (tuple(by_colour[colour]) for colour in "ld.")
    return PieceShape(piece.kind, stage.kinds.index(piece.kind), light, dark, plain)


def _flip(piece: Cutout) -> Cutout:
    wide = piece.size[0] - 1
    form = piece.shape
    light, dark, plain = (
        tuple((wide - x, y) for x, y in part) for part in (form.light, form.dark, form.plain)
    )
    return Cutout(PieceShape(form.kind, form.kind_index, light, dark, plain), piece.both_sides)


PlacedCutout = tuple[float, float, Cutout]


def _pack(pieces: list[Cutout], cell: float) -> Iterator[list[PlacedCutout]]:
    """Yield pages of pieces in rows, sorted by height."""
    page: list[PlacedCutout] = []
    top = MARGIN_MM + HEADING_MM
    x, y, row = MARGIN_MM, top, 0.0
    for piece in sorted(pieces, key=lambda piece: piece.size[1]):
        wide, high = (length * cell for length in piece.size)
        if x + wide > PAGE_MM[0] - MARGIN_MM:
            x, y, row = MARGIN_MM, y + row + SPACE_MM, 0.0
        if y + high > PAGE_MM[1] - MARGIN_MM - FOOTING_MM:
            yield page
            page, x, y, row = [], MARGIN_MM, top, 0.0
        page.append((x, y, piece))
        x += wide + SPACE_MM
        row = max(row, high)
    if page:
        yield page


def _cut(places: list[PlacedCutout], cell: float, colours: Theme, text: str) -> Iterator[Shape]:
    yield _heading(text, colours)
    scale = cell / geometry().cell
    for x, y, piece in places:
        yield Group(tuple(piece_shapes(piece.shape, colours)), move=(x, y), scale=scale, name="piece")
    yield from _footing(colours, "Cut the pieces out along their outlines.")


def _board(game: Game, cell: float, colours: Theme) -> Iterator[Shape]:
    name, _, options = str(game).partition(":")
    title = GAMES[name].title if name in GAMES else name
    yield _heading(f"{title}, {options}" if options else title, colours)
    scene = describe(game.start())
    layout = BoardLayout(scene.board, coordinates=True, caption=False)
    scale = cell / geometry().cell
    shapes = (*board_shapes(scene, layout, colours), *coordinate_shapes(layout, colours))
    left = (PAGE_MM[0] - layout.width * scale) / 2
    yield Group(shapes, move=(left, MARGIN_MM + HEADING_MM), scale=scale, name="board")
    y = MARGIN_MM + HEADING_MM + layout.height * scale + 10
    for text in _about(game):
        yield Text((MARGIN_MM + 6, y), text, 4.2, colours["ink"], "start")
        y += 6.2
    yield from _footing(colours, f"A cell is {cell:g} mm wide. Print at 100 %, without fitting to the page.")


def _about(game: Game) -> Iterator[str]:
    """Yield lines about the game and its pieces."""
    family = GAMES.get(str(game).partition(":")[0])
    if family:
        yield family.summary
        yield f"By {family.designer}. Rules: {family.rulebook}"
    for stage in game.stages:
        counts: dict[str, int] = {}
        for slot in stage.stocks:
            counts[slot.kind] = counts.get(slot.kind, 0) + slot.count
        needed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        yield f"{stage.name}: {game.colour_names.of(stage.first_colour)} starts; {needed}."


def _heading(text: str, colours: Theme) -> Text:
    size = min(6.0, (PAGE_MM[0] - 2 * MARGIN_MM) / (0.5 * max(len(text), 1)))
    return Text((MARGIN_MM, MARGIN_MM + 6), text, size, colours["ink"], "start", bold=True)


def _footing(colours: Theme, text: str) -> Iterator[Shape]:
    """Draw a line of known length, to check a print with a ruler."""
    y = PAGE_MM[1] - MARGIN_MM
    ends = [line((x, y - 1.5), (x, y + 1.5)) for x in (MARGIN_MM, MARGIN_MM + RULER_MM)]
    path = (*line((MARGIN_MM, y), (MARGIN_MM + RULER_MM, y)), *ends[0], *ends[1])
    yield Path(path, None, colours["text"], 0.25)
    yield Text((MARGIN_MM + RULER_MM + 3, y + 1.2), f"{RULER_MM:g} mm. {text}", 3.4, colours["text"], "start")


def _page(shapes: list[Shape], colours: Theme, alt_text: str) -> Picture:
    return Picture(*PAGE_MM, tuple(shapes), colours, alt_text, "mm")
