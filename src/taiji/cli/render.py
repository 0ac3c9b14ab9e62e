"""`taiji render`: pictures of positions and records, and sheets to print."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._files import GAME_FILES, source_name
from taiji.cli._games import load_declaration
from taiji.cli._positions import find_position, is_record, nth_record
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.notation import Record
    from taiji.rules import Move, State

FORMATS = ("svg", "png", "gif", "pdf", "txt")
THEMES = ("paper", "night", "patterns", "print")
_PLIES = re.compile(r"(\d+)(?:-(\d*))?")


@dataclass(frozen=True)
class RenderOptions:
    """How the picture is to look."""

    theme: str
    coordinates: bool
    size: int | None
    groups: bool | None
    last: bool
    delay: int | None

    @property
    def style(self) -> dict[str, Any]:
        """The options that all formats take."""
        return {"theme": self.theme, "coordinates": self.coordinates}


@click.command("render")
@click.argument("what", nargs=-1, required=True, metavar="FILE|POSITION|GAME")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Where to write: .svg, .png, .gif, .pdf or .txt; - is stdout.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="The format, where the name of the file does not tell.",
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default=None,
    help="The colours.  [default: paper; print for sheets]",
)
@click.option("--size", type=click.IntRange(16, 8192), metavar="PIXELS", help="The width of the picture.")
@click.option(
    "--coordinates/--no-coordinates", default=True, help="Letters and numbers at the edge.  [default: yes]"
)
@click.option(
    "--ply",
    "plies",
    metavar="N|A-B",
    help="The position after N moves, or all from A to B.  [default: the last]",
)
@click.option(
    "--number", default=1, type=click.IntRange(1), help="Which game of a file.  [default: the first]"
)
@click.option("--groups/--no-groups", default=None, help="Outline the groups that count.  [default: no]")
@click.option("--last/--no-last", default=True, help="Mark the last move.  [default: yes]")
@click.option("--caption", default="", metavar="TEXT", help="A line below the board.")
@click.option("--arrow", "arrows", multiple=True, metavar="e4-g6", help="Draw an arrow; may be repeated.")
@click.option("--note", "notes", multiple=True, metavar="e4=TEXT", help="Write on a cell; may be repeated.")
@click.option(
    "--delay",
    type=click.IntRange(20, 60000),
    metavar="MS",
    help="How long a GIF or a moving SVG shows each ply.",
)
@click.option("--animate", is_flag=True, help="Write a record as an SVG that plays by itself.")
@click.option("--sheet", is_flag=True, help="The board and the pieces of a game, to print on A4 and cut out.")
@GAME_FILES
def command(
    what: tuple[str, ...],
    output: str,
    form: str | None,
    theme: str | None,
    size: int | None,
    coordinates: bool,
    plies: str | None,
    number: int,
    groups: bool | None,
    last: bool,
    caption: str,
    arrows: tuple[str, ...],
    notes: tuple[str, ...],
    delay: int | None,
    animate: bool,
    sheet: bool,
    declared: tuple[Path, ...],
) -> None:
    r"""Draw a position, a game's board or a record.

    A record becomes a picture of its last position, or of the one after --ply moves; as .gif, or with
    --animate as .svg, a film of all of it; with --ply A-B as .pdf, pages of diagrams.

    \b
    Examples:
      taiji render game.tji -o end.png --groups --size 800
      taiji render game.tji -o game.gif --ply 10-30
      taiji render tji1 taiji:size=5 b2/b3,c2/c3 light - -o position.svg --arrow b2-c4
      taiji render tailits --sheet -o tailits.pdf
    """
    for path in declared:
        load_declaration(path)
    form = form or _format_from_name(output)
    text = " ".join(what)
    if sheet:
        _write_sheet(text, output, form, theme or "print")
        return
    wishes = RenderOptions(theme or "paper", coordinates, size, groups, last, delay)
    first, end, ranged = _parse_plies(plies)
    if form == "gif" or animate or (ranged and form in ("pdf", "svg", "txt")):
        data = _render_record(text, number, form, (first, end) if ranged else (0, first), wishes)
    else:
        if ranged:
            raise BadInput(f"--ply {plies}: a range makes a .gif, .svg, .pdf or .txt, not a .{form}")
        state, move = find_position(text, number, first)
        shown = {"caption": caption, "arrows": _arrows(state, arrows), "notes": _notes(state, notes)}
        data = _render_position(state, move if last else None, form, wishes, shown)
    _write(output, data)


def _format_from_name(output: str) -> str:
    form = Path(output).suffix.removeprefix(".").lower()
    if form in FORMATS:
        return form
    known = ", ".join(f".{name}" for name in FORMATS)
    if output == "-":
        raise BadInput(f"-o -: say which format with --format: {', '.join(FORMATS)}")
    raise BadInput(f"{output}: unknown format {form!r}; the formats are {known}")


def _parse_plies(text: str | None) -> tuple[int | None, int | None, bool]:
    """Read `12`, `10-30` or `10-`; tell whether it is a range."""
    if text is None:
        return None, None, False
    found = _PLIES.fullmatch(text)
    if not found or len(text) > 12:
        raise BadInput(f"--ply {text[:20]}: give a number of moves, such as 12, or a range, such as 10-30")
    return int(found[1]), int(found[2]) if found[2] else None, found[2] is not None


def _render_position(
    state: State, move: Move | None, form: str, wishes: RenderOptions, shown: dict[str, Any]
) -> bytes:
    from taiji import render

    if form == "txt":
        from taiji.render.text import draw

        return (draw(state, last=move, scoring_groups=bool(wishes.groups)) + "\n").encode()
    options = {**wishes.style, "width": wishes.size, "last": move, "groups": bool(wishes.groups), **shown}
    if form == "svg":
        return render.svg(state, **options).encode()
    return render.png(state, **options) if form == "png" else render.pdf(state, **options)


def _render_record(
    text: str, number: int, form: str, plies: tuple[int | None, int | None], wishes: RenderOptions
) -> bytes:
    from taiji import render

    record = _record(text, number)
    span = (plies[0] or 0, plies[1])
    options = {**wishes.style, "plies": span, "groups": bool(wishes.groups)}
    if form == "gif":
        return render.gif(record, width=wishes.size, delay=wishes.delay, **options)
    if form == "pdf":
        return render.record_pdf(record, **options)
    if form == "txt":
        return _frames_as_text(record, span).encode()
    if form == "svg":
        return render.animated_svg(record, width=wishes.size, delay=wishes.delay, **options).encode()
    raise BadInput(f"--animate makes an .svg or a .gif, not a .{form}")


def _frames_as_text(record: Record, plies: tuple[int, int | None]) -> str:
    from taiji.render.frames import frames
    from taiji.render.text import draw

    return "\n".join(f"{draw(frame.state, last=frame.move)}\n" for frame in frames(record, *plies))


def _record(text: str, number: int) -> Record:
    from taiji.notation import NotationError

    if not is_record(text):
        raise BadInput(f"{text[:40]}: only a file of records can be shown ply by ply")
    try:
        record = nth_record(text, number)
        record.replay()
    except NotationError as error:
        raise BadInput(f"{source_name(text)}: {error}") from error
    return record


def _write_sheet(text: str, output: str, form: str, theme: str) -> None:
    """Write the pages of a game: one PDF, or an SVG a page."""
    from taiji import render
    from taiji.cli._games import load_game
    from taiji.render.sheet import sheets
    from taiji.render.svg_writer import write

    game = load_game(text)
    if form == "pdf":
        _write(output, render.sheet_pdf(game, theme=theme))
        return
    if form != "svg" or output == "-":
        raise BadInput(f"--sheet makes a .pdf, or an .svg a page, not {output}")
    pages = sheets(game, theme)
    path = Path(output)
    for number, page in enumerate(pages, 1):
        name = f"{path.stem}-{number}{path.suffix}" if len(pages) > 1 else path.name
        _write(str(path.with_name(name)), write(page).encode())


def _arrows(state: State, texts: tuple[str, ...]) -> list[Any]:
    from taiji.render import Arrow

    found = []
    for text in texts:
        cells = re.split(r"[-,>]+", text)
        if len(cells) != 2:
            raise BadInput(f"--arrow {text[:20]}: give two cells, such as e4-g6")
        found.append(Arrow(state.board.cell(cells[0]), state.board.cell(cells[1])))
    return found


def _notes(state: State, texts: tuple[str, ...]) -> list[Any]:
    from taiji.render import Note

    found = []
    for text in texts:
        cell, equals, words = text.partition("=")
        if not equals or not words:
            raise BadInput(f"--note {text[:20]}: give a cell and a text, such as e4=A")
        found.append(Note(state.board.cell(cell), words[:24]))
    return found


def _write(output: str, data: bytes) -> None:
    if output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    Path(output).write_bytes(data)
