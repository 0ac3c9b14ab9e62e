"""Replay games: play every move by the rules, and compare what a record claims with what came out.

A `Replayer` plays move texts from a position. `replay_with_rules` does so with `State`; the kernel has a
faster one with the same result. Everything that replays records goes through one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from taiji.notation.records import Record, RecordedMove, Result, Score, Variation
from taiji.rules import Colour, IllegalMove, Move, Outcome, Scores, Seat, State
from taiji.rules.errors import NotationError
from taiji.rules.move_text import parse_move

if TYPE_CHECKING:
    from taiji.rules import Points


class ReplayedPly(NamedTuple):
    """One move and the position around it."""

    move: Move
    seat: Seat
    """The seat that moved."""
    colour: Colour
    """The colour that this seat played."""
    stage: int
    """Index of the stage before the move."""
    choices: int
    """Number of legal moves before the move."""
    scores: Scores
    """Totals by seat after the move."""


@dataclass(frozen=True, slots=True)
class ReplayedPlies:
    """A game ply by ply, and its outcome by the rules: None if the game is not over."""

    plies: tuple[ReplayedPly, ...]
    outcome: Outcome | None


Replayer = Callable[[State, Sequence[str]], ReplayedPlies]
"""Play move texts from a position; raise `NotationError` with the ply at an invalid or illegal move."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The positions of a record: one more than moves."""

    states: tuple[State, ...]
    moves: tuple[Move, ...]
    problems: tuple[str, ...]
    """Claims of the record that contradict the rules."""

    @property
    def last(self) -> State:
        """The position after the last move."""
        return self.states[-1]


def play_texts(state: State, texts: Iterable[str]) -> Iterator[tuple[Move, State]]:
    """Play move texts; yield each move with the position after it."""
    for text in texts:
        ply = state.ply + 1
        try:
            move = parse_move(state, text)
            state = state.play(move)
        except IllegalMove as error:
            raise NotationError(str(error), ply=ply, reason=error.reason) from error
        except NotationError as error:
            raise error.at(ply=ply) from error
        yield move, state


def replay_with_rules(start: State, texts: Sequence[str]) -> ReplayedPlies:
    """Replay moves with `State`; the kernel's replayer is many times faster."""
    before = start
    plies = []
    for move, after in play_texts(start, texts):
        seat, colour, stage = before.seat_to_move, before.colour_to_move, before.stage_index
        plies.append(ReplayedPly(move, seat, colour, stage, len(before.legal()), after.scores()))
        before = after
    return ReplayedPlies(tuple(plies), before.outcome())


def replay_record(record: Record, replayer: Replayer = replay_with_rules) -> ReplayedPlies:
    """Replay the moves of a record; errors also name the line, the column and the move."""
    try:
        return replayer(record.first, record.moves)
    except NotationError as error:
        if error.ply is None:
            raise
        raise _locate(error, record.steps[error.ply - record.first.ply - 1]) from error


def replay(record: Record) -> Replay:
    """Play the moves of a record and check its result, score and termination."""
    states = [record.first]
    moves = []
    for step in record.steps:
        move, state = _play_recorded(states[-1], step)
        moves.append(move)
        states.append(state)
    return Replay(tuple(states), tuple(moves), tuple(check_claims(record, states[-1].outcome())))


def validate(record: Record) -> Record:
    """Return the record with all moves, variations included, checked and in canonical form."""
    return replace(record, steps=_validate_moves(record.first, record.steps))


def _validate_moves(state: State, steps: tuple[RecordedMove, ...]) -> tuple[RecordedMove, ...]:
    validated = []
    for step in steps:
        move, after = _play_recorded(state, step)
        lines = tuple(Variation(_validate_moves(state, line.steps), line.comment) for line in step.variations)
        validated.append(replace(step, move=str(move), variations=lines))
        state = after
    return tuple(validated)


def _play_recorded(state: State, recorded: RecordedMove) -> tuple[Move, State]:
    try:
        return next(play_texts(state, (recorded.move,)))
    except NotationError as error:
        raise _locate(error, recorded) from error


def _locate(error: NotationError, recorded: RecordedMove) -> NotationError:
    """Return the error with the place of a move; one that concerns the whole move quotes it."""
    line, column = recorded.source_pos or (None, None)
    if error.column is None and error.reason is not None:
        message = f"{recorded.move}: {error.message}"
        return NotationError(message, line=line, column=column, ply=error.ply, reason=error.reason)
    return error.at(line=line, column=column)


def check_claims(record: Record, outcome: Outcome | None) -> list[str]:
    """Return the claims of a record about its end that contradict this outcome; None means it is not over."""
    problems = []
    if outcome is None:
        if record.result is not Result.OPEN and record.termination is None:
            problems.append(
                f"the record says {record.result.value}, but the game is not over and Termination is missing"
            )
        return problems
    result, score = Result.of(outcome), Score(*outcome.scores)
    if record.result not in (result, Result.OPEN):
        problems.append(f"the record says {record.result.value}, by the rules it is {result.value}")
    if record.termination is not None:
        problems.append(f"the record says {record.termination.value}, but the game was played to its end")
    if record.score not in (score, None):
        claimed = format_score(record.score)
        problems.append(f"the record says {claimed}, by the rules it is {format_score(score)}")
    return problems


def format_score(score: Score) -> str:
    """Format a score, `13-10` or `13.5-10`."""
    return f"{_format_points(score.light)}-{_format_points(score.dark)}"


def _format_points(points: Points) -> str:
    return str(int(points)) if points == int(points) else str(points)
