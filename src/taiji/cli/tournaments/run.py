"""`taiji tournament run`: play a tournament of engines."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._options import MAX_SEED, MAX_WORKERS
from taiji.cli._output import say_written, to_json

if TYPE_CHECKING:
    from taiji.arena import GameResult, WorkerPool
    from taiji.arena.tournaments.engines import EngineTournament

MAX_SPEC_BYTES = 1_000_000


@click.command(
    "run", epilog="Example: taiji tournament run levels.toml --workers 2   The file: docs/tournaments.md."
)
@click.argument("spec", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Output folder.  [default: SPEC without its suffix]",
)
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, MAX_WORKERS), help="Games at once."
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    help="Seed of openings and players; overrides SPEC.",
)
@click.option("--ray", "address", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here.")
@click.option("--plot", is_flag=True, help="Plot the ratings to ratings.png.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    spec: Path,
    output: Path | None,
    workers: int,
    seed: int | None,
    address: str | None,
    plot: bool,
    as_json: bool,
) -> None:
    """Play the tournament of engines that SPEC declares; the same command resumes an interrupted one.

    The output folder holds games.tji (every game), table.txt, table.html and tournament.tour.
    """
    from taiji.arena.ray_pool import open_pool
    from taiji.arena.tournaments.engines import EngineTournament
    from taiji.arena.tournaments.spec import parse_spec
    from taiji.cli.errors import BadInput, describe
    from taiji.players import make_player

    if spec.stat().st_size > MAX_SPEC_BYTES:
        raise BadInput(f"{spec}: too large (expected at most {MAX_SPEC_BYTES:,} bytes)")
    try:
        declared = parse_spec(spec.read_text(encoding="utf-8-sig"), spec.stem, spec.parent)
    except ValueError as error:
        raise BadInput(f"{spec}: {describe(error)}") from error
    if seed is not None:
        declared = replace(declared, seed=seed)
    for text in {engine.player for engine in declared.engines}:
        make_player(text).close()
    running = EngineTournament(declared, output or spec.with_suffix(""))
    pool = open_pool(workers, address)
    try:
        _play(running, pool)
        _write(running, plot)
        if as_json:
            click.echo(to_json(_to_json(running)))
        else:
            _show(running)
    finally:
        pool.close()
        running.close()


def _play(running: EngineTournament, pool: WorkerPool) -> None:
    if not sys.stderr.isatty():
        running.play(pool)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=running.total_games(), completed=len(running.journal.results))

        def show(result: GameResult) -> None:
            leader = running.ratings()[0].player
            status = f"round {len(running.tournament.rounds)}, {leader} leads"
            progress.update(
                task,
                total=running.total_games(),
                completed=len(running.journal.results),
                description=status,
            )

        running.play(pool, show)


def _show(running: EngineTournament) -> None:
    from taiji.arena.tournaments.tables import as_text, cross_table, standings_table
    from taiji.notation.wording import counted

    click.echo(as_text(standings_table(running.tournament)))
    click.echo()
    click.echo(as_text(cross_table(running.tournament)))
    click.echo()
    for rating in running.ratings():
        click.echo(
            f"{rating.player}: {rating.elo:+.0f} ± {rating.error_95:.0f} Elo, {counted(rating.games, 'game')}"
        )
    for lost in [result for result in running.journal.results.values() if result.reason][:10]:
        click.echo(f"game {lost.key}: {lost.reason}")


def _to_json(running: EngineTournament) -> dict[str, Any]:
    from taiji.arena.tournaments.data import to_dict

    return {
        **to_dict(running.tournament),
        "games_played": len(running.journal.results),
        "ratings": [
            {"player": r.player, "elo": round(r.elo, 1), "error_95": round(r.error_95, 1), "games": r.games}
            for r in running.ratings()
        ],
    }


def _write(running: EngineTournament, plot: bool) -> None:
    from taiji.arena.tournaments.html import as_html
    from taiji.arena.tournaments.tables import as_text, cross_table, standings_table
    from taiji.notation import format_record

    tournament = running.tournament
    tables = "\n\n".join(as_text(table) for table in (standings_table(tournament), cross_table(tournament)))
    _replace(running.folder / "games.tji", "".join(format_record(r) + "\n" for r in running.records()))
    _replace(running.folder / "table.txt", tables + "\n")
    _replace(running.folder / "table.html", as_html(tournament))
    say_written(running.folder / name for name in ("games.tji", "table.txt", "table.html"))
    if plot:
        from taiji.arena.tournaments.plot import plot_ratings

        plot_ratings(running.ratings(), running.folder / "ratings.png", tournament.settings.name)
        say_written([running.folder / "ratings.png"])


def _replace(path: Path, text: str) -> None:
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
