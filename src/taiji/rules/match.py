"""Matches: two games with the colours exchanged, scores added."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from taiji.rules.errors import GameError, check_type
from taiji.rules.game import Game
from taiji.rules.pieces import Seat
from taiji.rules.state import Points, Scores


class MatchRule(Enum):
    """What equal totals mean."""

    NESTORGAMES = "nestorgames"
    """Equal totals are a drawn match."""
    BLUE_PANTHER = "blue-panther"
    """Equal totals go to the player who was Dark in the second game."""


MAX_LEAD = 10**12
"""The maximum lead of a match in points, in either direction."""


@dataclass(frozen=True, slots=True)
class MatchContext:
    """What a match adds to its second game: a lead, and who wins equal totals."""

    lead: Points = 0
    """The points that seat FIRST is ahead by before this game."""
    tie_winner: Seat | None = None
    """The winner of equal totals; None means a drawn match."""

    def __post_init__(self) -> None:
        check_type("lead", self.lead, (int, float), "a number")
        check_type("tie_winner", self.tie_winner, (Seat, type(None)), "a Seat or None")
        if not -MAX_LEAD <= self.lead <= MAX_LEAD or int(2 * self.lead) != 2 * self.lead:
            raise GameError(f"lead: invalid {self.lead!r:.20} (expected points such as 3 or -2.5)")


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The totals of the two players, and the winner: player 0, player 1 or None for a draw."""

    totals: tuple[Points, Points]
    winner: int | None


@dataclass(frozen=True)
class Match:
    """Two games: player 0 sits FIRST in game one and SECOND in game two."""

    game: Game
    rule: MatchRule = MatchRule.NESTORGAMES

    def __post_init__(self) -> None:
        check_type("game", self.game, Game, "a Game")
        check_type("rule", self.rule, MatchRule, "a MatchRule")

    def seat(self, player: int, game_no: int) -> Seat:
        """Return the seat of a player, 0 or 1, in game 0 or game 1."""
        for name, value in (("player", player), ("game_no", game_no)):
            check_type(name, value, int, "0 or 1")
            if value not in (0, 1):
                raise GameError(f"{name}: invalid {value} (expected 0 or 1)")
        return Seat(player ^ game_no)

    def totals(self, *games: Scores) -> tuple[Points, Points]:
        """Add up the scores of the games so far, by player."""
        sums: list[Points] = [0, 0]
        for number, scores in enumerate(games):
            check_type("scores", scores, Scores, "Scores")
            for player in (0, 1):
                sums[player] += scores.of(self.seat(player, number))
        return sums[0], sums[1]

    def result(self, one: Scores, two: Scores) -> MatchResult:
        """Return the result of a match whose two games ended with these scores."""
        totals = self.totals(one, two)
        if totals[0] != totals[1]:
            return MatchResult(totals, 0 if totals[0] > totals[1] else 1)
        return MatchResult(totals, self._winner_of_equal_totals)

    def context(self, one: Scores) -> MatchContext:
        """Return what the scores of game one mean for game two, by the seats of game two."""
        totals = self.totals(one)
        winner = self._winner_of_equal_totals
        return MatchContext(totals[1] - totals[0], None if winner is None else self.seat(winner, 1))

    @property
    def _winner_of_equal_totals(self) -> int | None:
        # Player 0 sits SECOND, and so began as Dark, in the second game.
        return 0 if self.rule is MatchRule.BLUE_PANTHER else None
