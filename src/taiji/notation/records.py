"""Records of played games as values: moves, tags, clocks, comments, variations and the result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from taiji.rules import Game, Seat, State
from taiji.rules.errors import NotationError, check_type, excerpt

if TYPE_CHECKING:
    from taiji.notation.replays import Replay
    from taiji.rules import Move, Outcome, Points

KNOWN_TAGS = (
    "Event", "Site", "Date", "Round", "Light", "Dark", "Result", "Score", "Game", "TimeControl",
    "Termination", "Position", "Match", "MatchGame",
)  # fmt: skip
"""Tags in the order in which they are written; others follow. Light and Dark are the starting colours."""

FIELD_TAGS = frozenset({"Result", "Score", "Game", "Termination", "Position"})
"""Tags that are fields of `Record` and may not stand in its `tags`."""

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
MAX_TAG_CHARS = 1000
MAX_TAGS = 100
MAX_VARIATION_DEPTH = 32
"""Maximum depth of nested variations."""

MAX_MOVES = 20_000
"""Maximum number of moves in a record, variations included."""
MAX_NAG = 255
MAX_CLOCK_S = 359_999_999
"""Just below 100,000 hours."""

_MOVE = re.compile(r"[A-Za-z/][^\s(){};$!?]*")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Result(Enum):
    """The result of a game, as a record writes it."""

    LIGHT = "1-0"
    """Win of the seat that started as Light."""
    DARK = "0-1"
    DRAW = "1/2-1/2"
    OPEN = "*"
    """Unknown or unfinished."""

    @classmethod
    def of(cls, outcome: Outcome | None) -> Result:
        """Return the result of a finished game, or OPEN if the outcome is None."""
        return cls.OPEN if outcome is None else cls.won_by(outcome.winner)

    @classmethod
    def won_by(cls, winner: Seat | None) -> Result:
        """Return the result of a game that this seat won; None means a draw."""
        return cls.DRAW if winner is None else cls.LIGHT if winner is Seat.FIRST else cls.DARK

    @property
    def winner(self) -> Seat | None:
        """The seat that won; None for a draw or an unknown result."""
        return {Result.LIGHT: Seat.FIRST, Result.DARK: Seat.SECOND}.get(self)


class Termination(Enum):
    """Why a game ended before the rules ended it."""

    RESIGNED = "resigned"
    TIME = "time"
    FORFEIT = "forfeit"
    AGREED = "agreed"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An engine's evaluation, from the view of the seat that started as Light."""

    win_prob: float | None = None
    """Win probability, 0 to 1, rounded to four decimals."""
    margin: float | None = None
    """Expected score difference, rounded to two decimals."""
    playouts: int | None = None
    """Number of playouts or net evaluations."""

    def __post_init__(self) -> None:
        if self.win_prob is not None:
            object.__setattr__(
                self, "win_prob", round(_check_range("win probability", self.win_prob, 0, 1), 4)
            )
        if self.margin is not None:
            object.__setattr__(self, "margin", round(_check_range("margin", self.margin, -1e9, 1e9), 2))
        if self.playouts is not None:
            _check_range("playouts", self.playouts, 0, 10**15)
        if self.win_prob is None and self.margin is None and self.playouts is None:
            raise NotationError("empty evaluation (expected a win probability, a margin or playouts)")


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """One move of a record with its annotations and the variations that branch off before it."""

    move: str
    nags: tuple[int, ...] = ()
    """Numeric annotation glyphs as in PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`."""
    comment: str = ""
    clock: float | None = None
    """Seconds left on the mover's clock after the move, rounded to milliseconds."""
    evaluation: Evaluation | None = None
    variations: tuple[Variation, ...] = ()
    """Alternatives to this move; each starts in the position before it."""
    source_pos: tuple[int, int] | None = field(default=None, compare=False, repr=False)
    """Line and column in the source text."""

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
    """A sequence of moves, with a comment before the first."""

    steps: tuple[RecordedMove, ...]
    comment: str = ""

    def __post_init__(self) -> None:
        if not self.steps:
            raise NotationError("empty variation")
        object.__setattr__(self, "comment", collapse_whitespace(self.comment))


