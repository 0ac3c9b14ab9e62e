"""`taiji analyse`: evaluate a position, or every position of a record."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import click

from taiji.cli._options import GAME_NUMBER
from taiji.cli._positions import find_position, find_positions

if TYPE_CHECKING:
    from taiji.analysis import Analysis
    from taiji.rules import State


@click.command("analyse")
@click.argument("target", nargs=-1, required=True, metavar="GAME|POSITION|FILE")
@click.option("--player", default="neural", show_default=True, help="The player that analyses.")
@click.option("--seconds", type=float, help="Seconds per position.  [default: 1 unless --playouts]")
@click.option("--playouts", type=int, help="Playouts per position.")
@GAME_NUMBER
@click.option("--ply", type=click.IntRange(0), help="Analyse only the position after N moves.", metavar="N")
@click.option("--seed", default=0, show_default=True, help="Seed of the player.")
@click.option(
    "--json", "as_json", is_flag=True, help="Stream JSON, one object per line, with interim results."
)
def command(
    target: tuple[str, ...],
    player: str,
    seconds: float | None,
    playouts: int | None,
    game_no: int,
    ply: int | None,
    seed: int,
    as_json: bool,
) -> None:
    r"""Print a player's evaluation: win probability, expected margin and principal variation.

    Every position of a record is analysed, unless --ply selects one.

    \b
    Examples:
      taiji analyse taiji:size=7 --seconds 2
      taiji analyse game.tji --json --playouts 10000
    """
    from taiji.analysis import analyse
    from taiji.players import Limit, make_player

    limit = Limit(1.0 if seconds is None and playouts is None else seconds, playouts)
    text = " ".join(target)
    states = find_positions(text, game_no) if ply is None else [find_position(text, game_no, ply)[0]]
    engine = make_player(player, seed=seed)
    try:
        for state in states:
            engine.prepare(state.game)
            if as_json:
                _echo_json(state, analyse(state, engine, limit, report=partial(_echo_json, state)))
            else:
                _echo_text(state, analyse(state, engine, limit))
    finally:
        engine.close()


def _echo_json(state: State, analysis: Analysis) -> None:
    from taiji.protocol.analysis_json import analysis_to_json

    click.echo(json.dumps(analysis_to_json(state, analysis)))


def _echo_text(state: State, analysis: Analysis) -> None:
    outcome = state.outcome()
    if outcome is not None:
        winner = "a draw" if outcome.winner is None else f"{('light', 'dark')[outcome.winner]} won"
        click.echo(f"{state.ply:>3}  {winner}, {outcome.scores.first:g}–{outcome.scores.second:g}")
        return
    colour = ("light", "dark")[state.seat_to_move]
    win = "" if analysis.win_prob is None else f"{analysis.win_prob:.1%}"
    margin = "" if analysis.margin is None else f"{analysis.margin:+.1f}"
    proven = " (proven)" if analysis.exact else ""
    pv = " ".join(analysis.candidates[0].pv[:6])
    click.echo(f"{state.ply:>3}  {colour:<5} {win:>6} {margin:>6}{proven}  {pv}")
