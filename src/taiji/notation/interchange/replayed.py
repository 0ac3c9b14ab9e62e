"""Imported games: a record that was replayed and checked, which all formats are written from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from taiji.notation.interchange.errors import WRONG_RESULT, ConversionError
from taiji.notation.records import Record, Result, Score
from taiji.notation.replays import ReplayedPlies, Replayer, check_claims, replay_record
from taiji.rules import Game
from taiji.rules.errors import NotationError


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A record that was read and checked, its plies, and notes for the user."""

    record: Record
    replayed: ReplayedPlies
    notes: tuple[str, ...] = ()


ImportStream = Iterator[ImportedGame | NotationError]
"""The games of a stream in order; an error stands for a game that was rejected."""


def replay_and_check(record: Record, replayer: Replayer) -> ImportedGame:
    """Return the game with result and score filled in; raise if a move is illegal or a claim is wrong."""
    replayed = replay_record(record, replayer)
    problems = check_claims(record, replayed.outcome)
    if problems:
        raise ConversionError(WRONG_RESULT, problems[0], ply=len(replayed.plies))
    return ImportedGame(fill_in_result(record, replayed), replayed)


def fill_in_result(record: Record, replayed: ReplayedPlies) -> Record:
    """Return the record with canonical moves and, if the game is over, its result and score."""
    texts = move_texts(record.game)
    steps = tuple(
        step if step.move == texts[ply.move.action] else replace(step, move=texts[ply.move.action])
        for step, ply in zip(record.steps, replayed.plies, strict=True)
    )
    if replayed.outcome is None:
        return replace(record, steps=steps)
    result, score = Result.of(replayed.outcome), Score(*replayed.outcome.scores)
    return replace(record, steps=steps, result=result, score=score)


@lru_cache(maxsize=16)
def move_texts(game: Game) -> tuple[str, ...]:
    """Return the text of every move of a game, indexed by action."""
    return tuple(str(game.move(action)) for action in range(game.action_count))


def describe_omissions(record: Record, *kept: str) -> tuple[str, ...]:
    """Return a note on what a format leaves out of a record; `kept` names the parts that it keeps."""
    present = {
        "comments": bool(record.comment) or any(step.comment for step in record.steps),
        "clocks": any(step.clock is not None for step in record.steps),
        "evaluations": any(step.evaluation is not None for step in record.steps),
        "glyphs": any(step.nags for step in record.steps),
        "variations": any(step.variations for step in record.steps),
    }
    omitted = [name for name, is_present in present.items() if is_present and name not in kept]
    return (f"{' and '.join(omitted)} left out",) if omitted else ()
