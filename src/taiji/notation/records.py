"""Records: a game that was played, with names, clocks, comments, variations and how it ended, as a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from taiji.notation.errors import NotationError, excerpt
from taiji.notation.moves import format_move
from taiji.rules import Game, Seat

if TYPE_CHECKING:
    from taiji.notation.replays import Replay
    from taiji.rules import Move, Outcome, Points, State

KNOWN_TAGS = (
    "Event", "Site", "Date", "Round", "Light", "Dark", "Result", "Score", "Game", "TimeControl",
    "Termination", "Position", "Match", "MatchGame",
)  # fmt: skip
"""The tags in the order in which a record lists them; others follow. Light and Dark name who began so."""

FIELD_TAGS = frozenset({"Result", "Score", "Game", "Termination", "Position"})
"""The tags that are fields of a `Record`, not entries of its `tags`."""

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
MAX_TAG_CHARS = 1000
MAX_TAGS = 100
MAX_VARIATION_DEPTH = 32
"""How deep variations may lie within variations."""

MAX_MOVES = 20_000
"""How many moves a record may hold, variations included: enough for any annotator, little enough to check."""
MAX_NAG = 255
MAX_CLOCK_S = 359_999_999
"""In seconds: 99,999 hours and some."""

_MOVE = re.compile(r"[A-Za-z/][^\s(){};$!?]*")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Result(Enum):
    """Who won, as a record spells it."""

    LIGHT = "1-0"
    """The seat that began as Light won."""
    DARK = "0-1"
    DRAW = "1/2-1/2"
    OPEN = "*"
    """Nobody says."""

    @classmethod
    def of(cls, outcome: Outcome | None) -> Result:
        """Return the result of a finished game, or OPEN where it goes on."""
        return cls.OPEN if outcome is None else cls.won_by(outcome.winner)

    @classmethod
    def won_by(cls, winner: Seat | None) -> Result:
        """Return the result of a game that this seat won; nobody means a draw."""
        return cls.DRAW if winner is None else cls.LIGHT if winner is Seat.FIRST else cls.DARK

    @property
    def winner(self) -> Seat | None:
        """The seat that won, where one did."""
        return {Result.LIGHT: Seat.FIRST, Result.DARK: Seat.SECOND}.get(self)


class Termination(Enum):
    """What ended a game before the rules did."""

    RESIGNED = "resigned"
    TIME = "time"
    FORFEIT = "forfeit"
    AGREED = "agreed"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an engine thinks, from the side of the seat that began as Light."""

    chance: float | None = None
    """The chance to win, 0 to 1; four decimals are kept."""
    margin: float | None = None
    """The expected difference of the scores; two decimals are kept."""
    playouts: int | None = None
    """How many playouts or evaluations stand behind it."""

    def __post_init__(self) -> None:
        if self.chance is not None:
            object.__setattr__(self, "chance", round(_check_range("chance", self.chance, 0, 1), 4))
        if self.margin is not None:
            object.__setattr__(self, "margin", round(_check_range("margin", self.margin, -1e9, 1e9), 2))
        if self.playouts is not None:
            _check_range("playouts", self.playouts, 0, 10**15)
        if self.chance is None and self.margin is None and self.playouts is None:
            raise NotationError("an evaluation needs a chance, a margin or playouts")


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """One move of a line with what is said about it, and the lines that could have followed instead."""

    move: str
    nags: tuple[int, ...] = ()
    """Annotation glyphs by their PGN numbers: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`."""
    comment: str = ""
    clock: float | None = None
    """Seconds left to the mover after the move; milliseconds are kept."""
    evaluation: Evaluation | None = None
    variations: tuple[Variation, ...] = ()
    """Alternatives to this move: each starts in the position before it."""
    source_pos: tuple[int, int] | None = field(default=None, compare=False, repr=False)
    """The line and column it was read from."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "move", normalise_move_text(self.move))
        if self.comment:
            object.__setattr__(self, "comment", collapse_whitespace(self.comment))
        for nag in self.nags:
            _check_range("annotation glyph", nag, 0, MAX_NAG)
        if self.clock is not None:
            object.__setattr__(self, "clock", round(_check_range("clock", self.clock, 0, MAX_CLOCK_S), 3))


@dataclass(frozen=True, slots=True)
class Variation:
    """Moves that follow each other; the comment stands before the first."""

    steps: tuple[RecordedMove, ...]
    comment: str = ""

    def __post_init__(self) -> None:
        if not self.steps:
            raise NotationError("an empty variation")
        object.__setattr__(self, "comment", collapse_whitespace(self.comment))


class Score(NamedTuple):
    """Points as a record claims them: of the seats that began as Light and as Dark."""

    light: Points
    dark: Points


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played, finished or not."""

    game: Game
    steps: tuple[RecordedMove, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    """Every tag but `FIELD_TAGS`, in the order of `KNOWN_TAGS`, the others last as given."""
    result: Result = Result.OPEN
    score: Score | None = None
    termination: Termination | None = None
    start: State | None = None
    """The position of the first move, where it is not the start of the game."""
    comment: str = ""
    """What is said before the first move."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", collapse_whitespace(self.comment))
        object.__setattr__(self, "tags", _ordered_tags(self.tags))
        if self.start is not None and self.start.game != self.game:
            raise NotationError(f"the position is one of {self.start.game}, the record one of {self.game}")
        if self.start is not None and self.start == initial_state(self.game):
            object.__setattr__(self, "start", None)

    @classmethod
    def of(
        cls,
        game: Game,
        moves: Iterable[Move] = (),
        tags: Mapping[str, str] | None = None,
        *,
        start: State | None = None,
        termination: Termination | None = None,
        winner: Seat | None = None,
    ) -> Record:
        """Record these moves, checking them; result and score follow from the rules where the game is over.

        Otherwise `termination` says what ended it, and `winner` who won by it.
        """
        state = start or initial_state(game)
        steps = []
        for move in moves:
            steps.append(RecordedMove(format_move(game, move)))
            state = state.play(move)
        outcome = state.outcome()
        result = Result.of(outcome) if outcome or termination is None else Result.won_by(winner)
        return cls(
            game,
            tuple(steps),
            tuple((tags or {}).items()),
            result,
            Score(*outcome.scores) if outcome else None,
            None if outcome else termination,
            start,
        )

    @property
    def first(self) -> State:
        """The position before the first move."""
        return self.start or initial_state(self.game)

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the moves that were played."""
        return tuple(step.move for step in self.steps)

    def tag(self, name: str, default: str = "") -> str:
        """Return a tag's value."""
        return next((value for key, value in self.tags if key == name), default)

    def replay(self) -> Replay:
        """Play the moves; raise `NotationError` at an illegal one, report claims that the rules deny."""
        from taiji.notation.replays import replay  # the values stand below what is done with them

        return replay(self)


def collapse_whitespace(text: str) -> str:
    """Return a text with every run of blanks and line breaks as one blank, and nothing unwritable."""
    return " ".join(_UNWRITABLE.sub(" ", text).split())


def normalise_move_text(text: str) -> str:
    """Return the text of a move without blanks; raise `NotationError` where it cannot be one."""
    word = "".join(text.split())
    if not _MOVE.fullmatch(word):
        raise NotationError(f"{excerpt(text)!r} is no move; one is e4/e5, e4e5e6f5 or swap")
    return word


@lru_cache(maxsize=64)
def initial_state(game: Game) -> State:
    """Return the position before the first move; records of one game share it."""
    return game.start()


def _check_range(what: str, number: float, low: float, high: float) -> float:
    if not low <= number <= high:  # so written that it refuses nan as well
        raise NotationError(f"{what} {number:g}: from {low:g} to {high:g}")
    return number


def canonical_tag_name(name: str) -> str:
    """Return a tag's name in its usual spelling; raise `NotationError` where it is none."""
    if not TAG_NAME.fullmatch(name):
        raise NotationError(f"{excerpt(name)!r} is no name of a tag: use letters, digits and _, at most 40")
    return next((known for known in KNOWN_TAGS if known.lower() == name.lower()), name)


def _ordered_tags(tags: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for key, value in tags:
        name = canonical_tag_name(key)
        if name in found or name in FIELD_TAGS:
            raise NotationError(
                f"tag {name} is given twice" if name in found else f"{name} is a field, not a tag"
            )
        if len(value) > MAX_TAG_CHARS:
            raise NotationError(f"tag {name} has {len(value)} characters: at most {MAX_TAG_CHARS}")
        found[name] = _UNWRITABLE.sub(" ", value)
    if len(found) > MAX_TAGS:
        raise NotationError(f"{len(found)} tags: at most {MAX_TAGS}")
    known = [name for name in KNOWN_TAGS if name in found]
    return tuple((name, found[name]) for name in [*known, *(name for name in found if name not in known)])
