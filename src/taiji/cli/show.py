"""`taiji show`: draw a position, a game or a record as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from taiji.cli._completions import complete_game
from taiji.cli._options import GAME_FILES, GAME_NUMBER, GAMES, PLY, AliasedOption, target_text
from taiji.cli._output import supports_unicode, to_json, use_colour
from taiji.cli._positions import find_position

if TYPE_CHECKING:
    from taiji.rules import Move, State


@click.command("show")
@click.argument("target", nargs=-1, metavar="POSITION|FILE|GAME", shell_complete=complete_game)
@GAMES
@GAME_NUMBER
@PLY
@click.option("--ascii", "in_ascii", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--colour/--no-colour", default=None, help="Use colours.  [default: on a terminal]")
@click.option(
    "--scoring-groups/--no-scoring-groups",
    cls=AliasedOption,
    aliases=("--counted",),
    off_aliases=("--no-counted",),
    default=True,
    help="Mark the scoring groups.  [default: yes]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the position as one JSON object.")
@GAME_FILES
def command(
    target: tuple[str, ...],
    games: tuple[str, ...],
    game_no: int,
    ply: int | None,
    in_ascii: bool,
    colour: bool | None,
    scoring_groups: bool,
    as_json: bool,
) -> None:
    r"""Draw a position, the board of a game, or a record.

    Light squares are ○, dark squares ●; in a scoring group they are ◎ and ◉. The last move is in brackets. If
    height matters, shaded squares are one piece higher.

    \b
    Examples:
      taiji show taiji:size=7
      taiji show game.tji --ply 12
      taiji show tji1 taiji:size=5 b2/b3,c2/c3 light -
    """
    state, last = find_position(target_text(target, games), game_no, ply)
    if as_json:
        click.echo(to_json(_to_json(state, last)))
        return
    from taiji.render.text import draw

    coloured = use_colour() if colour is None else colour
    in_ascii = in_ascii or not supports_unicode()
    drawn = draw(state, ascii=in_ascii, colour=coloured, last=last, scoring_groups=scoring_groups)
    click.echo(drawn, color=True if coloured else None)


def _to_json(state: State, last: Move | None) -> dict[str, Any]:
    from taiji.notation import format_position

    scores = state.scores()
    outcome = state.outcome()
    winner = None if outcome is None or outcome.winner is None else ("light", "dark")[outcome.winner]
    return {
        "game": str(state.game),
        "position": format_position(state),
        "stage": state.current_stage.name,
        "ply": state.ply,
        "to_move": None if state.is_over else state.colour_to_move.name.lower(),
        "legal": len(state.legal()),
        "over": state.is_over,
        "scores": {"light": scores.first, "dark": scores.second},
        "winner": winner,
        "last": None if last is None else str(last),
    }
