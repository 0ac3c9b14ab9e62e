"""`taiji show`: a position, a game or a record drawn as text."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._files import OWN_GAMES, STDIN, name_of, open_source
from taiji.cli._games import DECLARATION_SUFFIX, load_declaration, load_game
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.notation import Record
    from taiji.rules import Move, State


@click.command("show")
@click.argument("what", nargs=-1, required=True, metavar="POSITION|FILE|GAME")
@click.option(
    "--number", default=1, type=click.IntRange(1), help="Which game of a file.  [default: the first]"
)
@click.option("--ply", type=click.IntRange(0), help="The position after so many moves.  [default: the last]")
@click.option("--ascii", "in_ascii", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--colour/--no-colour", default=None, help="Colours; by default on a terminal only.")
@click.option("--counted/--no-counted", default=True, help="Mark the squares that count.")
@click.option("--json", "as_json", is_flag=True, help="Print what is to be known as one JSON object.")
@OWN_GAMES
def command(
    what: tuple[str, ...],
    number: int,
    ply: int | None,
    in_ascii: bool,
    colour: bool | None,
    counted: bool,
    as_json: bool,
    declared: tuple[Path, ...],
) -> None:
    r"""Draw a position, the board of a game, or a record.

    A light half is ○, a dark one ●; those that count are ◎ and ◉. The last move stands in brackets. Where
    height matters, shaded squares lie one piece higher.

    \b
    Examples:
      taiji show taiji:size=7
      taiji show game.tji --ply 12
      taiji show tji1 taiji:size=5 b2/b3,c2/c3 light -
    """
    for path in declared:
        load_declaration(path)
    state, last = _found(" ".join(what), number, ply)
    if as_json:
        click.echo(json.dumps(_to_json(state, last), ensure_ascii=False))
        return
    from taiji.render.text import draw

    coloured = sys.stdout.isatty() if colour is None else colour
    drawn = draw(state, ascii=in_ascii, colour=coloured, last=last, counted=counted)
    click.echo(drawn, color=True if coloured else None)


def _found(text: str, number: int, ply: int | None) -> tuple[State, Move | None]:
    """Return the position that a text stands for, and the move that led to it where that is known."""
    from taiji.notation import parse_position

    if text.lower().startswith("tji") and " " in text:
        return parse_position(text), None
    if _is_record(text):
        return _from_file(text, number, ply)
    return load_game(text).start(), None


def _is_record(text: str) -> bool:
    """Tell whether a text names a file of records rather than a game, also where no such file exists."""
    if text.lower().endswith(DECLARATION_SUFFIX):
        return False
    return text == STDIN or text.lower().endswith(".tji") or "/" in text


def _from_file(file: str, number: int, ply: int | None) -> tuple[State, Move | None]:
    from taiji.notation import NotationError

    try:
        replay = _nth_record(file, number).replay()
    except NotationError as error:
        raise BadInput(f"{name_of(file)}: {error}") from error
    at = len(replay.moves) if ply is None else ply
    if at > len(replay.moves):
        raise BadInput(f"--ply {at}: the game has {len(replay.moves)}")
    return replay.states[at], replay.moves[at - 1] if at else None


def _nth_record(file: str, number: int) -> Record:
    """Return one game of a file; what is wrong with the games before it does not matter."""
    from taiji.notation import NotationError, RecordReader

    with open_source(file) as stream:
        reader = RecordReader(stream, check=False)
        games = 0
        while True:
            games += 1
            try:
                record = next(reader, None)
            except NotationError:
                if games == number:
                    raise
                continue
            if record is None:
                raise BadInput(f"{name_of(file)}: there is no game {number} in it, it holds {games - 1}")
            if games == number:
                return record


def _to_json(state: State, last: Move | None) -> dict[str, Any]:
    from taiji.notation import format_move, format_position

    scores = state.scores()
    outcome = state.outcome()
    winner = None if outcome is None or outcome.winner is None else ("light", "dark")[outcome.winner]
    return {
        "game": str(state.game),
        "position": format_position(state),
        "stage": state.rules.name,
        "ply": state.ply,
        "to_move": None if state.over else state.to_move.name.lower(),
        "legal": len(state.legal()),
        "over": state.over,
        "scores": {"light": scores.first, "dark": scores.second},
        "winner": winner,
        "last": None if last is None else format_move(state, last),
    }
