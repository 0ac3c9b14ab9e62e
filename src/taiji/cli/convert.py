"""`taiji convert`: games from one format into another."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._files import GAME_FILES, STDIN, source_name
from taiji.cli._games import load_declaration
from taiji.cli.errors import EXIT_BAD_INPUT, BadInput

if TYPE_CHECKING:
    from taiji.notation import NotationError
    from taiji.notation.interchange import ConversionStats, Format

STDOUT = "-"
NAMES = "tji, jsonl, abstractplay, ludii, sgf, csv, parquet"


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "given", metavar="FORMAT", help=f"What IN is: {NAMES}.  [default: by its ending]")
@click.option("--to", "wanted", metavar="FORMAT", help="What OUT shall be.  [default: by its ending]")
@click.option(
    "--table",
    type=click.Choice(["positions", "games"]),
    default="positions",
    show_default=True,
    help="The rows of csv and parquet: one a ply, or one a game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the tally as JSON.")
@GAME_FILES
def command(
    source: str,
    target: str,
    given: str | None,
    wanted: str | None,
    table: str,
    as_json: bool,
    declared: tuple[Path, ...],
) -> None:
    r"""Convert the games in IN, checking each by the rules, into OUT.

    Endings: .tji, .jsonl (our records), .json (AbstractPlay), .trl and .txt (Ludii trials), .sgf (written
    only), .csv and .parquet (tables, written only). `-` stands for standard input or output and needs its
    format named. IN may be a folder, which is looked through; OUT may be a folder (an existing one, or a name
    that ends in /) and then gets one file a game, named after --to.

    A game that cannot be read, has an unknown variant, an illegal move or a wrong result is told on stderr
    with its file, number and ply; the others are converted. The exit status is then 2.

    \b
    Examples:
      taiji convert abstractplay.json games.tji
      taiji convert games.tji trials/ --to ludii
      taiji convert games.tji games.parquet --table games
      taiji convert - - --from tji --to csv < games.tji > plies.csv
    """
    for path in declared:
        load_declaration(path)
    from taiji.cli._converting import ConversionJob

    job = ConversionJob(_source_format(source, given), _target_format(target, wanted), table, _report_error)
    tally = job.run(source, target)
    if as_json:
        click.echo(json.dumps(_to_json(tally)), err=target == STDOUT)
    else:
        _print_summary(tally, target)
    if not tally.read:
        raise BadInput(f"{source_name(source)}: there is no game in it")
    if tally.rejected:
        sys.exit(EXIT_BAD_INPUT)


def _source_format(source: str, given: str | None) -> Format | None:
    """Return the format that was named; in a folder, or without a name, the endings decide."""
    from taiji.notation.interchange import get_format

    if given is None and source == STDIN:
        raise click.UsageError("standard input has no ending: name its format with --from")
    form = get_format(given) if given is not None else None
    if form is not None and form.read is None:
        raise click.UsageError(f"{form.name} is written only")
    return form


def _target_format(target: str, wanted: str | None) -> Format:
    from taiji.notation.interchange import format_for_file, get_format

    if wanted is not None:
        return get_format(wanted)
    if target == STDOUT or target.endswith("/") or Path(target).is_dir():
        raise click.UsageError(f"{target} has no ending: name the format with --to")
    return format_for_file(target)


def _report_error(file: str, number: int, error: NotationError) -> None:
    """Tell of a game that is refused."""
    from taiji.notation.interchange import error_location

    place = ", ".join(filter(None, (f"game {number}", error_location(error))))
    click.echo(f"taiji convert: {file}: {place}: {error.message}", err=True)


def _print_summary(tally: ConversionStats, target: str) -> None:
    """Say how many games there were, what was refused and what was left out."""

    def say(text: str) -> None:
        click.echo(text, err=True)

    where = "standard output" if target == STDOUT else target
    say(
        f"{_games(tally.read)} read, {tally.written:,} written to {where}, {tally.rejected.total():,} refused"
    )
    for reason, count in tally.rejected.most_common():
        say(f"  refused: {count:,} × {reason}")
    for note, count in tally.notes.most_common():
        say(f"  note: {_games(count)}: {note}")


def _games(count: int) -> str:
    return f"{count:,} game{'' if count == 1 else 's'}"


def _to_json(tally: ConversionStats) -> dict[str, object]:
    return {
        "read": tally.read,
        "written": tally.written,
        "refused": dict(tally.rejected),
        "notes": dict(tally.notes),
    }
