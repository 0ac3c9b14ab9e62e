"""Records to convert: random games of any value, finished or not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

from taiji.kernel import Kernel
from taiji.notation import Record, RecordedMove, Termination
from taiji.notation.interchange import ImportedGame
from taiji.notation.replays import replay_record
from taiji.rules import Seat, parse_game

ABSTRACTPLAY = [
    f"taiji:size={size},groups={groups},score={score},diagonal={diagonal}"
    for size, groups, score, diagonal in product(
        (7, 9, 11), (1, 2, 3), ("sum", "squares", "product"), ("no", "yes")
    )
]
"""Every game that AbstractPlay can play."""
LUDII = "taiji:groups=1"
TAGS = {
    "Event": "Cup",
    "Round": "2",
    "Light": 'Ann "A" [x]',
    "Dark": "Bö\\b",
    "Date": "2026.11.15",
    "Site": "Here",
}


@cache
def game_record(text: str, seed: int = 0, **tags: str) -> Record:
    """A random game to its end."""
    game = parse_game(text)
    moves = [game.move(action) for action in Kernel(game).start().random_game(seed)]
    return Record.of(game, moves, tags or TAGS)


def cut(record: Record, plies: int, termination: Termination | None, winner: Seat | None = None) -> Record:
    """The first plies of a game that something ended."""
    moves = record.replay().moves[:plies]
    return Record.of(record.game, moves, dict(record.tags), termination=termination, winner=winner)


def imported(record: Record) -> ImportedGame:
    """The record with its plies, unchecked."""
    return ImportedGame(record, replay_record(record))


def tied(text: str) -> Record:
    """A game whose scores are equal."""
    for seed in range(1000):
        record = game_record(text, seed)
        if record.score.light == record.score.dark:
            return record
    raise AssertionError("no tie")


def with_steps(record: Record, **first: object) -> Record:
    """The record with something said about its first move."""
    step = RecordedMove(record.steps[0].move, **first)
    return replace(record, steps=(step, *record.steps[1:]))
