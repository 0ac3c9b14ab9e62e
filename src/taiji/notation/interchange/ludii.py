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

from taiji.notation.errors import NotationError, shown
from taiji.notation.interchange.courses import Found, Read, Referee, completed, judge, left_out
from taiji.notation.interchange.refusals import (
    MISSING_FIELD,
    NOT_EXPRESSIBLE,
    UNKNOWN_VARIANT,
    UNREADABLE,
    WRONG_RESULT,
    Refused,
)
from taiji.notation.records import Record, Result, Step
from taiji.rules import Adjacency, Colour, Game, Placement, bits, parse_game

GAME = "taiji:groups=1"
PATH = "/lud/board/space/group/Taiji.lud"
STEM = "taiji"
VERSION = "1.3.14"
LONGEST_TRIAL = 10_000
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


def read_ludii(stream: TextIO, referee: Referee = judge) -> Read:
    """Read the trials of a stream."""
    for trial in _trials(stream):
        if isinstance(trial, NotationError):
            yield trial
            continue
        try:
            yield _found(trial, referee)
        except Refused as error:
            yield Refused(error.why, error.message, line=error.line or trial.line, ply=error.ply)
        except NotationError as error:
            yield error


def _trials(stream: TextIO) -> Iterator[_Trial | Refused]:
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
                yield Refused(MISSING_FIELD, f"a trial begins with {_NAME}, not {shown(line)!r}", line=number)
                return
        elif line in ("START GAME OPTIONS", "END GAME OPTIONS"):
            in_options = line.startswith("START")
        elif in_options:
            trial.options.append(line)
        elif line.startswith("Move="):
            trial.too_long = trial.too_long or len(trial.moves) >= LONGEST_TRIAL
            if not trial.too_long:
                trial.moves.append((number, line))
        elif "=" in line and len(trial.ends) < LONGEST_TRIAL:
            key, _, value = line.partition("=")
            trial.ends.setdefault(key.strip(), value.strip())
    if trial is not None:
        yield trial


def _found(trial: _Trial, referee: Referee) -> Found:
    stem = re.split(r"[/\\]", trial.name)[-1].removesuffix(".lud").strip().lower()
    if stem != STEM:
        raise Refused(UNKNOWN_VARIANT, f"the game is {shown(trial.name, 60)}, not Ludii's Taiji")
    if any(trial.options):
        raise Refused(
            UNKNOWN_VARIANT, f"Ludii's Taiji has no options; this trial has {shown(trial.options[0])}"
        )
    if trial.too_long:
        raise Refused(UNREADABLE, f"a trial has at most {LONGEST_TRIAL:,} moves")
    record = Record(ludii_game(), tuple(_steps(trial.moves)))
    course = referee(record)
    plies = len(course.plies)
    said = trial.ends.get("winner")
    if course.outcome is None:
        if said is not None:
            raise Refused(WRONG_RESULT, f"winner={shown(said)}, but the moves stop before the end", ply=plies)
        return Found(completed(record, course), course)
    winner = course.outcome.winner
    expected = "0" if winner is None else str(winner + 1)
    if said not in (None, expected):
        raise Refused(WRONG_RESULT, f"winner={shown(str(said))}, by the rules it is {expected}", ply=plies)
    return Found(completed(record, course), course)


def _steps(moves: list[tuple[int, str]]) -> Iterator[Step]:
    """Put two moves of a player together into a turn."""
    board = ludii_game().stages[0].board
    for at in range(0, len(moves), 2):
        ply, mover = at // 2 + 1, at // 2 % 2 + 1
        halves: dict[int, int] = {}
        for order, (line, text) in enumerate(moves[at : at + 2]):
            match = _MOVE.match(text)
            if match is None:
                raise Refused(UNREADABLE, f"{shown(text, 60)} adds no piece", line=line, ply=ply)
            who, site, what = (int(group) for group in match.groups())
            if who != mover:
                raise Refused(UNREADABLE, f"player {who} moves out of turn", line=line, ply=ply)
            if what != (mover if order == 0 else 3 - mover):
                raise Refused(UNREADABLE, f"a piece of player {what} is out of order", line=line, ply=ply)
            if site >= board.size:
                raise Refused(UNREADABLE, f"site {site} is off the board", line=line, ply=ply)
            halves[what] = site
        if len(halves) < 2:
            raise Refused(UNREADABLE, "the last turn lacks its second half", line=moves[at][0], ply=ply)
        yield Step(f"{board.name(halves[1])}/{board.name(halves[2])}", place=(moves[at][0], 1))


def format_ludii(found: Found) -> str:
    """Write a game as a Ludii trial; raise where Ludii cannot tell it."""
    record, course = found.record, found.course
    if record.game != ludii_game():
        raise Refused(NOT_EXPRESSIBLE, f"Ludii's Taiji is {GAME}, this is {record.game}")
    if record.start is not None:
        raise Refused(NOT_EXPRESSIBLE, "a trial begins at the start of the game")
    if record.termination is not None and record.result is not Result.OPEN:
        raise Refused(
            NOT_EXPRESSIBLE, f"a trial ends by the rules, and this one was {record.termination.value}"
        )
    moves = _Moves(record.game)
    lines = [
        f"{_NAME}{PATH}",
        "START GAME OPTIONS",
        "END GAME OPTIONS",
        "RNG internal state=0,0,0,0,0,0,0,0",
        *(line for ply in course.plies for line in moves.of(ply.move, ply.colour)),
        "numInitialPlacementMoves=0",
    ]
    ranks = "0.0,0.0,0.0"
    if course.outcome is not None and course.outcome.winner is not None:
        lines += [f"winner={course.outcome.winner + 1}", "endtype=NaturalEnd"]
        ranks = "0.0,2.0,1.0" if course.outcome.winner else "0.0,1.0,2.0"
    return "\n".join([*lines, f"rankings={ranks}", "SANDBOX=false", f"LUDII_VERSION={VERSION}"])


class _Moves:
    """Writes half-moves, with the scores that Ludii keeps as it goes."""

    def __init__(self, game: Game) -> None:
        self._board = game.stages[0].board
        self._laid = {Colour.LIGHT: 0, Colour.DARK: 0}
        self._best = {Colour.LIGHT: 0, Colour.DARK: 0}

    def of(self, move: object, mover: Colour) -> Iterator[str]:
        """Yield the two moves of a turn, the mover's own square first."""
        assert isinstance(move, Placement)
        squares = {Colour.LIGHT: move.light, Colour.DARK: move.dark}
        for colour in (mover, mover.other):
            cell = next(bits(squares[colour]))
            self._laid[colour] |= squares[colour]
            actions = [f"[Add:type=Cell,to={cell},what={colour + 1},decision=true]"]
            groups = self._board.groups(self._laid[colour], Adjacency.EDGE)
            size = next(group.bit_count() for group in groups if group >> cell & 1)
            if size >= self._best[colour]:
                self._best[colour] = size
                actions.append(f"[SetScore:player={colour + 1},score={size}]")
            if colour is mover:
                actions.append(f"[SetNextPlayer:player={mover + 1}]")
            yield f"Move=[Move:mover={mover + 1},from={cell},to={cell},actions={','.join(actions)}]"


def lost_in_ludii(found: Found) -> tuple[str, ...]:
    """Say what of a game a trial leaves out."""
    tags = ("names and other tags left out",) if found.record.tags else ()
    return (*left_out(found.record), *tags)
