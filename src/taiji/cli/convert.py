"""`taiji convert`: convert games from one format to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._files import STDIN, source_name
from taiji.cli._options import RECORD_GAME_FILES, AliasedOption
from taiji.cli._output import to_json
from taiji.cli.errors import EXIT_BAD_INPUT, BadInput

if TYPE_CHECKING:
    from taiji.notation import NotationError
    from taiji.notation.interchange import ConversionStats, Format

STDOUT = "-"
NAMES = "tji, jsonl, abstractplay, ludii, sgf, csv, parquet"


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--from", "source_format", metavar="FORMAT", help=f"Format of IN: {NAMES}.  [default: by its suffix]"
)
@click.option("--to", "target_format", metavar="FORMAT", help="Format of OUT.  [default: by its suffix]")
@click.option(
    "--rows",
    cls=AliasedOption,
    aliases=("--table",),
    type=click.Choice(["positions", "games"]),
    default="positions",
    show_default=True,
    help="The rows of csv and parquet: one per ply, or one per game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the statistics as JSON.")
@RECORD_GAME_FILES
def command(
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    rows: str,
    as_json: bool,
) -> None:
    r"""Convert the games in IN to OUT, and check each against the rules.

    Suffixes: .tji, .jsonl (native records), .json (AbstractPlay), .trl and .txt (Ludii trials), .sgf (output
    only), .csv and .parquet (rows, output only). `-` is standard input or output and needs --from or --to. If
    IN is a folder, all its files are read. If OUT is a folder (it exists, or its name ends in /), each game
    becomes one file.

    A game that cannot be read, or has an unknown variant, an illegal move or a wrong result, is reported on
    stderr with its file, number and ply. The others are converted, and the exit status is 2.

    \b
    Examples:
      taiji convert abstractplay.json games.tji
      taiji convert games.tji trials/ --to ludii
      taiji convert games.tji games.parquet --rows games
      taiji convert - - --from tji --to csv < games.tji > plies.csv
    """
    from taiji.cli._converting import ConversionJob

    job = ConversionJob(
        _source_format(source, source_format), _target_format(target, target_format), rows, _report_error
    )
    stats = job.run(source, target)
    if as_json:
        click.echo(to_json(_to_json(stats)), err=target == STDOUT)
    else:
        _print_summary(stats, target)
    if not stats.read:
        raise BadInput(f"{source_name(source)}: no games found")
    if stats.rejected:
        sys.exit(EXIT_BAD_INPUT)


def _source_format(source: str, name: str | None) -> Format | None:
    """Return the named format, or None if the suffixes of the files decide."""
    from taiji.notation.interchange import get_format

    if name is None and source == STDIN:
        raise click.UsageError("standard input has no suffix: give its format with --from")
    form = get_format(name) if name is not None else None
    if form is not None and form.read is None:
        raise click.UsageError(f"the {form.name} format cannot be read, only written")
    return form


def _target_format(target: str, name: str | None) -> Format:
    from taiji.notation.interchange import format_for_file, get_format

    if name is not None:
        return get_format(name)
    if target == STDOUT or target.endswith("/") or Path(target).is_dir():
        raise click.UsageError(f"{target}: no suffix: give the format with --to")
    return format_for_file(target)


def _report_error(file: str, game_no: int, error: NotationError) -> None:
    """Report a game that was not converted."""
    from taiji.notation.interchange import error_location

    location = ", ".join(filter(None, (f"game {game_no}", error_location(error))))
    click.echo(f"taiji convert: {file}: {location}: {error.message}", err=True)


def _print_summary(stats: ConversionStats, target: str) -> None:
    """Print how many games were read, written and rejected, and what was left out."""

    def say(text: str) -> None:
        click.echo(text, err=True)

    where = "standard output" if target == STDOUT else target
    say(
        f"{_games(stats.read)} read, {stats.written:,} written to {where}, {stats.rejected.total():,} refused"
    )
    for reason, count in stats.rejected.most_common():
        say(f"  refused: {count:,} × {reason}")
    for note, count in stats.notes.most_common():
        say(f"  note: {_games(count)}: {note}")


def _games(count: int) -> str:
    return f"{count:,} game{'' if count == 1 else 's'}"


def _to_json(stats: ConversionStats) -> dict[str, object]:
    return {
        "read": stats.read,
        "written": stats.written,
        "refused": dict(stats.rejected),
        "notes": dict(stats.notes),
    }
