"""Options that even out a game's chances: the winner of a tie, a komi, a swap and balanced openings.

They are ours, not the rulebooks'. Without them a game is the rulebook's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from taiji.rules.errors import GameError
from taiji.rules.game import Game
from taiji.rules.openings import opening_list, opening_lists
from taiji.rules.options import ChoiceOption, IntOption, TextOption, Values, conflict_error
from taiji.rules.placements import format_half_points, parse_half_points
from taiji.rules.scoring import Tie

MAX_KOMI = 2000
"""In half points."""
MAX_NAMED_KOMI = 20
CHOOSE = "choose"
KOMI_NAMES = tuple(range(-MAX_NAMED_KOMI, MAX_NAMED_KOMI + 1))
"""The half points that a player may name if the komi is chosen."""
NO_PIE = "no"

KOMI = TextOption(
    "komi",
    f"half points from {format_half_points(-MAX_KOMI)} to {format_half_points(MAX_KOMI)}, or {CHOOSE}",
    "points for Light on top; choose: the second player names them, then the first takes a colour",
)
PIE = ChoiceOption(
    "pie", (NO_PIE, "1", "3"), "after how many moves the other player may swap colours instead of moving"
)
OPENING = IntOption(
    "opening", 0, 9999, "number of a balanced opening to start from; 0: the empty board", default=0
)


def tie_option(default: Tie) -> ChoiceOption:
    """Return the option for the winner of a tie, with the rulebook's first."""
    others = [tie.value for tie in (Tie.DARK, Tie.LIGHT, Tie.LAST, Tie.DRAW) if tie is not default]
    return ChoiceOption("tie", (default.value, *others), "who wins a tie; last: the player who placed last")


@dataclass(frozen=True)
class FairStart:
    """The chosen options, checked against each other."""

    tie: Tie
    komi: int
    komi_names: tuple[int, ...]
    swap_after: int | None
    opening: int
    shown: Values
    """The values for the game's canonical text."""
    defaults: Values

    def apply(self, game: Game, name: str) -> Game:
        """Return a game with these options under its canonical name."""
        stages = game.stages
        if self.swap_after is not None:
            stages = (replace(stages[0], swap_after=self.swap_after), *stages[1:])
        return replace(
            game,
            name=name,
            stages=stages,
            tie_rule=self.tie,
            komi=self.komi,
            komi_names=self.komi_names,
            opening=self._opening_moves(name),
        )

    def _opening_moves(self, name: str) -> tuple[str, ...]:
        if not self.opening:
            return ()
        option = f"opening={self.opening}"
        head, _, rest = name.partition(":")
        others = ",".join(part for part in rest.split(",") if part != option)
        without = f"{head}:{others}" if others else head
        known = opening_list(without)
        if known is None:
            games = ", ".join(known.game for known in opening_lists())
            raise GameError(f"{option}: {without} has no balanced openings (expected one of {games})")
        if self.opening > len(known):
            raise GameError(f"{option}: {without} has {len(known)} balanced openings")
        return known.moves(self.opening)


def read_fair_start(
    values: Values, chosen: frozenset[str], *, swap: str | None = None, half_point: str | None = None
) -> FairStart:
    """Return the fair start that option values describe; raise `GameError` if two contradict each other.

    `swap` names the swap that the game has of its own, `half_point` a half point that it always gives.
    """
    tie, pie, opening = Tie(values["tie"]), str(values.get("pie", NO_PIE)), int(values.get("opening", 0))
    komi_text = str(values.get("komi", "0"))
    has_choice = komi_text == CHOOSE
    komi = 0 if has_choice else read_komi(komi_text)
    if has_choice and swap:
        raise conflict_error("komi=choose", swap, "the choice of a colour is a swap, and a game has one swap")
    if has_choice and pie != NO_PIE:
        raise conflict_error("komi=choose", f"pie={pie}", "both let a player swap colours")
    if opening and has_choice:
        raise conflict_error(f"opening={opening}", "komi=choose", "a balanced opening needs no komi")
    if opening and pie != NO_PIE:
        raise conflict_error(f"opening={opening}", f"pie={pie}", "a balanced opening needs no swap")
    if "tie" in chosen and not has_choice:
        check_tie_matters(tie, komi, half_point)
    shown: Values = {"tie": tie.value, "komi": CHOOSE if has_choice else format_half_points(komi)}
    return FairStart(
        tie,
        komi,
        KOMI_NAMES if has_choice else (),
        0 if has_choice else None if pie == NO_PIE else int(pie),
        opening,
        {**shown, "pie": pie, "opening": opening},
        {"komi": "0", "pie": NO_PIE, "opening": 0},
    )


def check_tie_matters(tie: Tie, komi: int, half_point: str | None) -> None:
    """Raise `GameError` if a tie rule was chosen, but the totals can never be equal."""
    if komi % 2 == (half_point is not None):
        return
    komi_text = f"komi={format_half_points(komi)}"
    other = half_point if half_point is not None and not komi else komi_text
    raise conflict_error(f"tie={tie.value}", other, "the totals differ by half a point, so nobody ties")


def read_komi(text: str) -> int:
    """Return the half points of a text in points; raise `GameError` if it is not one or out of bounds."""
    komi = parse_half_points(text)
    if komi is None or abs(komi) > MAX_KOMI:
        raise GameError(f"komi={text[:20]}: invalid (expected {KOMI.allowed})")
    return komi
