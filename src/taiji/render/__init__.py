"""Pictures of positions, games and records: text, SVG, PNG, GIF, animated SVG, PDF and sheets to print.

Each function takes a `State`, or a `Game` for its start position, and draws its description in any theme.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.render.description import Arrow, Ghost, Note, Scene, ScoringGroup, Tile, describe
from taiji.render.notebook import attach_display_methods as _attach
from taiji.render.picture import Picture, Style, compose
from taiji.render.theme import THEMES

if TYPE_CHECKING:
    from taiji.notation import Record
    from taiji.rules import Game, State

__all__ = [
    "THEMES",
    "Arrow",
    "Ghost",
    "Note",
    "Picture",
    "Scene",
    "ScoringGroup",
    "Style",
    "Tile",
    "animated_svg",
    "compose",
    "describe",
    "gif",
    "pdf",
    "picture",
    "png",
    "record_pdf",
    "sheet_pdf",
    "svg",
]


def picture(
    what: State | Game | Scene, *, theme: str = "paper", coordinates: bool = True, **shown: Any
) -> Picture:
    """Draw a position; `shown` holds options of `describe`: last, groups, ghosts, arrows, notes, caption."""
    scene = what if isinstance(what, Scene) else describe(_state(what), **shown)
    return compose(scene, Style(theme, coordinates))


def svg(
    what: State | Game | Scene,
    *,
    theme: str = "paper",
    coordinates: bool = True,
    width: float | None = None,
    **shown: Any,
) -> str:
    """Return a position as an SVG document, such as `svg(state, last=move, groups=True)`."""
    from taiji.render.svg_writer import write

    return write(picture(what, theme=theme, coordinates=coordinates, **shown), width)


def png(
    what: State | Game | Scene,
    *,
    theme: str = "paper",
    coordinates: bool = True,
    width: int | None = None,
    **shown: Any,
) -> bytes:
    """Return a position as a PNG file, `width` pixels wide."""
    from taiji.render.raster import png_bytes

    return png_bytes(picture(what, theme=theme, coordinates=coordinates, **shown), width)


def pdf(
    what: State | Game | Scene,
    *,
    theme: str = "paper",
    coordinates: bool = True,
    width: float | None = None,
    **shown: Any,
) -> bytes:
    """Return a position as a PDF document of one page."""
    from taiji.render.pdf_writer import pdf_bytes

    drawn = picture(what, theme=theme, coordinates=coordinates, **shown)
    return pdf_bytes([drawn], drawn.alt_text, width)


def record_pdf(
    record: Record,
    *,
    theme: str = "paper",
    coordinates: bool = True,
    plies: tuple[int, int | None] = (0, None),
    groups: bool = False,
) -> bytes:
    """Return a record as a PDF document with six diagrams per page."""
    from taiji.render.diagrams import diagram_pages, title
    from taiji.render.frames import frames
    from taiji.render.pdf_writer import pdf_bytes

    style = Style(theme, coordinates)
    return pdf_bytes(diagram_pages(record, frames(record, *plies), style, groups=groups), title(record))


def sheet_pdf(game: Game, *, theme: str = "print") -> bytes:
    """Return the board and the pieces of a game to print on A4 and cut out."""
    from taiji.render.pdf_writer import pdf_bytes
    from taiji.render.sheet import sheets

    return pdf_bytes(sheets(game, theme), f"{game}: a board and pieces to cut out")


def gif(
    record: Record,
    *,
    theme: str = "paper",
    coordinates: bool = True,
    width: int | None = None,
    plies: tuple[int, int | None] = (0, None),
    delay: int | None = None,
    groups: bool = False,
) -> bytes:
    """Return a record as an animated GIF: `width` in pixels, one frame per ply of `delay` milliseconds."""
    from taiji.render import gif_writer as gif_film
    from taiji.render.frames import frames

    return gif_film.gif_bytes(
        frames(record, *plies),
        Style(theme, coordinates),
        width=width or gif_film.WIDTH_PX,
        delay=delay or gif_film.DELAY_MS,
        groups=groups,
    )


def animated_svg(
    record: Record,
    *,
    theme: str = "paper",
    coordinates: bool = True,
    width: float | None = None,
    plies: tuple[int, int | None] = (0, None),
    delay: int | None = None,
    groups: bool = False,
) -> str:
    """Return a record as an animated SVG document."""
    from taiji.render import svg_animation as svg_film
    from taiji.render.frames import frames

    return svg_film.animated_svg(
        frames(record, *plies),
        Style(theme, coordinates),
        width=width,
        delay=delay or svg_film.DELAY_MS,
        groups=groups,
    )


def _state(what: State | Game) -> State:
    from taiji.rules import Game

    return what.start() if isinstance(what, Game) else what


_attach()
