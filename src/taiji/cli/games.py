"""`taiji games`: list every game, its options and its editions."""

from __future__ import annotations

import sys
import textwrap
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._output import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.rules import GameDeclaration, Option

INDENT = "    "
LINE_WIDTH = 100
MIN_COLUMN_WIDTH = 30
COMPUTED = "computed"
NO_DEFAULT = "none"
OPTION_KINDS = {"IntOption": "whole", "ChoiceOption": "choice", "TextOption": "drawn"}
"""The kinds of options in `games --json`, on which scripts depend."""


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    r"""List every game, its options and its published editions.

    A game is written NAME or NAME:option=value,option=value; an edition has a name of its own.

    \b
    Examples:
      taiji games
      taiji games --json | python3 -m json.tool
      taiji show taiji:size=7
      taiji show deluxe
    """
    from taiji.rules import EDITIONS, GAMES

    if as_json:
        listing = {
            "games": [_game_to_json(game) for game in GAMES.values()],
            "editions": [
                {"name": each.name, "title": each.title, "game": each.game, "match": each.match_rule.value}
                for each in EDITIONS.values()
            ],
        }
        click.echo(to_json(listing))
        return
    for game in GAMES.values():
        click.echo(_describe(game))
    click.echo(click.style("Editions", bold=True))
    rows = [
        (each.name, each.game, f"{each.title}, match rule {each.match_rule.value}")
        for each in EDITIONS.values()
    ]
    click.echo(_columns(rows))


def _describe(game: GameDeclaration) -> str:
    rows = [(each.name, each.allowed, _default(each), each.help) for each in game.options]
    head = click.style(game.name, bold=True)
    return "\n".join(
        [
            f"{head}  {game.title}, by {game.designer}",
            f"  {game.summary}",
            f"  rules: {game.rulebook}",
            _columns([("option", "values", "default", ""), *rows]),
            "",
        ]
    )


def _default(option: Option) -> str:
    if option.default is None:
        return COMPUTED if hasattr(option, "low") else NO_DEFAULT
    return str(option.default)


def _columns(rows: Sequence[Sequence[str]]) -> str:
    """Format rows in columns; the last column is wrapped to the line width."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        head = INDENT + "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        room = max(MIN_COLUMN_WIDTH, _width() - len(head))
        first, *more = textwrap.wrap(row[-1], room) or [""]
        lines += [head + first, *(" " * len(head) + line for line in more)]
    return "\n".join(line.rstrip() for line in lines)


def _width() -> int:
    return get_terminal_size().columns if sys.stdout.isatty() else LINE_WIDTH


def _game_to_json(game: GameDeclaration) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "designer": game.designer,
        "rulebook": game.rulebook,
        "summary": game.summary,
        "options": [_option_to_json(option) for option in game.options],
    }


def _option_to_json(option: Option) -> dict[str, Any]:
    """Return an option as JSON; a default of null is computed from other options, or missing."""
    bounds = {key: getattr(option, key) for key in ("values", "low", "high") if hasattr(option, key)}
    return {
        "name": option.name,
        "kind": OPTION_KINDS[type(option).__name__],
        **bounds,
        "domain": option.allowed,
        "default": option.default,
        "help": option.help,
    }
