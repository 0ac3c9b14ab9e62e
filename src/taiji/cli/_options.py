"""Options that several commands share, and options that also accept an older spelling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from taiji.cli._completions import complete_game
from taiji.cli._games import DECLARATION_SUFFIX, load_declarations

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class AliasedOption(click.Option):
    """An option with older spellings: `aliases` are accepted, but `--help` does not list them.

    `off_aliases` are those of the second half of a pair such as `--groups/--no-groups`.
    """

    def __init__(
        self, *args: Any, aliases: tuple[str, ...] = (), off_aliases: tuple[str, ...] = (), **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.aliases = aliases
        self.off_aliases = off_aliases

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Register every spelling."""
        listed = self.opts, self.secondary_opts
        self.opts = [*self.opts, *self.aliases]
        self.secondary_opts = [*self.secondary_opts, *self.off_aliases]
        super().add_to_parser(parser, ctx)
        self.opts, self.secondary_opts = listed


MAX_DURATION = 10**9
"""The maximum of an option that is a time, in its unit."""


class Duration(click.FloatRange):
    """A time above 0, as a finite number: click's own ranges let `nan` and `inf` pass."""

    def __init__(self, maximum: float = MAX_DURATION) -> None:
        super().__init__(0, min_open=True)
        self.maximum = maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; refuse what is not one, or is out of bounds."""
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0 < number <= self.maximum:
            self.fail(
                f"{str(value)[:20]!r} (expected a number above 0, at most {self.maximum:,})", param, ctx
            )
        return number


MAX_SEED = 2**32 - 1
"""The maximum seed of a measurement or a run."""
MAX_WORKERS = 256
"""The maximum number of processes that `--workers` starts."""


def game_files(*, keep: bool = False, aliases: tuple[str, ...] = (), of: str = "") -> Decorator:
    """Return the option that registers custom games; with `keep` the command gets the files too."""

    def register(
        _context: click.Context, _option: click.Parameter, paths: tuple[Path, ...]
    ) -> tuple[Path, ...]:
        load_declarations(paths)
        return paths

    return click.option(
        "--game-file",
        "game_files",
        cls=AliasedOption,
        aliases=aliases,
        multiple=True,
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE.toml",
        callback=register,
        expose_value=keep,
        help=f"Declare a custom game{of}; may be repeated.",
    )


GAME_FILES = game_files()
"""The option of every command that reads a game."""

RECORD_GAME_FILES = game_files(aliases=("--game",), of=" of the records")
"""The same in commands whose records name their game."""

ENGINE_MEMORY = click.option(
    "--engine-memory",
    default=4096,
    show_default=True,
    type=click.IntRange(256, 65536),
    help="Memory per engine, in MiB.",
)

GAMES = click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="The game: a text, an edition, or a .toml file that declares it.",
)
"""The option that names the game of commands whose argument may do so too."""


def target_text(target: tuple[str, ...], games: tuple[str, ...]) -> str:
    """Return what a command shall show or solve: its argument, or the game of `--game`.

    Games declared in `.toml` files are registered, so that a record or position may name them.
    """
    named = [text for text in games if not text.lower().endswith(DECLARATION_SUFFIX)]
    load_declarations(Path(text) for text in games if text not in named)
    if target:
        if named:
            raise click.UsageError(f"--game {named[0]}: {target[0]!r} names the game already")
        return " ".join(target)
    if len(games) != 1:
        raise click.UsageError("nothing to do (expected a game, a position or a file, or --game once)")
    return games[0]


GAME_NUMBER = click.option(
    "--game-number",
    "game_no",
    cls=AliasedOption,
    aliases=("--number",),
    default=1,
    type=click.IntRange(1),
    help="Which game of a file, counted from 1.  [default: the first]",
)
"""The option that selects one game of a file."""

PLY = click.option(
    "--ply", type=click.IntRange(0), metavar="N", help="The position after N moves.  [default: the last]"
)
"""The option that selects a position of a record."""


database_option = click.option(
    "--database-url",
    envvar="TAIJI_DATABASE_URL",
    help="Database: sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: that of taiji serve]",
)
"""The option of the commands that work on a server's database."""
