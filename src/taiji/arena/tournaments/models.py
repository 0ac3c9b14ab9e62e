"""What a tournament is made of: its settings, entrants, pairings and results, all plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from taiji.arena.custom_game import register_declaration
from taiji.rules import Game, Match, MatchRule, Scores, Tie, parse_game

Points = int | float


class TournamentError(ValueError):
    """Something that a tournament's rules refuse, with the reason."""


class Format(Enum):
    """Who meets whom."""

    MATCH = "match"
    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


class Adjudication(Enum):
    """Who a result goes to where the scores do not say it."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """What an organiser decides before anybody enters."""

    name: str
    format: Format
    game: str
    games: int = 2
    """Games a pairing: 2 is the match of the rulebooks, 1 a single game."""
    rule: MatchRule = MatchRule.NESTORGAMES
    rounds: int | None = None
    """How many rounds a Swiss, a match or a ladder has; None takes the usual number."""
    declaration: str = ""
    """The TOML of a game of one's own; it goes along, so that the tournament needs no other file."""

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
        """The two-game match that each pairing is."""
        return Match(get_game(self.game), self.rule)


@lru_cache(maxsize=64)
def get_game(text: str) -> Game:
    """Return the game of a text, parsed once."""
    return parse_game(text)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part; `number` is the order of entry, from 1."""

    entrant_no: int
    name: str
    rating: int = 0
    since: int = 1
    """The first round that can include them."""
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants by number; `first` begins game one as Light. Without `second` it is a bye."""

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
    """What came of a pairing: for each game the first entrant's score, then the second's."""

    games: tuple[tuple[Points, Points], ...] = ()
    decision: Adjudication | None = None
    forfeits: tuple[bool, bool] = (False, False)
    """Who lost by forfeit."""

    @property
    def played(self) -> bool:
        """Whether it was decided at the board and not by forfeit."""
        return not any(self.forfeits)

    @property
    def difference(self) -> Points:
        """The first entrant's total score minus the second's; a forfeit counts no score."""
        return sum(one - two for one, two in self.games) if self.played else 0


def match_points(settings: TournamentSettings, result: PairingResult) -> tuple[float, float]:
    """Return what the two entrants get: 1 for a win, one half for a draw, 0 for a loss."""
    if not result.played:
        first, second = result.forfeits
        return float(not first), float(not second)
    winner = _winner(settings, result)
    return (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))


def _winner(settings: TournamentSettings, result: PairingResult) -> int | None:
    """Return 0 or 1 for the entrant that won, None for a draw."""
    if result.difference:
        return 0 if result.difference > 0 else 1
    if result.decision is not None:
        return {Adjudication.FIRST: 0, Adjudication.SECOND: 1, Adjudication.DRAW: None}[result.decision]
    if len(result.games) == 1:
        return {Tie.LIGHT: 0, Tie.DARK: 1}.get(settings.match.game.tie_rule)
    if not result.games:
        return None
    # With equal totals only the rule speaks, and it looks at who was Dark last.
    return settings.match.result(Scores(0, 0), Scores(0, 0)).winner
