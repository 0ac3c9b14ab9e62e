"""`taiji perft`: count move sequences."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from taiji.cli._games import load_game

if TYPE_CHECKING:
    from taiji.rules import Game

MAX_DEPTH = 20
"""At larger depths only boards of a few squares could be counted in reasonable time."""


@click.command("perft")
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: game, depth, nodes.")
def command(game: str, depth: int, as_json: bool) -> None:
    r"""Count the sequences of exactly DEPTH moves of GAME.

    Every implementation of the rules must give the same counts. GAME may be a .toml file.

    \b
    Examples:
      taiji perft taiji:size=7 3
      taiji perft battle-of-lits 2 --json
    """
    loaded = load_game(game)
    nodes = count(loaded, depth)
    if as_json:
        click.echo(json.dumps({"game": str(loaded), "depth": depth, "nodes": nodes}, ensure_ascii=False))
    else:
        click.echo(f"{nodes:,}")


def count(game: Game, depth: int) -> int:
    """Count with the compiled core, one first move at a time, so that progress is shown and Ctrl-C works."""
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
