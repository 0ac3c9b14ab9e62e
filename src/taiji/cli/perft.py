"""`taiji perft`: count move sequences."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from taiji.cli._completions import complete_game
from taiji.cli._games import load_game
from taiji.cli._options import GAME_FILES, GAMES, target_text
from taiji.cli._output import to_json

if TYPE_CHECKING:
    from taiji.rules import Game

MAX_DEPTH = 20
"""At larger depths only boards of a few squares could be counted in reasonable time."""


@click.command("perft")
@click.argument("words", nargs=-1, metavar="GAME DEPTH", shell_complete=complete_game)
@GAMES
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: game, depth, nodes.")
@GAME_FILES
def command(words: tuple[str, ...], games: tuple[str, ...], as_json: bool) -> None:
    r"""Count the sequences of exactly DEPTH moves of GAME.

    Every implementation of the rules must give the same counts. GAME may be a .toml file.

    \b
    Examples:
      taiji perft taiji:size=7 3
      taiji perft battle-of-lits 2 --json
    """
    if len(words) + len(games) < 2:
        raise click.UsageError("no depth, or no game (expected GAME DEPTH)")
    text = target_text(words[:-1], games)
    depth = _depth(words[-1] if words else "")
    loaded = load_game(text)
    nodes = count(loaded, depth)
    if as_json:
        click.echo(to_json({"game": str(loaded), "depth": depth, "nodes": nodes}))
    else:
        click.echo(f"{nodes:,}")


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= MAX_DEPTH):
        raise click.UsageError(f"DEPTH {text[:20]!r}: invalid (expected an integer from 0 to {MAX_DEPTH})")
    return int(text)


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
