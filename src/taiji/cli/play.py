"""`taiji play`: play in the terminal, full-screen or line by line."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._completions import complete_game, complete_opponent
from taiji.cli._games import DECLARATION_SUFFIX, load_declaration, load_game
from taiji.cli._options import GAMES, game_files, target_text
from taiji.cli._output import supports_unicode, use_colour
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.terminal.saves import Saves
    from taiji.terminal.session import Session, Setup


@click.command("play")
@click.argument("game", required=False, metavar="[GAME|FILE.tji]", shell_complete=complete_game)
@GAMES
@click.option(
    "--light",
    metavar="WHO",
    shell_complete=complete_opponent,
    help="Who plays Light (White, X): person, level:1 to level:10, or any player.",
)
@click.option("--dark", metavar="WHO", shell_complete=complete_opponent, help="Who plays Dark (Black, O).")
@click.option(
    "--clock", metavar="MIN+SEC", help="Minutes per game and increment in seconds per move, such as 10+5."
)
@click.option(
    "--match", "in_match", is_flag=True, help="Play two games with colours exchanged and add the scores."
)
@click.option("--resume", is_flag=True, help="Resume the newest unfinished game.")
@click.option(
    "--plain", is_flag=True, help="Play line by line: for pipes, slow connections and screen readers."
)
@click.option("--ascii", "in_ascii", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--no-board", is_flag=True, help="With --plain: do not draw the board after each move.")
@click.option("--seed", type=int, help="Seed of the computer players, for repeatable games.")
@game_files(keep=True)
def command(
    game: str | None,
    games: tuple[str, ...],
    light: str | None,
    dark: str | None,
    clock: str | None,
    in_match: bool,
    resume: bool,
    plain: bool,
    in_ascii: bool,
    no_board: bool,
    seed: int | None,
    game_files: tuple[Path, ...],
) -> None:
    r"""Play a game against a person or the computer; without arguments, choose from a menu.

    GAME is a game text (see `taiji games`), an edition, or a file of records to continue from. An unfinished
    game is always saved. If the terminal cannot show a full screen, the game is played line by line.

    \b
    Examples:
      taiji play
      taiji play taiji:size=7 --dark level:5
      taiji play blue-panther --match --clock 10+5
      taiji play --plain tailits --light greedy
      taiji play --resume
    """
    if games:
        game_files += tuple(Path(text) for text in games if text.lower().endswith(DECLARATION_SUFFIX))
        game = target_text((game,) if game else (), games)
    from taiji.terminal.saves import Saves

    saves = Saves()
    session = _session(game, light, dark, clock, in_match, resume, game_files, saves)
    if not plain and find_spec("textual") is None:
        click.echo("no full screen: textual is not installed (pip install 'taiji[terminal]')", err=True)
        plain = True
    if plain or not _can_show_screens():
        _play_plain(session, saves, in_ascii, not no_board, seed)
        return
    from taiji.terminal.app import play_full_screen

    play_full_screen(session, saves, ascii_only=in_ascii or not supports_unicode(), seed=seed)


def _session(
    game: str | None,
    light: str | None,
    dark: str | None,
    clock: str | None,
    in_match: bool,
    resume: bool,
    game_files: tuple[Path, ...],
    saves: Saves,
) -> Session | None:
    """Return the session that the arguments ask for, or None if a menu should ask."""
    from taiji.terminal.session import Session

    options = [name for name, value in (("--light", light), ("--dark", dark), ("--clock", clock)) if value]
    options += ["--match"] if in_match else []
    if resume:
        if game or options:
            raise click.UsageError(
                f"--resume keeps the settings of the saved game: leave out {game or options[0]}"
            )
        unfinished = saves.unfinished()
        if not unfinished:
            raise BadInput(" ".join([*saves.warnings, "no unfinished game found"]))
        return Session.resume(unfinished[0], saves)
    if game is None:
        if options:
            raise click.UsageError(f"{options[0]}: give a game too, such as: taiji play taiji {options[0]} …")
        return None
    if game.lower().endswith(".tji"):
        if options:
            raise click.UsageError(f"{game}: the record names the players: leave out {options[0]}")
        return _from_file(Path(game), saves)
    return Session.begin(_setup(game, light, dark, clock, in_match, game_files), saves)


def _setup(
    text: str,
    light: str | None,
    dark: str | None,
    clock: str | None,
    in_match: bool,
    game_files: tuple[Path, ...],
) -> Setup:
    from taiji.rules import match_rule
    from taiji.terminal.clocks import TimeControl
    from taiji.terminal.opponents import PERSON, is_person, opponent
    from taiji.terminal.session import Setup

    game = load_game(text)
    players = (light or PERSON, dark or PERSON)
    for who in players:
        if not is_person(who):
            opponent(who).close()
    game_file = str(Path(text).resolve()) if text.lower().endswith(DECLARATION_SUFFIX) else ""
    if not game_file:
        game_file = next((str(path.resolve()) for path in game_files if load_declaration(path) == game), "")
    control = TimeControl.parse(clock) if clock else None
    return Setup(game, players, control, match_rule(text) if in_match else None, game_file)


def _from_file(path: Path, saves: Saves) -> Session:
    """Continue the last game of a file; the file itself is not changed."""
    from dataclasses import replace
    from datetime import datetime

    from taiji.notation import Result, open_records, read_records
    from taiji.terminal.opponents import PERSON, is_person, opponent
    from taiji.terminal.saves import Saved
    from taiji.terminal.session import Session

    with open_records(path) as stream:
        records = list(read_records(stream))
    if not records:
        raise BadInput(f"{path}: no games found")
    record = records[-1]
    players = {}
    for side in ("Light", "Dark"):
        who = record.tag(side, PERSON)
        try:
            if not is_person(who):
                opponent(who).close()
            players[side] = who
        except ValueError:
            players[side] = PERSON  # not the name of a computer player
    tags = {**dict(record.tags), **players}
    tags.pop("Match", None)
    record = replace(record, tags=tuple(tags.items()), result=Result.OPEN, score=None, termination=None)
    path = saves.new_path(str(record.game), datetime.now().astimezone())
    return Session.resume(Saved(path, (record,), 0.0), saves)


def _play_plain(session: Session | None, saves: Saves, in_ascii: bool, board: bool, seed: int | None) -> None:
    from taiji.terminal.plain import Plain
    from taiji.terminal.questions import ask_for_session
    from taiji.terminal.stdio import exit_on_signals, read_line, write_line

    with exit_on_signals():
        chosen = session or ask_for_session(read_line, write_line, saves)
        if chosen is None:
            return
        dumb = os.environ.get("TERM", "") in ("dumb", "") and sys.stdout.isatty()
        Plain(
            chosen,
            read_line,
            write_line,
            ascii=in_ascii or dumb or not supports_unicode(),
            colour=use_colour(),
            board=board,
            interactive=sys.stdin.isatty(),
            seed=seed,
        ).run()


def _can_show_screens() -> bool:
    """Return whether stdin and stdout are a terminal with cursor control."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
