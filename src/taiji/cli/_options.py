"""Options that several commands share, and options that also accept an older spelling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


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


MAX_WORKERS = 256
"""The maximum number of processes that `--workers` starts."""

GAME_FILES = click.option(
    "--game-file",
    "game_files",
    cls=AliasedOption,
    aliases=("--game",),
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A .toml file that declares a custom game; may be repeated.",
)
"""The option that registers custom games."""

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
