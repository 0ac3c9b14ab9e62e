"""The course of a game: every ply as the rules judge it, which all formats are written from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from taiji.notation.errors import NotationError
from taiji.notation.interchange.refusals import WRONG_RESULT, Refused
from taiji.notation.moves import format_move
from taiji.notation.records import Record, Result, Score
from taiji.notation.replays import claims_denied, play_step
from taiji.rules import Colour, Game, Move, Outcome, Scores, Seat


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn."""

    move: Move
    mover: Seat
    colour: Colour
    """The colour that the mover plays now."""
    stage: int
    """The stage in which it was played."""
    choices: int
    """How many moves there were to choose from."""
    scores: Scores
    """The totals by seat after it."""


@dataclass(frozen=True, slots=True)
class Course:
    """A game move by move, and how it ended by the rules: None where it has not."""

    plies: tuple[Ply, ...]
    outcome: Outcome | None


Referee = Callable[[Record], Course]
"""Judges a record; raises `NotationError` with its place and ply at a move that is not allowed."""


@dataclass(frozen=True, slots=True)
class Found:
    """A game that was read and checked, with what there is to say about it."""

    record: Record
    course: Course
    notes: tuple[str, ...] = ()


Read = Iterator[Found | NotationError]
"""Games of a stream in order; an error stands for one that is refused."""


def judge(record: Record) -> Course:
    """Judge a record by the rules' own states; a referee with the kernel's is much faster."""
    state = record.first
    plies = []
    for step in record.steps:
        mover, colour, stage, choices = state.mover, state.to_move, state.stage, len(state.legal())
        move, state = play_step(state, step)
        plies.append(Ply(move, mover, colour, stage, choices, state.scores()))
    return Course(tuple(plies), state.outcome())


def checked_by(referee: Referee, record: Record) -> Found:
    """Return a record whose moves and claims are right, its result and score filled in where they follow."""
    course = referee(record)
    denied = claims_denied(record, course.outcome)
    if denied:
        raise Refused(WRONG_RESULT, denied[0], ply=len(course.plies))
    return Found(completed(record, course), course)


def completed(record: Record, course: Course) -> Record:
    """Return a record with its moves in canonical form, and the result and score that follow from them."""
    texts = move_texts(record.game)
    steps = tuple(
        step if step.move == texts[ply.move.number] else replace(step, move=texts[ply.move.number])
        for step, ply in zip(record.steps, course.plies, strict=True)
    )
    if course.outcome is None:
        return replace(record, steps=steps)
    return replace(record, steps=steps, result=Result.of(course.outcome), score=Score(*course.outcome.scores))


@lru_cache(maxsize=16)
def move_texts(game: Game) -> tuple[str, ...]:
    """Return the text of every action of a game by its number."""
    return tuple(format_move(game, game.move(number)) for number in range(game.actions))


def left_out(record: Record, *kept: str) -> tuple[str, ...]:
    """Say what of a record a format leaves out, except for what it keeps."""
    parts = {
        "comments": bool(record.comment) or any(step.comment for step in record.steps),
        "clocks": any(step.clock is not None for step in record.steps),
        "evaluations": any(step.evaluation is not None for step in record.steps),
        "glyphs": any(step.nags for step in record.steps),
        "variations": any(step.variations for step in record.steps),
    }
    lost = [name for name, there in parts.items() if there and name not in kept]
    return (f"{' and '.join(lost)} left out",) if lost else ()
