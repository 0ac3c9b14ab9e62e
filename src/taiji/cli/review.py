"""`taiji review`: evaluate every move of a game."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._engine import engine_limit, engine_options, limit_words, open_engine
from taiji.cli._files import source_name
from taiji.cli._options import GAME_NUMBER, RECORD_GAME_FILES
from taiji.cli._output import say_written, to_json
from taiji.cli._positions import nth_record
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from taiji.analysis import Review
    from taiji.notation import Record, Replay


@click.command("review")
@click.argument("file", metavar="FILE")
@engine_options
@GAME_NUMBER
@click.option("--json", "as_json", is_flag=True, help="Print the review as one JSON object.")
@click.option("--html", "as_html", is_flag=True, help="Print a page for the browser, with boards.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file, not to stdout."
)
@RECORD_GAME_FILES
def command(
    file: str,
    player: str,
    seconds: float | None,
    playouts: int | None,
    seed: int,
    threads: int | None,
    game_no: int,
    as_json: bool,
    as_html: bool,
    output: Path | None,
) -> None:
    r"""Review a game of FILE: for each move the better one, what was lost, and its mark.

    FILE is a record of any format that `taiji convert` reads, or - for stdin. The lines at the end say why
    a marked move was worse. Losses are in win probability
    and in points of the expected margin; an inaccuracy loses 5 % or more, a mistake 10 %, a blunder 20 %.

    \b
    Examples:
      taiji review game.tji
      taiji review games.tji --game-number 3 --html -o review.html
    """
    if as_json and as_html:
        raise click.UsageError("--json and --html exclude each other")
    from taiji.analysis import DEFAULT_SECONDS, review_game
    from taiji.analysis.review_text import review_to_json
    from taiji.notation import NotationError

    try:
        record = nth_record(file, game_no)
        replay = record.replay()
    except NotationError as error:
        raise BadInput(f"{source_name(file)}: {error}") from error
    has_limit = seconds is not None or playouts is not None
    limit = engine_limit(seconds, playouts, DEFAULT_SECONDS)
    engine = open_engine(player, seed, threads)
    with _open_output(output) as write:
        lines = _Lines(replay, write) if not (as_json or as_html) else None
        if lines is not None:
            by = f"Reviewed by {engine.name}, {limit_words(limit)}; losses in win probability and in points."
            lines.begin(record_heading(record, replay), by)
        try:
            with _progress(len(replay.states)) as show:

                def on_progress(review: Review) -> None:
                    if lines is not None:
                        lines.add(review)
                    show(review)

                review = review_game(
                    replay.states[0],
                    replay.moves,
                    engine,
                    limit if has_limit else None,
                    on_progress=on_progress,
                )
        finally:
            engine.close()
        if lines is not None:
            lines.end(review)
        elif as_json:
            write(to_json(review_to_json(replay.states, review)))
        else:
            from taiji.render.review_page import review_page

            write(review_page(record, replay, review))
    if output is not None:
        say_written([output])


class _Lines:
    """Writes the lines of a review as soon as they are known."""

    def __init__(self, replay: Replay, write: Callable[[str], None]) -> None:
        self._replay = replay
        self._write = write
        self._count = 0
        from taiji.analysis import review_text

        self._text = review_text

    def begin(self, *heading: str) -> None:
        """Write some lines and the header of the table."""
        for line in (*heading, "", self._text.HEADER):
            self._write(line)

    def add(self, review: Review) -> None:
        """Write the moves that are evaluated and not yet written."""
        for ply in review.moves[self._count :]:
            self._write(self._text.move_line(self._replay.states[self._count], ply))
            self._count += 1

    def end(self, review: Review) -> None:
        """Write the rest and the summary."""
        self.add(review)
        self._write("")
        for line in self._text.summary_lines(self._replay.states, review):
            self._write(line)
        reasons = self._text.reason_lines(self._replay.states, review)
        for line in ("", *reasons) if reasons else ():
            self._write(line)


def record_heading(record: Record, replay: Replay) -> str:
    """Return a line with the game, the players, the length and the result of a record."""
    names = " v ".join(record.tag(tag) or "?" for tag in ("Light", "Dark"))
    plies = len(replay.moves)
    result = str(replay.last).rsplit("\n", 1)[-1]
    return f"{record.game}: {names}, {plies} {'ply' if plies == 1 else 'plies'}; {result}"


@contextmanager
def _open_output(path: Path | None) -> Iterator[Callable[[str], None]]:
    """Yield a function that writes a line to the file, or to stdout."""
    if path is None:
        yield click.echo
        return
    with path.open("w", encoding="utf-8") as stream:
        yield lambda line: click.echo(line, file=stream)


@contextmanager
def _progress(positions: int) -> Iterator[Callable[[Review], None]]:
    """Show a bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reviewing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Lines on a terminal go above the bar; a pipe or a file must get them itself.
    both = sys.stdout.isatty()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=both) as progress:
        task = progress.add_task("", total=positions)
        yield lambda review: progress.update(task, completed=len(review.plies))
