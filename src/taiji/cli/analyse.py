"""`taiji analyse`: evaluate a position, or every position of a record."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from taiji.cli._completions import complete_game
from taiji.cli._engine import engine_limit, engine_options, limit_words, open_engine
from taiji.cli._options import GAME_FILES, GAME_NUMBER, GAMES, target_text
from taiji.cli._output import to_json
from taiji.cli._positions import check_ply, find_position, is_record, nth_replay
from taiji.cli.review import record_heading

if TYPE_CHECKING:
    from taiji.analysis import Analysis
    from taiji.rules import Move, State

DEFAULT_SECONDS = 1.0
SIDES = ("light", "dark")


@click.command("analyse")
@click.argument("target", nargs=-1, metavar="GAME|POSITION|FILE", shell_complete=complete_game)
@GAMES
@engine_options
@GAME_NUMBER
@click.option("--ply", type=click.IntRange(0), help="Analyse only the position after N moves.", metavar="N")
@click.option(
    "--side",
    type=click.Choice(SIDES),
    default=SIDES[0],
    show_default=True,
    help="Whose win probability and margin the text shows.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Stream JSON, one object per line, with interim results."
)
@GAME_FILES
def command(
    target: tuple[str, ...],
    games: tuple[str, ...],
    player: str,
    seconds: float | None,
    playouts: int | None,
    seed: int,
    threads: int | None,
    game_no: int,
    ply: int | None,
    side: str,
    as_json: bool,
) -> None:
    r"""Print a player's evaluation: win probability, expected margin, the move played and the best line.

    Every position of a record is analysed, unless --ply selects one. The text shows the values of one side,
    the JSON those of the seat to move. `taiji review` evaluates the moves.

    \b
    Examples:
      taiji analyse taiji:size=7 --seconds 2
      taiji analyse game.tji --json --playouts 10000
    """
    from taiji.analysis import analyse

    limit = engine_limit(seconds, playouts, DEFAULT_SECONDS)
    heading, positions = _positions(target_text(target, games), game_no, ply)
    engine = open_engine(player, seed, threads)
    table = _Table(side)
    try:
        if not as_json:
            click.echo(heading)
            click.echo(f"Analysed by {engine.name}, {limit_words(limit)}.")
            table.begin(positions[0][0])
        for state, played in positions:
            engine.prepare(state.game)
            if as_json:
                _echo_json(state, analyse(state, engine, limit, report=partial(_echo_json, state)))
            else:
                table.add(state, played, analyse(state, engine, limit))
    finally:
        engine.close()


def _positions(text: str, game_no: int, ply: int | None) -> tuple[str, list[tuple[State, Move | None]]]:
    """Return a heading, and each position with the move that was played in it."""
    if not is_record(text):
        state, _ = find_position(text, game_no, ply)
        return str(state.game), [(state, None)]
    record, replay = nth_replay(text, game_no)
    if ply is not None:
        check_ply(replay, ply)
    played = [*replay.moves, None]
    positions = list(zip(replay.states, played, strict=True))
    return record_heading(record, replay), positions if ply is None else positions[ply : ply + 1]


def _echo_json(state: State, analysis: Analysis) -> None:
    from taiji.protocol.analysis_json import analysis_to_json

    click.echo(to_json(analysis_to_json(state, analysis)))


class _Table:
    """A line per position, with the values of the seat that began as one side."""

    def __init__(self, side: str) -> None:
        self._side = side

    def begin(self, state: State) -> None:
        """Write the header."""
        from taiji.rules import Colour

        name = state.game.colour_names.of(Colour(SIDES.index(self._side)))
        click.echo("")
        click.echo(f"{'ply':>4}  {'moves':<6} {name + ' wins':>11} {'margin':>7}  {'played':<10} best line")

    def add(self, state: State, played: Move | None, analysis: Analysis) -> None:
        """Write the line of one position."""
        outcome = state.outcome()
        if outcome is not None:
            result = str(state).rsplit("\n", 1)[-1]
            click.echo(f"{'end':>4}  {result}")
            return
        mine = SIDES[state.seat_to_move] == self._side
        win_prob, margin = analysis.win_prob, analysis.margin
        win = "" if win_prob is None else f"{win_prob if mine else 1 - win_prob:.1%}"
        points = "" if margin is None else f"{(margin if mine else -margin) + 0.0:+.1f}"
        name = state.game.colour_names.of(state.colour_to_move)
        proven = " (proven)" if analysis.exact else ""
        best = " ".join(analysis.candidates[0].pv[:6])
        move = "" if played is None else str(played)
        click.echo(f"{state.ply + 1:>4}  {name:<6} {win:>11} {points:>7}  {move:<10} {best}{proven}".rstrip())
