"""`taiji arena`: play games between players and estimate their Elo, with error bars."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._completions import complete_game, complete_player
from taiji.cli._games import with_declaration
from taiji.cli._options import GAME_FILES, MAX_WORKERS, AliasedOption, Duration
from taiji.cli._output import say_written, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taiji.arena import Contest, GameResult, Journal, Sprt, Standings, WorkerPool
    from taiji.players import Limit

_LIMIT = re.compile(r"(?P<name>.*)@(?P<value>[0-9.]+)(?P<unit>[sp])")


@click.command(
    epilog="Example: taiji arena mcts greedy --game taiji:size=7 --pairs 20 --seconds 0.1   "
    "A limit for one player: mcts@0.5s, mcts@1000p."
)
@click.argument("players", nargs=-1, required=True, shell_complete=complete_player)
@click.option(
    "--game",
    default="taiji",
    show_default=True,
    shell_complete=complete_game,
    help="The game: a text, an edition, or a .toml file that declares it.",
)
@click.option(
    "--pairs", default=10, show_default=True, type=click.IntRange(1, 1_000_000), help="Pairs of games."
)
@click.option(
    "--seconds", type=Duration(), help="Seconds per move, for all players.  [default: 0.2 unless --playouts]"
)
@click.option("--playouts", type=int, help="Playouts per move, for all players.")
@click.option(
    "--opening-plies",
    cls=AliasedOption,
    aliases=("--openings",),
    default=2,
    show_default=True,
    type=click.IntRange(0, 40),
    help="Random plies before the players start.",
)
@click.option(
    "--random-boards",
    cls=AliasedOption,
    aliases=("--boards",),
    is_flag=True,
    help="Use a different symbol board for each pair (battle-of-lits).",
)
@click.option(
    "--balanced-by",
    metavar="PLAYER",
    default="",
    shell_complete=complete_player,
    help="The player that finds the openings balanced, such as neural:evaluations=1000.  "
    "[default: a search of 20,000 playouts]",
)
@click.option("--seed", default=1, show_default=True, help="Seed for openings and players.")
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, MAX_WORKERS), help="Games at once."
)
@click.option("--ray", "address", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here.")
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when a test of ELO0 against ELO1 is decided.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder for the games; an earlier run there is resumed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@GAME_FILES
def command(
    players: tuple[str, ...],
    game: str,
    pairs: int,
    seconds: float | None,
    playouts: int | None,
    opening_plies: int,
    random_boards: bool,
    balanced_by: str,
    seed: int,
    workers: int,
    address: str | None,
    sprt: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Play pairs of games between PLAYERS: each random opening once with each colour.

    Prints a cross table with Elo and 95 % intervals. With --output the games are kept, and the same command
    resumes an interrupted run.
    """
    from taiji.arena import Contest, Journal
    from taiji.arena.custom_game import read_game
    from taiji.arena.ray_pool import open_pool
    from taiji.players import Limit, make_player

    if seconds is None and playouts is None:
        seconds = 0.2
    named = [_split_limit(text, Limit(seconds, playouts)) for text in players]
    for text in filter(None, [*(text for text, _ in named), balanced_by]):
        make_player(text).close()
    texts, limits = tuple(text for text, _ in named), tuple(limit for _, limit in named)
    game_text, declaration = read_game(with_declaration(game))
    contest = Contest(
        game_text,
        texts,
        pairs,
        limits,
        opening_plies,
        seed,
        _parse_sprt(sprt),
        declaration,
        random_boards,
        balanced_by,
    )
    if output is None:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            journal = Journal(Path(folder) / "games.jsonl", contest.fingerprint())
            with closing(journal):
                _run(contest, journal, open_pool(workers, address), None, as_json)
    else:
        with closing(Journal(output / "games.jsonl", contest.fingerprint())) as journal:
            _run(contest, journal, open_pool(workers, address), output, as_json)


def _split_limit(text: str, common: Limit) -> tuple[str, Limit]:
    from taiji.players import Limit

    match = _LIMIT.fullmatch(text)
    if not match:
        return text, common
    try:
        value = float(match["value"])
    except ValueError:
        raise click.UsageError(f"{text}: invalid number {match['value']!r}") from None
    return match["name"], Limit(seconds=value) if match["unit"] == "s" else Limit(playouts=int(value))


def _parse_sprt(text: str | None) -> Sprt | None:
    from taiji.arena import Sprt

    if text is None:
        return None
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise click.UsageError(f"--sprt {text}: invalid (expected two numbers, such as 0,20)") from None
    return Sprt(elo0, elo1)


def _run(contest: Contest, journal: Journal, pool: WorkerPool, output: Path | None, as_json: bool) -> None:
    from taiji.arena.report import crosstable, summary, to_dict

    try:
        standings = _run_with_progress(contest, journal, pool)
    finally:
        pool.close()
        journal.close()
    if output is not None:
        _write_records(output, journal.results.values(), contest)
        say_written([output / "games.tji"])
    if as_json:
        click.echo(to_json(to_dict(standings)))
        return
    from rich.console import Console

    console = Console()
    console.print(crosstable(standings))
    for line in summary(standings):
        console.print(line, markup=False, highlight=False)
    for lost in standings.forfeits()[:10]:
        console.print(f"game {lost.key}: {lost.reason}", markup=False)
    if contest.sprt is not None:
        verdict = {True: "accepted", False: "rejected", None: "open"}[standings.verdict()]
        console.print(f"SPRT [{contest.sprt.elo0:g}, {contest.sprt.elo1:g}]: {verdict}", markup=False)


def _run_with_progress(contest: Contest, journal: Journal, pool: WorkerPool) -> Standings:
    """Run the contest; on a terminal, show the table while it grows."""
    from taiji.arena import run_contest

    if not sys.stderr.isatty():
        return run_contest(contest, pool, journal, on_result=lambda *_: None)
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from taiji.arena.report import crosstable

    total = len(contest.keys())
    progress = Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    task = progress.add_task("", total=total, completed=min(total, len(journal.results)))
    with Live(progress, console=Console(stderr=True), refresh_per_second=4, transient=True) as live:

        def show(standings: Standings, result: GameResult) -> None:
            progress.update(task, completed=len(standings.results))
            live.update(Group(crosstable(standings), progress))

        return run_contest(contest, pool, journal, on_result=show)


def _write_records(folder: Path, results: Iterable[GameResult], contest: Contest) -> None:
    from taiji.notation import format_record

    partial = folder / "games.tji.partial"
    with partial.open("w", encoding="utf-8") as file:
        for result in sorted(results, key=lambda result: result.key):
            file.write(format_record(result.record(f"arena {contest.game}")) + "\n")
    partial.replace(folder / "games.tji")
