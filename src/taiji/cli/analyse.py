"""`taiji analyse`: what a player thinks of a position, or of every position of a record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._positions import find_position, find_positions

if TYPE_CHECKING:
    pass


@click.command("analyse")
@click.argument("what", nargs=-1, required=True, metavar="GAME|POSITION|FILE")
@click.option("--player", default="neural", show_default=True, help="Who analyses.")
@click.option("--seconds", type=float, help="Seconds a position.  [default: 1 unless --playouts]")
@click.option("--playouts", type=int, help="Playouts a position.")
@click.option(
    "--number", default=1, type=click.IntRange(1), help="Which game of a file.  [default: the first]"
)
@click.option("--ply", type=click.IntRange(0), help="One position of a record, after so many moves.")
@click.option("--seed", default=0, show_default=True)
@click.option(
    "--json", "as_json", is_flag=True, help="Stream JSON, one object a line, interim thoughts included."
)
def command(
    what: tuple[str, ...],
    player: str,
    seconds: float | None,
    playouts: int | None,
    number: int,
    ply: int | None,
    seed: int,
    as_json: bool,
) -> None:
    r"""Say what a player thinks: chance to win, expected margin and the line it expects.

    Of a record every position is looked at, unless --ply names one.

    \b
    Examples:
      taiji analyse taiji:size=7 --seconds 2
      taiji analyse game.tji --json --playouts 10000
    """
    from taiji.players import Limit, make_player
    from taiji.protocol.stream import analyse

    limit = Limit(1.0 if seconds is None and playouts is None else seconds, playouts)
    text = " ".join(what)
    states = find_positions(text, number) if ply is None else [find_position(text, number, ply)[0]]
    engine = make_player(player, seed=seed)
    try:
        for state in states:
            analyse(state, engine, limit, _json_line if as_json else _text_line)
    finally:
        engine.close()


def _json_line(thought: dict[str, Any]) -> None:
    click.echo(json.dumps(thought))


def _text_line(thought: dict[str, Any]) -> None:
    if not thought["final"]:
        return
    if thought.get("over"):
        scores = thought["scores"]
        result = f"{thought['winner']} won" if thought["winner"] else "a draw"
        click.echo(f"{thought['ply']:>3}  {result}, {scores['light']:g}–{scores['dark']:g}")
        return
    win = "" if thought["win"] is None else f"{thought['win']:.1%}"
    margin = "" if thought["margin"] is None else f"{thought['margin']:+.1f}"
    sure = " (proven)" if thought["exact"] else ""
    line = " ".join(thought["line"][:6])
    click.echo(f"{thought['ply']:>3}  {thought['mover']:<5} {win:>6} {margin:>6}{sure}  {line}")
