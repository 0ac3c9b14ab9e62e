"""Ludii trial files of its Taiji, read and written.

Ludii's Taiji is 9×9 and counts the largest group: `taiji:groups=1`. A turn there is two moves of one player:
a square of one's own colour, then one of the other's beside it. Sites count from the bottom left, row by row,
as cells do here. A file holds one trial; several in a row are understood too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TextIO

from taiji.notation.errors import NotationError, excerpt
from taiji.notation.interchange.errors import (
    MISSING_FIELD,
    UNKNOWN_VARIANT,
    UNREADABLE,
    UNSUPPORTED,
    WRONG_RESULT,
    ConversionError,
)
from taiji.notation.interchange.replayed import (
    ImportedGame,
    ImportStream,
    Replayer,
    describe_omissions,
    fill_in_result,
    replay_with_rules,
)
from taiji.notation.records import Record, RecordedMove, Result
from taiji.rules import Adjacency, Colour, Game, Placement, bits, parse_game

GAME = "taiji:groups=1"
PATH = "/lud/board/space/group/Taiji.lud"
STEM = "taiji"
VERSION = "1.3.14"
MAX_TRIAL_MOVES = 10_000
"""How many lines a trial may have; one of this game has at most 81 moves."""

_NAME = "game="
_MOVE = re.compile(r"Move=\[Move:mover=(\d+),.*?\[Add:[^\]]*?\bto=(\d+),[^\]]*?\bwhat=(\d+)")


@dataclass(slots=True)
class _Trial:
    """The lines of one trial that matter, each with its number."""

    line: int
    name: str
    options: list[str] = field(default_factory=list)
    moves: list[tuple[int, str]] = field(default_factory=list)
    ends: dict[str, str] = field(default_factory=dict)
    too_long: bool = False


@cache
def ludii_game() -> Game:
    """Return the game that Ludii's Taiji is."""
    return parse_game(GAME)


def read_ludii(stream: TextIO, replayer: Replayer = replay_with_rules) -> ImportStream:
    """Read the trials of a stream."""
    for trial in _trials(stream):
        if isinstance(trial, NotationError):
            yield trial
            continue
        try:
            yield _import_trial(trial, replayer)
        except ConversionError as error:
            yield ConversionError(error.category, error.message, line=error.line or trial.line, ply=error.ply)
        except NotationError as error:
            yield error


def _trials(stream: TextIO) -> Iterator[_Trial | ConversionError]:
    trial: _Trial | None = None
    in_options = False
    for number, raw in enumerate(stream, 1):
        line = raw.strip()
        if line.startswith(_NAME):
            if trial is not None:
                yield trial
            trial, in_options = _Trial(number, line.removeprefix(_NAME)), False
        elif trial is None:
            if line:
                yield ConversionError(
                    MISSING_FIELD, f"a trial begins with {_NAME}, not {excerpt(line)!r}", line=number
                )
                return
        elif line in ("START GAME OPTIONS", "END GAME OPTIONS"):
            in_options = line.startswith("START")
        elif in_options:
            trial.options.append(line)
        elif line.startswith("Move="):
            trial.too_long = trial.too_long or len(trial.moves) >= MAX_TRIAL_MOVES
            if not trial.too_long:
                trial.moves.append((number, line))
        elif "=" in line and len(trial.ends) < MAX_TRIAL_MOVES:
            key, _, value = line.partition("=")
            trial.ends.setdefault(key.strip(), value.strip())
    if trial is not None:
        yield trial


def _import_trial(trial: _Trial, replayer: Replayer) -> ImportedGame:
    stem = re.split(r"[/\\]", trial.name)[-1].removesuffix(".lud").strip().lower()
    if stem != STEM:
        raise ConversionError(UNKNOWN_VARIANT, f"the game is {excerpt(trial.name, 60)}, not Ludii's Taiji")
    if any(trial.options):
        raise ConversionError(
            UNKNOWN_VARIANT, f"Ludii's Taiji has no options; this trial has {excerpt(trial.options[0])}"
        )
    if trial.too_long:
        raise ConversionError(UNREADABLE, f"a trial has at most {MAX_TRIAL_MOVES:,} moves")
    record = Record(ludii_game(), tuple(_pair_moves(trial.moves)))
    replayed = replayer(record)
    plies = len(replayed.plies)
    claimed = trial.ends.get("winner")
    if replayed.outcome is None:
        if claimed is not None:
            raise ConversionError(
                WRONG_RESULT, f"winner={excerpt(claimed)}, but the moves stop before the end", ply=plies
            )
        return ImportedGame(fill_in_result(record, replayed), replayed)
    winner = replayed.outcome.winner
    expected = "0" if winner is None else str(winner + 1)
    if claimed not in (None, expected):
        raise ConversionError(
            WRONG_RESULT, f"winner={excerpt(str(claimed))}, by the rules it is {expected}", ply=plies
        )
    return ImportedGame(fill_in_result(record, replayed), replayed)


