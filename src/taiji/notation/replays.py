"""Replaying a record: every move against the rules, and what the record claims against what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from taiji.notation.errors import NotationError
from taiji.notation.moves import format_move, parse_move
from taiji.notation.records import Record, RecordedMove, Result, Score, Variation
from taiji.rules import IllegalMove

if TYPE_CHECKING:
    from taiji.rules import Move, Outcome, Points, State


@dataclass(frozen=True, slots=True)
class Replay:
    """The positions of a record: one more than moves."""

    states: tuple[State, ...]
    moves: tuple[Move, ...]
    problems: tuple[str, ...]
    """What the record claims though the rules say other."""

    @property
    def last(self) -> State:
        """The position after the last move."""
        return self.states[-1]


def replay(record: Record) -> Replay:
    """Play a record's moves and check its result, score and termination."""
    states = [record.first]
    moves = []
    for step in record.steps:
        move, state = play_recorded_move(states[-1], step)
        moves.append(move)
        states.append(state)
    return Replay(tuple(states), tuple(moves), tuple(check_claims(record, states[-1].outcome())))


def play_recorded_move(state: State, recorded: RecordedMove) -> tuple[Move, State]:
    """Play one step; raise `NotationError` with its place and ply where it is garbled or illegal."""
    line, column = recorded.source_pos or (None, None)
    ply = state.ply + 1
    try:
        move = parse_move(state, recorded.move)
        return move, state.play(move)
    except IllegalMove as error:
        message = f"{recorded.move}: {error}"
        raise NotationError(message, line=line, column=column, ply=ply, reason=error.reason) from error
    except NotationError as error:
        raise error.at(line=line, column=column, ply=ply) from error


def validate(record: Record) -> Record:
    """Return the record with every move, variations included, legal and in canonical form."""
    return replace(record, steps=_validate_moves(record.first, record.steps))


def _validate_moves(state: State, steps: tuple[RecordedMove, ...]) -> tuple[RecordedMove, ...]:
    found = []
    for step in steps:
        move, after = play_recorded_move(state, step)
        lines = tuple(Variation(_validate_moves(state, line.steps), line.comment) for line in step.variations)
        found.append(replace(step, move=format_move(state, move), variations=lines))
        state = after
    return tuple(found)


def check_claims(record: Record, outcome: Outcome | None) -> list[str]:
    """Say what a record claims about its end though the rules say other; no outcome means it is not over."""
    found = []
    if outcome is None:
        if record.result is not Result.OPEN and record.termination is None:
            said = f"the record says {record.result.value}"
            found.append(f"{said}, but the game is not over and no Termination says why")
        return found
    result, score = Result.of(outcome), Score(*outcome.scores)
    if record.result not in (result, Result.OPEN):
        found.append(f"the record says {record.result.value}, by the rules it is {result.value}")
    if record.termination is not None:
        found.append(f"the record says {record.termination.value}, but the game was played to its end")
    if record.score not in (score, None):
        found.append(
            f"the record says {format_score(record.score)}, by the rules it is {format_score(score)}"
        )
    return found


def format_score(score: Score) -> str:
    """Write a score, `13-10` or `13.5-10`."""
    return f"{_format_points(score.light)}-{_format_points(score.dark)}"


def _format_points(points: Points) -> str:
    return str(int(points)) if points == int(points) else str(points)