class Score(NamedTuple):
    """The recorded points of the seats that started as Light and as Dark."""

    light: Points
    dark: Points


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A game as it was played, finished or not."""

    game: Game
    steps: tuple[RecordedMove, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    """Tags other than `FIELD_TAGS`, in the order of `KNOWN_TAGS`; unknown ones last, as given."""
    result: Result = Result.OPEN
    score: Score | None = None
    termination: Termination | None = None
    start: State | None = None
    """The position before the first move; None for the start of the game."""
    comment: str = ""
    """Comment before the first move."""

    def __post_init__(self) -> None:
        check_type("game", self.game, Game, "a Game")
        check_type("start", self.start, (State, type(None)), "a State or None")
        check_type("comment", self.comment, str, "a text")
        object.__setattr__(self, "comment", collapse_whitespace(self.comment))
        object.__setattr__(self, "tags", _ordered_tags(self.tags))
        if self.start is not None and self.start.game != self.game:
            raise NotationError(f"the position belongs to {self.start.game}, the record to {self.game}")
        if self.start is not None and self.start == initial_state(self.game):
            object.__setattr__(self, "start", None)

    def __str__(self) -> str:
        """Return the record as a file holds it."""
        from taiji.notation.record_writer import format_record  # which imports this module

        return format_record(self)

    def __repr__(self) -> str:
        """Return the call that reads the record from its text."""
        return f"parse_record({str(self)!r})"

    @classmethod
    def of(
        cls,
        game: Game,
        moves: Iterable[Move | str] = (),
        tags: Mapping[str, str] | None = None,
        *,
        start: State | None = None,
        termination: Termination | None = None,
        winner: Seat | None = None,
    ) -> Record:
        """Record and check these moves or texts; if the game is over, result and score follow from the rules.

        Otherwise `termination` says why it ended and `winner` who won.
        """
        check_type("game", game, Game, "a Game")
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise TypeError(f"moves: invalid {type(moves).__name__} (expected an iterable of moves)")
        check_type("start", start, (State, type(None)), "a State or None")
        check_type("tags", tags, (Mapping, type(None)), "a mapping of names to values")
        state = start or initial_state(game)
        steps = []
        for move_or_text in moves:
            move = state.parse(move_or_text) if isinstance(move_or_text, str) else move_or_text
            state = state.play(move)
            steps.append(RecordedMove(str(move)))
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
        """The texts of the moves."""
        return tuple(step.move for step in self.steps)

    def tag(self, name: str, default: str = "") -> str:
        """Return the value of a tag, or the default if it is missing."""
        return next((value for key, value in self.tags if key == name), default)

    def replay(self) -> Replay:
        """Play the moves; raise `NotationError` at an illegal one, and list claims that the rules refute."""
        from taiji.notation.replays import replay  # replays imports this module

        return replay(self)


def collapse_whitespace(text: str) -> str:
    """Return a text with each run of whitespace and control characters as one blank."""
    return " ".join(_UNWRITABLE.sub(" ", text).split())


def normalise_move_text(text: str) -> str:
    """Return the text of a move without blanks; raise `NotationError` if it cannot be a move."""
    word = "".join(text.split())
    if not _MOVE.fullmatch(word):
        raise NotationError(f"invalid move {excerpt(text)!r} (expected e4/e5, e4e5e6f5 or swap)")
    return word


@lru_cache(maxsize=64)
def initial_state(game: Game) -> State:
    """Return the start position of a game, cached."""
    return game.start()


def _check_range(name: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:  # also rejects NaN
        raise NotationError(f"{name} {value:g}: invalid (expected {low:g} to {high:g})")
    return value


def canonical_tag_name(name: str) -> str:
    """Return the usual spelling of a tag's name; raise `NotationError` if it is not a valid name."""
    if not TAG_NAME.fullmatch(name):
        raise NotationError(f"invalid tag name {excerpt(name)!r} (expected at most 40 letters, digits and _)")
    return next((known for known in KNOWN_TAGS if known.lower() == name.lower()), name)


def _is_pair_of_texts(value: object) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(isinstance(x, str) for x in value)


def _ordered_tags(tags: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    values: dict[str, str] = {}
    check_type("tags", tags, Iterable, "pairs of a name and a value")
    for pair in tags:
        if not _is_pair_of_texts(pair):
            raise NotationError(f"invalid tag {excerpt(repr(pair))} (expected a pair of two texts)")
        key, value = pair
        name = canonical_tag_name(key)
        if name in values or name in FIELD_TAGS:
            raise NotationError(
                f"duplicate tag {name}" if name in values else f"{name} is a field, not a tag"
            )
        if len(value) > MAX_TAG_CHARS:
            raise NotationError(f"tag {name}: {len(value)} characters (maximum {MAX_TAG_CHARS})")
        values[name] = _UNWRITABLE.sub(" ", value)
    if len(values) > MAX_TAGS:
        raise NotationError(f"{len(values)} tags (maximum {MAX_TAGS})")
    known = [name for name in KNOWN_TAGS if name in values]
    return tuple((name, values[name]) for name in [*known, *(name for name in values if name not in known)])
