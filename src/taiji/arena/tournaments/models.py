"""Settings, entrants, pairings and results of a tournament, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from taiji.arena.custom_game import register_declaration
from taiji.rules import Game, Match, MatchRule, Scores, Tie, parse_game

Points = int | float


class TournamentError(ValueError):
    """An action that the rules of a tournament do not allow."""


class Format(Enum):
    """How pairings are drawn."""

    MATCH = "match"
    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


class Adjudication(Enum):
    """The winner of a pairing if the scores do not decide it."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"


class EarlyEnd(Enum):
    """How a player lost a game in progress."""

    RESIGNATION = "resign"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of a tournament, fixed when it is created."""

    name: str
    format: Format
    game: str
    games: int = 2
    """Games per pairing: 2 is the match of the rulebooks, 1 a single game."""
    rule: MatchRule = MatchRule.NESTORGAMES
    rounds: int | None = None
    """Number of rounds of a Swiss, a match or a ladder; None takes the default."""
    declaration: str = ""
    """The TOML of a custom game, stored so that the tournament needs no other file."""

    def __post_init__(self) -> None:
        register_declaration(self.declaration, self.game)
        if not self.name.strip() or len(self.name) > 100:
            raise TournamentError("a tournament needs a name of at most 100 characters")
        if self.games not in (1, 2):
            raise TournamentError("a pairing is one game or a match of two")
        if self.rounds is not None:
            if self.format not in (Format.SWISS, Format.MATCH, Format.LADDER):
                raise TournamentError(
                    f"the number of rounds of a {self.format.value} follows from its players"
                )
            if not 1 <= self.rounds <= 99:
                raise TournamentError("a tournament has 1 to 99 rounds")

    @property
    def match(self) -> Match:
        """The two-game match of each pairing."""
        return Match(get_game(self.game), self.rule)


@lru_cache(maxsize=64)
def get_game(text: str) -> Game:
    """Return the game of a text, cached."""
    return parse_game(text)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant; `entrant_no` is the order of entry, from 1."""

    entrant_no: int
    name: str
    rating: int = 0
    since: int = 1
    """The first round in which they can be paired."""
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants by number; `first` is Light in game one. Without `second` it is a bye."""

    first: int
    second: int | None = None
    bye: float = 1.0
    """The points of a bye."""

    @property
    def players(self) -> tuple[int, ...]:
        """The one or two entrants."""
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True)
class PairingResult:
    """The result of a pairing: for each game the scores of the first and the second entrant."""

    games: tuple[tuple[Points, Points], ...] = ()
    decision: Adjudication | None = None
    forfeits: tuple[bool, bool] = (False, False)
    """Whether the first and the second entrant lost by forfeit."""
    ended_by: EarlyEnd | None = None
    """How a game in progress was lost; None for a result by scores or by a ruling."""

    @property
    def played(self) -> bool:
        """Whether it was decided at the board, not by forfeit."""
        return not any(self.forfeits)

    @property
    def difference(self) -> Points:
        """The first entrant's total score minus the second's; 0 for a forfeit."""
        return sum(one - two for one, two in self.games) if self.played else 0


def match_points(settings: TournamentSettings, result: PairingResult) -> tuple[float, float]:
    """Return the match points of both entrants: 1 for a win, 0.5 for a draw, 0 for a loss."""
    if not result.played:
        first, second = result.forfeits
        return float(not first), float(not second)
    winner = _winner(settings, result)
    return (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))


def _winner(settings: TournamentSettings, result: PairingResult) -> int | None:
    """Return the index of the winner, 0 or 1, or None for a draw."""
    if result.difference:
        return 0 if result.difference > 0 else 1
    if result.decision is not None:
        return {Adjudication.FIRST: 0, Adjudication.SECOND: 1, Adjudication.DRAW: None}[result.decision]
    if len(result.games) == 1:
        return {Tie.LIGHT: 0, Tie.DARK: 1}.get(settings.match.game.tie_rule)
    if not result.games:
        return None
    # With equal totals the match rule decides, by who was Dark in game two.
    return settings.match.result(Scores(0, 0), Scores(0, 0)).winner
