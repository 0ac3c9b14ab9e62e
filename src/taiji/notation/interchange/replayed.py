"""The course of a game: every ply as the rules judge it, which all formats are written from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from taiji.notation.errors import NotationError
from taiji.notation.interchange.errors import WRONG_RESULT, ConversionError
from taiji.notation.moves import format_move
from taiji.notation.records import Record, Result, Score
from taiji.notation.replays import check_claims, play_recorded_move
from taiji.rules import Colour, Game, Move, Outcome, Scores, Seat


@dataclass(frozen=True, slots=True)
class ReplayedPly:
    """One turn."""

    move: Move
    seat: Seat
    colour: Colour
    """The colour that the mover plays now."""
    stage: int
    """The stage in which it was played."""
    choices: int
    """How many moves there were to choose from."""
    scores: Scores
    """The totals by seat after it."""


@dataclass(frozen=True, slots=True)
class ReplayedPlies:
    """A game move by move, and how it ended by the rules: None where it has not."""

    plies: tuple[ReplayedPly, ...]
    outcome: Outcome | None


Replayer = Callable[[Record], ReplayedPlies]
"""Judges a record; raises `NotationError` with its place and ply at a move that is not allowed."""


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A game that was read and checked, with what there is to say about it."""

    record: Record
    replayed: ReplayedPlies
    notes: tuple[str, ...] = ()


ImportStream = Iterator[ImportedGame | NotationError]
"""Games of a stream in order; an error stands for one that is refused."""


def replay_with_rules(record: Record) -> ReplayedPlies:
    """Judge a record by the rules' own states; a referee with the kernel's is much faster."""
    state = record.first
    plies = []
    for step in record.steps:
        mover, colour, stage, choices = (
            state.seat_to_move,
            state.colour_to_move,
            state.stage_index,
            len(state.legal()),
        )
        move, state = play_recorded_move(state, step)
        plies.append(ReplayedPly(move, mover, colour, stage, choices, state.scores()))
    return ReplayedPlies(tuple(plies), state.outcome())


def replay_and_check(replayer: Replayer, record: Record) -> ImportedGame:
    """Return a record whose moves and claims are right, its result and score filled in where they follow."""
    replayed = replayer(record)
    problems = check_claims(record, replayed.outcome)
    if problems:
        raise ConversionError(WRONG_RESULT, problems[0], ply=len(replayed.plies))
    return ImportedGame(fill_in_result(record, replayed), replayed)


def fill_in_result(record: Record, replayed: ReplayedPlies) -> Record:
    """Return a record with its moves in canonical form, and the result and score that follow from them."""
    texts = move_texts(record.game)
    steps = tuple(
        step if step.move == texts[ply.move.action] else replace(step, move=texts[ply.move.action])
        for step, ply in zip(record.steps, replayed.plies, strict=True)
    )
    if replayed.outcome is None:
        return replace(record, steps=steps)
    return replace(
        record, steps=steps, result=Result.of(replayed.outcome), score=Score(*replayed.outcome.scores)
    )


@lru_cache(maxsize=16)
def move_texts(game: Game) -> tuple[str, ...]:
    """Return the text of every action of a game by its number."""
    return tuple(format_move(game, game.move(number)) for number in range(game.action_count))


def describe_omissions(record: Record, *kept: str) -> tuple[str, ...]:
    """Say what of a record a format leaves out, except for what it keeps."""
    parts = {
        "comments": bool(record.comment) or any(step.comment for step in record.steps),
        "clocks": any(step.clock is not None for step in record.steps),
        "evaluations": any(step.evaluation is not None for step in record.steps),
        "glyphs": any(step.nags for step in record.steps),
        "variations": any(step.variations for step in record.steps),
    }
    omitted = [name for name, there in parts.items() if there and name not in kept]
    return (f"{' and '.join(omitted)} left out",) if omitted else ()
