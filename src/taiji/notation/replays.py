"""Replaying a record: every move against the rules, and what the record claims against what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from taiji.notation.errors import NotationError
from taiji.notation.moves import format_move, parse_move
from taiji.notation.records import Line, Record, Result, Score, Step
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
        move, state = play_step(states[-1], step)
        moves.append(move)
        states.append(state)
    return Replay(tuple(states), tuple(moves), tuple(claims_denied(record, states[-1].outcome())))


def play_step(state: State, step: Step) -> tuple[Move, State]:
    """Play one step; raise `NotationError` with its place and ply where it is garbled or illegal."""
    line, column = step.place or (None, None)
    ply = state.ply + 1
    try:
        move = parse_move(state, step.move)
        return move, state.play(move)
    except IllegalMove as error:
        message = f"{step.move}: {error}"
        raise NotationError(message, line=line, column=column, ply=ply, reason=error.reason) from error
    except NotationError as error:
        raise error.at(line=line, column=column, ply=ply) from error


def checked(record: Record) -> Record:
    """Return the record with every move, variations included, legal and in canonical form."""
    return replace(record, steps=_checked(record.first, record.steps))


def _checked(state: State, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    found = []
    for step in steps:
        move, after = play_step(state, step)
        lines = tuple(Line(_checked(state, line.steps), line.comment) for line in step.variations)
        found.append(replace(step, move=format_move(state, move), variations=lines))
        state = after
    return tuple(found)


def claims_denied(record: Record, outcome: Outcome | None) -> list[str]:
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
    return f"{_points(score.light)}-{_points(score.dark)}"


def _points(points: Points) -> str:
    return str(int(points)) if points == int(points) else str(points)
