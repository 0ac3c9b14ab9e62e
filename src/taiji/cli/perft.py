"""`taiji perft`: how many sequences of moves there are."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from taiji.cli._games import load_game

if TYPE_CHECKING:
    from taiji.rules import Game

MAX_DEPTH = 20
"""Beyond it, only boards of a few squares would ever be counted to the end."""


@click.command("perft")
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: game, depth, nodes.")
def command(game: str, depth: int, as_json: bool) -> None:
    r"""Count the sequences of exactly DEPTH moves of GAME.

    Every implementation of the rules must come to the same numbers. GAME may be a .toml file.

    \b
    Examples:
      taiji perft taiji:size=7 3
      taiji perft battle-of-lits 2 --json
    """
    found = load_game(game)
    nodes = count(found, depth)
    if as_json:
        click.echo(json.dumps({"game": str(found), "depth": depth, "nodes": nodes}, ensure_ascii=False))
    else:
        click.echo(f"{nodes:,}")


def count(game: Game, depth: int) -> int:
    """Count in the compiled core where there is one, move by move: it can be watched and stopped."""
    try:
        from taiji.kernel import Kernel
    except ImportError:
        from taiji.rules import perft

        return perft(game.start(), depth)
    root = Kernel(game).start()
    if depth < 2:
        return root.perft(depth)
    nodes = 0
    with click.progressbar(
        root.legal(), label="moves", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        for move in bar:
            after = root.copy()
            after.play(move)
            nodes += after.perft(depth - 1)
    return nodes
