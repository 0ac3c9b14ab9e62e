"""Read and write Ludii's trial files of its Taiji.

Ludii's Taiji is 9×9 and counts the largest group: `taiji:groups=1`. A turn there is two moves of one player:
a square of the mover's colour, then an adjacent one of the other colour. Sites count from the bottom left,
row by row, as cells do here. A file holds one trial; files with several are read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TextIO

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
    describe_omissions,
    fill_in_result,
)
from taiji.notation.records import Record, RecordedMove, Result
from taiji.notation.replays import Replayer, replay_record, replay_with_rules
from taiji.rules import Adjacency, Colour, Game, Placement, bits, parse_game
from taiji.rules.errors import NotationError, excerpt

GAME = "taiji:groups=1"
PATH = "/lud/board/space/group/Taiji.lud"
STEM = "taiji"
VERSION = "1.3.14"
MAX_TRIAL_MOVES = 10_000
"""Maximum number of moves and of other lines in a trial; a game of Taiji has at most 80 moves."""

_NAME = "game="
_MOVE = re.compile(r"Move=\[Move:mover=(\d{1,9}),.*?\[Add:[^\]]*?\bto=(\d{1,9}),[^\]]*?\bwhat=(\d{1,9})\b")


@dataclass(slots=True)
class _Trial:
    """The lines of one trial that are used; moves come with their line numbers."""

    line: int
    name: str
    options: list[str] = field(default_factory=list)
    moves: list[tuple[int, str]] = field(default_factory=list)
    ends: dict[str, str] = field(default_factory=dict)
    too_long: bool = False


@cache
def ludii_game() -> Game:
    """Return Ludii's Taiji as a game."""
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
            yield error.with_line(trial.line)
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
                problem = f"unexpected {excerpt(line)!r} (expected {_NAME}…)"
                yield ConversionError(MISSING_FIELD, problem, line=number)
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
        problem = f"unknown game {excerpt(trial.name, 60)!r} (expected {PATH})"
        raise ConversionError(UNKNOWN_VARIANT, problem)
    if any(trial.options):
        problem = f"unknown option {excerpt(trial.options[0])!r} (Ludii's Taiji has none)"
        raise ConversionError(UNKNOWN_VARIANT, problem)
    if trial.too_long:
        raise ConversionError(UNREADABLE, f"trial too long (maximum {MAX_TRIAL_MOVES:,} moves)")
    record = Record(ludii_game(), tuple(_pair_moves(trial.moves)))
    replayed = replay_record(record, replayer)
    plies = len(replayed.plies)
    claimed = trial.ends.get("winner")
    if replayed.outcome is None and claimed is not None:
        problem = f"winner={excerpt(claimed)}, but the moves stop before the end"
        raise ConversionError(WRONG_RESULT, problem, ply=plies)
    if replayed.outcome is not None:
        winner = replayed.outcome.winner
        expected = "0" if winner is None else str(winner + 1)
        if claimed not in (None, expected):
            problem = f"winner={excerpt(str(claimed))}, by the rules it is {expected}"
            raise ConversionError(WRONG_RESULT, problem, ply=plies)
    return ImportedGame(fill_in_result(record, replayed), replayed)


def _pair_moves(moves: list[tuple[int, str]]) -> Iterator[RecordedMove]:
    """Yield one move of ours for each two moves of a player."""
    board = ludii_game().stages[0].board
    for index in range(0, len(moves), 2):
        ply, player_to_move = index // 2 + 1, index // 2 % 2 + 1
        halves: dict[int, int] = {}
        for order, (line, text) in enumerate(moves[index : index + 2]):
            match = _MOVE.match(text)
            if match is None:
                problem = f"{excerpt(text, 60)!r} does not add a piece"
                raise ConversionError(UNREADABLE, problem, line=line, ply=ply)
            player, site, what = (int(group) for group in match.groups())
            if player != player_to_move:
                raise ConversionError(UNREADABLE, f"player {player} moves out of turn", line=line, ply=ply)
            if what != (player_to_move if order == 0 else 3 - player_to_move):
                problem = f"piece of player {what} out of order"
                raise ConversionError(UNREADABLE, problem, line=line, ply=ply)
            if site >= board.size:
                raise ConversionError(UNREADABLE, f"site {site} is off the board", line=line, ply=ply)
            halves[what] = site
        if len(halves) < 2:
            problem = "the last turn lacks its second move"
            raise ConversionError(UNREADABLE, problem, line=moves[index][0], ply=ply)
        text = f"{board.name(halves[1])}/{board.name(halves[2])}"
        yield RecordedMove(text, source_pos=(moves[index][0], 1))


def format_ludii(imported: ImportedGame) -> str:
    """Format a game as a Ludii trial; raise `ConversionError` if the format cannot hold it."""
    record, replayed = imported.record, imported.replayed
    if record.game != ludii_game():
        raise ConversionError(UNSUPPORTED, f"Ludii has no {record.game} (expected {GAME})")
    if record.start is not None:
        raise ConversionError(UNSUPPORTED, "Ludii's trials start at the beginning of the game")
    if record.termination is not None and record.result is not Result.OPEN:
        problem = f"Ludii's trials end by the rules, this game was {record.termination.value}"
        raise ConversionError(UNSUPPORTED, problem)
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
    """Formats moves with the running scores that Ludii writes."""

    def __init__(self, game: Game) -> None:
        self._board = game.stages[0].board
        self._squares = {Colour.LIGHT: 0, Colour.DARK: 0}
        self._best = {Colour.LIGHT: 0, Colour.DARK: 0}

    def lines(self, move: object, colour_to_move: Colour) -> Iterator[str]:
        """Yield the two moves of a turn, the square of the mover's colour first."""
        assert isinstance(move, Placement)
        player = colour_to_move + 1
        squares = {Colour.LIGHT: move.light, Colour.DARK: move.dark}
        for colour in (colour_to_move, colour_to_move.other):
            cell = next(bits(squares[colour]))
            self._squares[colour] |= squares[colour]
            actions = [f"[Add:type=Cell,to={cell},what={colour + 1},decision=true]"]
            groups = self._board.groups(self._squares[colour], Adjacency.EDGE)
            size = next(group.bit_count() for group in groups if group >> cell & 1)
            if size >= self._best[colour]:
                self._best[colour] = size
                actions.append(f"[SetScore:player={colour + 1},score={size}]")
            if colour is colour_to_move:
                actions.append(f"[SetNextPlayer:player={player}]")
            yield f"Move=[Move:mover={player},from={cell},to={cell},actions={','.join(actions)}]"


def omitted_from_ludii(imported: ImportedGame) -> tuple[str, ...]:
    """Return notes on what a trial leaves out of a game."""
    tags = ("names and other tags left out",) if imported.record.tags else ()
    return (*describe_omissions(imported.record), *tags)
