"""`taiji puzzle`: solve, make and check proven puzzles."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._completions import complete_game, complete_puzzle_set
from taiji.cli._games import load_declarations, load_game, with_declaration
from taiji.cli._options import GAME_FILES, MAX_SEED, MAX_WORKERS, AliasedOption, game_files
from taiji.cli._output import supports_unicode, to_json, use_colour
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from taiji.analysis.puzzles import Puzzle
    from taiji.analysis.puzzles.maker import PliesRange
    from taiji.rules import Game

EXIT_NOT_PROVEN = 1
WORKERS = click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, MAX_WORKERS), help="Processes."
)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--set",
    "set_name",
    metavar="NAME",
    shell_complete=complete_puzzle_set,
    help="A puzzle of a set, such as taiji-7.",
)
@click.option("--id", "puzzle_id", metavar="ID", help="A certain puzzle.")
@click.option("--random", "at_random", is_flag=True, help="Any puzzle instead of that of the day.")
@click.pass_context
def command(context: click.Context, set_name: str | None, puzzle_id: str | None, at_random: bool) -> None:
    r"""Solve a puzzle here: the puzzle of the day, or another one.

    In every puzzle exactly one move reaches the goal; the solver has proven it. Type a move, `hint`,
    `solution` or `quit`.

    \b
    Examples:
      taiji puzzle
      taiji puzzle --set tailits --random
      taiji puzzle make --game taiji:size=7 --count 20 -o mine.jsonl
      taiji puzzle check mine.jsonl
    """
    if context.invoked_subcommand is None:
        from taiji.terminal.puzzle import solve_here

        solved = solve_here(
            _choose(set_name, puzzle_id, at_random),
            _read_line,
            click.echo,
            ascii=not supports_unicode(),
            colour=use_colour(),
        )
        sys.exit(0 if solved else EXIT_NOT_PROVEN)


def _read_line(prompt: str) -> str | None:
    try:
        return input(prompt if sys.stdin.isatty() else "")
    except EOFError:
        return None


def _choose(set_name: str | None, puzzle_id: str | None, at_random: bool) -> Puzzle:
    """Return the puzzle that the options name, by default that of the day."""
    import random
    from datetime import UTC, datetime

    from taiji.analysis.puzzles import daily_puzzle, load_set, shipped_sets

    if puzzle_id is not None:
        return _find(puzzle_id, set_name)
    if set_name is not None or at_random:
        name = set_name or random.choice(list(shipped_sets()))
        return random.choice(load_set(name))
    return daily_puzzle(datetime.now(UTC).date())


def _find(puzzle_id: str, set_name: str | None = None) -> Puzzle:
    from taiji.analysis.puzzles import load_set, shipped_sets

    for name in shipped_sets() if set_name is None else (set_name,):
        for puzzle in load_set(name):
            if puzzle.id == puzzle_id:
                return puzzle
    raise BadInput(f"unknown puzzle {puzzle_id!r} (taiji puzzle list shows the sets)")


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per puzzle.")
def list_command(as_json: bool) -> None:
    """List the sets of the package.

    Example: taiji puzzle list
    """
    from taiji.analysis.puzzles import load_set, shipped_sets
    from taiji.notation.wording import counted

    for name in shipped_sets():
        puzzles = load_set(name)
        if as_json:
            for puzzle in puzzles:
                click.echo(to_json(puzzle.to_json()))
        else:
            ratings = [puzzle.rating for puzzle in puzzles]
            click.echo(f"{name}: {counted(len(puzzles), 'puzzle')}, rated {min(ratings)} to {max(ratings)}")


@command.command("show")
@click.argument("puzzle_id", metavar="ID")
@click.option("--solution", is_flag=True, help="Print the solution too.")
@click.option("--json", "as_json", is_flag=True, help="Print the puzzle as one JSON object.")
def show_command(puzzle_id: str, solution: bool, as_json: bool) -> None:
    """Draw a puzzle of the package.

    Example: taiji puzzle show taiji-7-1-2 --solution
    """
    from taiji.terminal.puzzle import heading, picture, solution_lines

    puzzle = _find(puzzle_id)
    if as_json:
        click.echo(to_json(puzzle.to_json()))
        return
    click.echo(heading(puzzle))
    click.echo(picture(puzzle, ascii=not supports_unicode(), colour=use_colour()))
    for line in solution_lines(puzzle) if solution else ():
        click.echo(line)


@command.command("make")
@click.option("--game", required=True, shell_complete=complete_game, help="The game.")
@click.option("--count", required=True, type=click.IntRange(1, 1_000_000), help="Number of puzzles.")
@click.option("-o", "--output", type=FILE, help="Write to this file, or continue it, and write its card.")
@click.option(
    "--records",
    "source",
    cls=AliasedOption,
    aliases=("--from",),
    type=FILE,
    help="Look in these records, not in games of the engine.",
)
@click.option(
    "--goal", default="win", show_default=True, type=click.Choice(["win", "margin"]), help="The goal."
)
@click.option("--plies", default="4-8", show_default=True, metavar="A-B", help="Plies before the end.")
@click.option(
    "--playouts",
    default=600,
    show_default=True,
    type=click.IntRange(1, 1_000_000),
    help="Playouts per move of the engine's games.",
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, MAX_SEED), help="Seed.")
@WORKERS
@GAME_FILES
def make_command(
    game: str,
    count: int,
    output: Path | None,
    source: Path | None,
    goal: Any,
    plies: str,
    playouts: int,
    seed: int,
    workers: int,
) -> None:
    """Find positions of games in which exactly one move reaches the goal, prove and grade them.

    The same options give the same puzzles, however many workers there are. If the output exists, the same
    command continues it.

    Example: taiji puzzle make --game taiji:size=7 --count 20 -o mine.jsonl --workers 4
    """
    from taiji.analysis.puzzles import PuzzleWriter
    from taiji.analysis.puzzles.maker import Recipe, make_puzzles
    from taiji.arena.custom_game import read_game
    from taiji.notation.wording import counted

    value = load_game(game)
    _, declaration = read_game(with_declaration(game))
    recipe = Recipe(str(value), seed, goal, _parse_plies(plies), playouts, declaration=declaration)
    games = None if source is None else _recorded_games(source, value)
    if output is None:
        left = count
        with _open_pool(workers) as pool, _progress("games examined", None) as show:
            for puzzle in make_puzzles(recipe, count, games=games, pool=pool, on_game=show):
                click.echo(puzzle.to_line())
                left -= 1
        if left:
            click.echo(f"{source or game}: no more puzzles found", err=True)
        return
    writer = PuzzleWriter(output, recipe)
    try:
        with _open_pool(workers) as pool, _progress("puzzles", count) as show:
            show(len(writer.puzzles))
            left = count - len(writer.puzzles)
            for puzzle in make_puzzles(recipe, left, games=games, start=writer.next_game, pool=pool):
                writer.add(puzzle)
                show(len(writer.puzzles))
    finally:
        writer.close()
    click.echo(f"{output}: {counted(len(writer.puzzles), 'puzzle')}", err=True)
    if len(writer.puzzles) < count:
        click.echo(f"{source or game}: no more puzzles found", err=True)


def _parse_plies(text: str) -> PliesRange:
    from taiji.analysis.puzzles.maker import PliesRange

    least, _, most = text.partition("-")
    if not (
        least.isdecimal() and (most or least).isdecimal() and 2 <= int(least) <= int(most or least) <= 99
    ):
        raise click.UsageError(f"--plies {text}: invalid (expected a range such as 4-8, from 2 to 99)")
    return PliesRange(int(least), int(most or least))


def _recorded_games(source: Path, game: Game) -> Iterator[tuple[int, ...]]:
    """Yield the actions of the finished games of a file that are of this game."""
    from taiji.kernel.fast_replay import replay_with_kernel
    from taiji.notation.files import read_file

    def report(error: Exception) -> None:
        click.echo(f"{source}: {error}", err=True)

    with read_file(source, on_error=report, replayer=replay_with_kernel) as records:
        for record in records:
            if str(record.game) == str(game) and (replay := record.replay()).last.is_over:
                yield tuple(move.action for move in replay.moves)


@command.command("check")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per file.")
@WORKERS
@game_files(keep=True, of=" of the puzzles")
def check_command(files: tuple[Path, ...], as_json: bool, workers: int, game_files: tuple[Path, ...]) -> None:
    """Prove every puzzle of the files again; without a file, every puzzle of the package.

    A line that is not a puzzle ends the check with status 2; a puzzle that does not hold, with status 1.

    Example: taiji puzzle check mine.jsonl --workers 4
    """
    from taiji.analysis.puzzles import PuzzleError, read_puzzles, shipped_sets

    paths = files or tuple(shipped_sets().values())
    puzzles = [(path, line, puzzle) for path in paths for line, puzzle in read_puzzles(path)]
    for path in set(paths) - {path for path, _, _ in puzzles}:
        raise PuzzleError(f"{path}: no puzzle (expected one JSON object per line)")
    wrong: dict[Path, list[tuple[int, str]]] = {path: [] for path in paths}
    prove = partial(_prove, game_files)
    with _open_pool(workers) as pool, _progress("puzzles proven", len(puzzles)) as show:
        for done, ((path, line, _), error) in enumerate(pool.run(prove, puzzles), 1):
            if error:
                wrong[path].append((line, error))
            show(done)
    for path in paths:
        total = sum(1 for where, _, _ in puzzles if where == path)
        errors = [{"line": line, "error": error} for line, error in sorted(wrong[path])]
        if as_json:
            click.echo(
                to_json(
                    {"file": str(path), "puzzles": total, "proven": total - len(errors), "errors": errors}
                )
            )
            continue
        for error in errors:
            click.echo(f"{path}:{error['line']}: {error['error']}", err=True)
        click.echo(f"{path}: {total - len(errors)} of {total} puzzles proven")
    if any(wrong.values()):
        sys.exit(EXIT_NOT_PROVEN)


def _prove(game_files: tuple[Path, ...], task: tuple[Path, int, Puzzle]) -> str:
    """Return why a puzzle does not hold, or an empty text; a worker has to read the custom games itself."""
    from taiji.analysis.puzzles import PuzzleError
    from taiji.analysis.puzzles.proof import prove

    load_declarations(game_files)
    try:
        prove(task[2])
    except PuzzleError as error:
        return str(error)
    return ""


@contextmanager
def _open_pool(workers: int) -> Iterator[Any]:
    from taiji.arena.pool import InlinePool, LocalPool

    pool = InlinePool() if workers == 1 else LocalPool(workers)
    try:
        yield pool
    finally:
        pool.close()


@contextmanager
def _progress(words: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)