def _pair_moves(moves: list[tuple[int, str]]) -> Iterator[RecordedMove]:
    """Put two moves of a player together into a turn."""
    board = ludii_game().stages[0].board
    for at in range(0, len(moves), 2):
        ply, mover = at // 2 + 1, at // 2 % 2 + 1
        halves: dict[int, int] = {}
        for order, (line, text) in enumerate(moves[at : at + 2]):
            match = _MOVE.match(text)
            if match is None:
                raise ConversionError(UNREADABLE, f"{excerpt(text, 60)} adds no piece", line=line, ply=ply)
            who, site, what = (int(group) for group in match.groups())
            if who != mover:
                raise ConversionError(UNREADABLE, f"player {who} moves out of turn", line=line, ply=ply)
            if what != (mover if order == 0 else 3 - mover):
                raise ConversionError(
                    UNREADABLE, f"a piece of player {what} is out of order", line=line, ply=ply
                )
            if site >= board.size:
                raise ConversionError(UNREADABLE, f"site {site} is off the board", line=line, ply=ply)
            halves[what] = site
        if len(halves) < 2:
            raise ConversionError(
                UNREADABLE, "the last turn lacks its second half", line=moves[at][0], ply=ply
            )
        yield RecordedMove(f"{board.name(halves[1])}/{board.name(halves[2])}", source_pos=(moves[at][0], 1))


def format_ludii(imported: ImportedGame) -> str:
    """Write a game as a Ludii trial; raise where Ludii cannot tell it."""
    record, replayed = imported.record, imported.replayed
    if record.game != ludii_game():
        raise ConversionError(UNSUPPORTED, f"Ludii's Taiji is {GAME}, this is {record.game}")
    if record.start is not None:
        raise ConversionError(UNSUPPORTED, "a trial begins at the start of the game")
    if record.termination is not None and record.result is not Result.OPEN:
        raise ConversionError(
            UNSUPPORTED, f"a trial ends by the rules, and this one was {record.termination.value}"
        )
    moves = _MoveWriter(record.game)
    lines = [
        f"{_NAME}{PATH}",
        "START GAME OPTIONS",
        "END GAME OPTIONS",
        "RNG internal state=0,0,0,0,0,0,0,0",
        *(line for ply in replayed.plies for line in moves.lines(ply.move, ply.colour)),
        "numInitialPlacementMoves=0",
    ]
    ranks = "0.0,0.0,0.0"
    if replayed.outcome is not None and replayed.outcome.winner is not None:
        lines += [f"winner={replayed.outcome.winner + 1}", "endtype=NaturalEnd"]
        ranks = "0.0,2.0,1.0" if replayed.outcome.winner else "0.0,1.0,2.0"
    return "\n".join([*lines, f"rankings={ranks}", "SANDBOX=false", f"LUDII_VERSION={VERSION}"])


class _MoveWriter:
    """Writes half-moves, with the scores that Ludii keeps as it goes."""

    def __init__(self, game: Game) -> None:
        self._board = game.stages[0].board
        self._squares = {Colour.LIGHT: 0, Colour.DARK: 0}
        self._best = {Colour.LIGHT: 0, Colour.DARK: 0}

    def lines(self, move: object, mover: Colour) -> Iterator[str]:
        """Yield the two moves of a turn, the mover's own square first."""
        assert isinstance(move, Placement)
        squares = {Colour.LIGHT: move.light, Colour.DARK: move.dark}
        for colour in (mover, mover.other):
            cell = next(bits(squares[colour]))
            self._squares[colour] |= squares[colour]
            actions = [f"[Add:type=Cell,to={cell},what={colour + 1},decision=true]"]
            groups = self._board.groups(self._squares[colour], Adjacency.EDGE)
            size = next(group.bit_count() for group in groups if group >> cell & 1)
            if size >= self._best[colour]:
                self._best[colour] = size
                actions.append(f"[SetScore:player={colour + 1},score={size}]")
            if colour is mover:
                actions.append(f"[SetNextPlayer:player={mover + 1}]")
            yield f"Move=[Move:mover={mover + 1},from={cell},to={cell},actions={','.join(actions)}]"


def omitted_from_ludii(imported: ImportedGame) -> tuple[str, ...]:
    """Say what of a game a trial leaves out."""
    tags = ("names and other tags left out",) if imported.record.tags else ()
    return (*describe_omissions(imported.record), *tags)
