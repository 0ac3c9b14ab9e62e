"""A puzzle: a position in which exactly one move reaches the goal, and its line against the best defence."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from taiji.rules.errors import excerpt

Goal = Literal["win", "margin"]
GOALS: tuple[Goal, ...] = get_args(Goal)
THEMES = ("join", "cut", "room", "grow", "cover", "last-piece", "quiet")
"""What the first move does, in the order of the sets."""
MAX_LINE_CHARS = 16_384
"""Maximum length of a line of a puzzle file."""
MIN_RATING, MAX_RATING = 400, 2600
_ID = re.compile(r"[a-z0-9+.-]{1,80}")
_TEXTS = ("id", "game", "position", "goal")
_OPTIONAL = {"theme": "quiet", "choices": 0, "rest": []}


class PuzzleError(ValueError):
    """A line that is not a puzzle, or a puzzle that does not hold."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A proven puzzle. Moves are texts, the solver's and the defender's in turn."""

    id: str
    game: str
    position: str
    solution: tuple[str, ...]
    """Begins and ends with a move of the solver. Each of these is the only one that reaches the goal; each
    answer is the defence that leaves the most choices of which only one is right."""
    goal: Goal
    """`win`, or `margin`: the best margin that the position allows."""
    rating: int
    """How hard it is: see `grade`."""
    theme: str = "quiet"
    choices: int = 0
    """Number of legal moves in the position."""
    rest: tuple[str, ...] = ()
    """Best play from the end of the solution to the end of the game."""

    def to_json(self) -> dict[str, Any]:
        """Return the puzzle as a JSON object."""
        return {**asdict(self), "solution": list(self.solution), "rest": list(self.rest)}

    def to_line(self) -> str:
        """Return the puzzle as one line of a file."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))


def parse_puzzle(line: str) -> Puzzle:
    """Read one line of a puzzle file; raise `PuzzleError` if it is not a puzzle.

    Keys that a newer version may add are ignored. Whether the puzzle holds is another question: `prove`.
    """
    if len(line) > MAX_LINE_CHARS:
        raise PuzzleError(f"line: {len(line):,} characters (expected at most {MAX_LINE_CHARS:,})")
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise PuzzleError(f"not a puzzle: {excerpt(line.strip())!r} (expected a JSON object)") from None
    if not isinstance(value, dict):
        raise PuzzleError(f"not a puzzle: {excerpt(line.strip())!r} (expected a JSON object)")
    fields = {**_OPTIONAL, **value}
    for key in _TEXTS:
        if not isinstance(fields.get(key), str):
            raise PuzzleError(f"{key}: missing or invalid (expected a text)")
    if not _ID.fullmatch(fields["id"]):
        raise PuzzleError(f"id: {excerpt(fields['id'])!r} (expected lower-case letters, digits, + . -)")
    if fields["goal"] not in GOALS:
        raise PuzzleError(f"goal: {excerpt(fields['goal'])!r} (expected {' or '.join(GOALS)})")
    if fields["theme"] not in THEMES:
        raise PuzzleError(f"theme: {excerpt(str(fields['theme']))!r} (expected one of {', '.join(THEMES)})")
    solution = _moves("solution", fields.get("solution"))
    if len(solution) % 2 == 0:
        raise PuzzleError(f"solution: {len(solution)} moves (expected an odd number)")
    return Puzzle(
        fields["id"],
        fields["game"],
        fields["position"],
        solution,
        fields["goal"],
        _number("rating", fields.get("rating"), MIN_RATING, MAX_RATING),
        fields["theme"],
        _number("choices", fields["choices"], 0, 100_000),
        _moves("rest", fields["rest"]),
    )


def _moves(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(move, str) and len(move) < 40 for move in value):
        raise PuzzleError(f"{key}: missing or invalid (expected a list of moves)")
    return tuple(value)


def _number(key: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PuzzleError(f"{key}: {excerpt(str(value))!r} (expected an integer from {least} to {most:,})")
    return value
