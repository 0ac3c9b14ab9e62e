"""`taiji explore`: what is known of an opening, from a book of engine games."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._completions import complete_game
from taiji.cli._options import GAME_FILES, GAME_NUMBER, GAMES, PLY, RECORD_GAME_FILES, target_text
from taiji.cli._output import say_written, to_json
from taiji.cli._positions import find_position
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from taiji.analysis.explorer import Book, Exploration
    from taiji.rules import State

DEFAULT_MOVES = 12
FILE = click.Path(path_type=Path, dir_okay=False)


class _DefaultGroup(click.Group):
    """A group whose first argument need not be a subcommand: then `position` is meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default subcommand."""
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["position", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the subcommands, and games for the one that need not be named."""
        offers = complete_game(ctx, self.commands["position"].params[0], incomplete)
        return [*super().shell_complete(ctx, incomplete), *offers]


@click.group(cls=_DefaultGroup, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    r"""Show what is known of an opening: counts and results of each move, and engine values.

    Positions are the same up to turns and reflections of the board, and whoever has swapped.

    \b
    Examples:
      taiji explore taiji:size=7
      taiji explore taiji --moves "e5/e4 d4/d5"
      taiji explore position game.tji --ply 4
      taiji explore build games.npz -o books
    """


@command.command("position")
@click.argument("target", nargs=-1, metavar="[GAME|POSITION|FILE]", shell_complete=complete_game)
@GAMES
@click.option("--moves", default="", metavar="MOVES", help="Moves to play first, with spaces between.")
@click.option("--book", "book_file", type=FILE, help="Another book than that of the package.")
@click.option(
    "--limit", default=DEFAULT_MOVES, show_default=True, type=click.IntRange(1, 10_000), help="Moves to list."
)
@GAME_NUMBER
@PLY
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@GAME_FILES
def position_command(
    target: tuple[str, ...],
    games: tuple[str, ...],
    moves: str,
    book_file: Path | None,
    limit: int,
    game_no: int,
    ply: int | None,
    as_json: bool,
) -> None:
    """Show what is known of a position.

    Example: taiji explore position taiji --moves "e5/e4 d4/d5"
    """
    from taiji.analysis.explorer import explore

    state, _ = find_position(target_text(target, games), game_no, ply)
    for number, text in enumerate(moves.split(), 1):
        try:
            state = state.play(text)
        except ValueError as error:
            raise BadInput(f"--moves: move {number} ({text!r}): {error}") from error
    book = _open_book(state, book_file)
    known = explore(state, book)
    if as_json:
        click.echo(to_json(_to_json(state, book, known)))
        return
    for line in _lines(state, book, known, limit):
        click.echo(line)


def _open_book(state: State, file: Path | None) -> Book:
    from taiji.analysis.explorer import read_book, shipped_book

    if file is not None:
        book = read_book(file)
        if book.game != str(state.game):
            raise BadInput(f"{file}: book of {book.game}, not of {state.game}")
        return book
    shipped = shipped_book(state.game)
    if shipped is None:
        raise BadInput(f"no book of {state.game} (taiji explore build makes one from records)")
    return shipped


def _to_json(state: State, book: Book, known: Exploration) -> dict[str, Any]:
    from taiji.notation import format_position

    data = asdict(known)
    moves = [{**move, "action": move["move"], "move": move["text"]} for move in data.pop("moves")]
    for move in moves:
        del move["text"]
    return {
        "game": str(state.game),
        "position": format_position(state),
        "book_games": book.games,
        **data,
        "moves": moves,
    }


def _lines(state: State, book: Book, known: Exploration, limit: int) -> list[str]:
    colour = "nobody" if state.is_over else state.game.colour_names.of(state.colour_to_move)
    lines = [f"{state.game}: {known.games:,} of {book.games:,} games; {colour} to move"]
    if not known.moves:
        return [*lines, "The book does not go on from here."]
    lines.append(f"{'move':<14} {'games':>8} {'won':>6} {'engine':>7} {'margin':>7}")
    for move in known.moves[:limit]:
        engine = "" if move.value is None else _win_prob(move.value)
        margin = "" if move.margin is None else f"{move.margin:+.1f}"
        lines.append(f"{move.text:<14} {move.games:>8,} {move.win_rate:>6.0%} {engine:>7} {margin:>7}")
    rest = len(known.moves) - limit
    return [*lines, f"and {rest} more"] if rest > 0 else lines


def _win_prob(value: float) -> str:
    """Return an engine's estimate in whole percent, never as certain, as the web app shows it."""
    if value < 0.01:
        return "< 1%"
    return "> 99%" if value > 0.99 else f"{value:.0%}"


@command.command("build")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the books.",
)
@click.option("--plies", default=12, show_default=True, type=click.IntRange(1, 60), help="Depth of the book.")
@click.option(
    "--positions",
    default=16_000,
    show_default=True,
    type=click.IntRange(1, 1_000_000),
    help="Positions per book.",
)
@click.option("--min-games", default=3, show_default=True, type=click.IntRange(1), help="Games per position.")
@RECORD_GAME_FILES
def build_command(files: tuple[Path, ...], output: Path, plies: int, positions: int, min_games: int) -> None:
    """Build a book per game from engine games: .npz files of self-play, or records of any format.

    Example: taiji explore build games.tji -o books --min-games 1
    """
    from taiji.analysis.explorer import book_name
    from taiji.analysis.explorer.build import build_books
    from taiji.notation.wording import counted
    from taiji.rules import parse_game

    for name, builder in build_books(files, plies=plies).items():
        path = output / f"{book_name(parse_game(name))}.book"
        kept = builder.write(path, positions=positions, min_games=min_games)
        click.echo(f"{name}: {counted(builder.games, 'game')}, {counted(kept, 'position')}")
        say_written([path])
