"""`taiji render`: draw positions and records as pictures, and print-and-play sheets."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._completions import complete_game
from taiji.cli._files import source_name
from taiji.cli._options import GAME_FILES, GAME_NUMBER, GAMES, target_text
from taiji.cli._output import say_written
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
    """The appearance of a picture."""

    theme: str
    coordinates: bool
    size: int | None
    groups: bool | None
    last: bool
    delay: int | None

    @property
    def style(self) -> dict[str, Any]:
        """Return the options that all formats take."""
        return {"theme": self.theme, "coordinates": self.coordinates}


@click.command("render")
@click.argument("target", nargs=-1, metavar="FILE|POSITION|GAME", shell_complete=complete_game)
@GAMES
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Output file: .svg, .png, .gif, .pdf or .txt; - is stdout.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Output format, if the file name has no suffix.",
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default=None,
    help="Colour theme.  [default: paper; print for sheets]",
)
@click.option("--size", type=click.IntRange(16, 8192), metavar="PIXELS", help="Width of the picture.")
@click.option(
    "--coordinates/--no-coordinates", default=True, help="Show coordinates at the edge.  [default: yes]"
)
@click.option(
    "--ply",
    "plies",
    metavar="N|A-B",
    help="The position after N moves, or all from A to B.  [default: the last]",
)
@GAME_NUMBER
@click.option("--groups/--no-groups", default=None, help="Outline the scoring groups.  [default: no]")
@click.option("--last/--no-last", default=True, help="Mark the last move.  [default: yes]")
@click.option("--caption", default="", metavar="TEXT", help="A line below the board.")
@click.option("--arrow", "arrows", multiple=True, metavar="e4-g6", help="Draw an arrow; may be repeated.")
@click.option("--note", "notes", multiple=True, metavar="e4=TEXT", help="Write on a cell; may be repeated.")
@click.option(
    "--delay",
    type=click.IntRange(20, 60000),
    metavar="MS",
    help="Time per ply in a GIF or an animated SVG.",
)
@click.option("--animate", is_flag=True, help="Write a record as an animated SVG.")
@click.option(
    "--sheet", is_flag=True, help="Write the board and pieces of a game, to print on A4 and cut out."
)
@GAME_FILES
def command(
    target: tuple[str, ...],
    games: tuple[str, ...],
    output: str,
    form: str | None,
    theme: str | None,
    size: int | None,
    coordinates: bool,
    plies: str | None,
    game_no: int,
    groups: bool | None,
    last: bool,
    caption: str,
    arrows: tuple[str, ...],
    notes: tuple[str, ...],
    delay: int | None,
    animate: bool,
    sheet: bool,
) -> None:
    r"""Draw a position, a game's board or a record.

    A record becomes a picture of its last position, or of the position after --ply moves. As .gif, or with
    --animate as .svg, it becomes an animation; with --ply A-B as .pdf, pages of diagrams.

    \b
    Examples:
      taiji render game.tji -o end.png --groups --size 800
      taiji render game.tji -o game.gif --ply 10-30
      taiji render tji1 taiji:size=5 b2/b3,c2/c3 light - -o position.svg --arrow b2-c4
      taiji render tailits --sheet -o tailits.pdf
    """
    form = form or _format_from_name(output)
    text = target_text(target, games)
    if sheet:
        _write_sheet(text, output, form, theme or "print")
        return
    options = RenderOptions(theme or "paper", coordinates, size, groups, last, delay)
    first, end, ranged = _parse_plies(plies)
    if form == "gif" or animate or (ranged and form in ("pdf", "svg", "txt")):
        data = _render_record(text, game_no, form, (first, end) if ranged else (0, first), options)
    else:
        if ranged:
            raise BadInput(f"--ply {plies}: a range needs .gif, .svg, .pdf or .txt, not .{form}")
        state, move = find_position(text, game_no, first)
        shown = {"caption": caption, "arrows": _arrows(state, arrows), "notes": _notes(state, notes)}
        data = _render_position(state, move if last else None, form, options, shown)
    _write(output, data)


def _format_from_name(output: str) -> str:
    form = Path(output).suffix.removeprefix(".").lower()
    if form in FORMATS:
        return form
    known = ", ".join(f".{name}" for name in FORMATS)
    if output == "-":
        raise BadInput(f"-o -: give the format with --format: {', '.join(FORMATS)}")
    raise BadInput(f"{output}: unknown format {form!r} (expected {known})")


def _parse_plies(text: str | None) -> tuple[int | None, int | None, bool]:
    """Parse `12`, `10-30` or `10-`; return the first ply, the last, and whether it is a range."""
    if text is None:
        return None, None, False
    match = _PLIES.fullmatch(text)
    if not match or len(text) > 12:
        raise BadInput(
            f"--ply {text[:20]}: invalid (expected a number of moves, such as 12, or a range, such as 10-30)"
        )
    return int(match[1]), int(match[2]) if match[2] else None, match[2] is not None


def _render_position(
    state: State, move: Move | None, form: str, options: RenderOptions, shown: dict[str, Any]
) -> bytes:
    from taiji import render

    if form == "txt":
        from taiji.render.text import draw

        return (draw(state, last=move, scoring_groups=bool(options.groups)) + "\n").encode()
    settings = {**options.style, "width": options.size, "last": move, "groups": bool(options.groups), **shown}
    if form == "svg":
        return render.svg(state, **settings).encode()
    return render.png(state, **settings) if form == "png" else render.pdf(state, **settings)


def _render_record(
    text: str, game_no: int, form: str, plies: tuple[int | None, int | None], options: RenderOptions
) -> bytes:
    from taiji import render

    record = _record(text, game_no)
    span = (plies[0] or 0, plies[1])
    settings = {**options.style, "plies": span, "groups": bool(options.groups)}
    if form == "gif":
        return render.gif(record, width=options.size, delay=options.delay, **settings)
    if form == "pdf":
        return render.record_pdf(record, **settings)
    if form == "txt":
        return _frames_as_text(record, span).encode()
    if form == "svg":
        return render.animated_svg(record, width=options.size, delay=options.delay, **settings).encode()
    raise BadInput(f"--animate: needs .svg or .gif, not .{form}")


def _frames_as_text(record: Record, plies: tuple[int, int | None]) -> str:
    from taiji.render.frames import frames
    from taiji.render.text import draw

    return "\n".join(f"{draw(frame.state, last=frame.move)}\n" for frame in frames(record, *plies))


def _record(text: str, game_no: int) -> Record:
    from taiji.notation import NotationError

    if not is_record(text):
        raise BadInput(f"{text[:40]!r}: not a file of records: only those can be animated")
    try:
        record = nth_record(text, game_no)
        record.replay()
    except NotationError as error:
        raise BadInput(f"{source_name(text)}: {error}") from error
    return record


def _write_sheet(text: str, output: str, form: str, theme: str) -> None:
    """Write the print-and-play pages of a game: one PDF, or one SVG per page."""
    from taiji import render
    from taiji.cli._games import load_game
    from taiji.render.sheet import sheets
    from taiji.render.svg_writer import write

    game = load_game(text)
    if form == "pdf":
        _write(output, render.sheet_pdf(game, theme=theme))
        return
    if form != "svg" or output == "-":
        raise BadInput(f"--sheet: needs a .pdf or .svg file, not {output}")
    pages = sheets(game, theme)
    path = Path(output)
    for page_no, page in enumerate(pages, 1):
        name = f"{path.stem}-{page_no}{path.suffix}" if len(pages) > 1 else path.name
        _write(str(path.with_name(name)), write(page).encode())


def _arrows(state: State, texts: tuple[str, ...]) -> list[Any]:
    from taiji.render import Arrow

    arrows = []
    for text in texts:
        cells = re.split(r"[-,>]+", text)
        if len(cells) != 2:
            raise BadInput(f"--arrow {text[:20]}: invalid (expected two cells, such as e4-g6)")
        arrows.append(Arrow(state.board.cell(cells[0]), state.board.cell(cells[1])))
    return arrows


def _notes(state: State, texts: tuple[str, ...]) -> list[Any]:
    from taiji.render import Note

    notes = []
    for text in texts:
        cell, equals, label = text.partition("=")
        if not equals or not label:
            raise BadInput(f"--note {text[:20]}: invalid (expected a cell and a text, such as e4=A)")
        notes.append(Note(state.board.cell(cell), label[:24]))
    return notes


def _write(output: str, data: bytes) -> None:
    if output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    Path(output).write_bytes(data)
    say_written([output])
