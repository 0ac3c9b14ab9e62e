"""TAIJI, by Néstor Romeral Andrés (nestorgames, 2007).

Light starts. A turn lays one taijitu, a light and a dark square side by side, on two free squares; the
mover chooses which half goes where. The game ends when no two neighbouring squares are free. Each colour
scores its largest orthogonal groups; a tie is Dark's win. The OMEGA variant multiplies the sizes of all
a player's groups.
"""

from __future__ import annotations

from taiji.rules.fair_start import KOMI, OPENING, PIE, read_fair_start, tie_option
from taiji.rules.game import Game, Stage
from taiji.rules.geometry import Board
from taiji.rules.options import ChoiceOption, GameDeclaration, IntOption, Values, canonical, conflict_error
from taiji.rules.pieces import Colour, taijitu
from taiji.rules.scoring import GroupProduct, LargestGroups, Scoring, SumOfSquares, Tie

SIZE = IntOption("size", 2, 11, "squares per side", default=9)
GROUPS = IntOption("groups", 1, 3, "number of largest groups that count; 1 up to size 7, 2 up to 9, else 3")


def recommended_groups(size: int) -> int:
    """Return how many groups the rulebook recommends to count on a board of this size."""
    return 1 if size <= 7 else 2 if size <= 9 else 3


def taiji_stage(size: int, scoring: Scoring, *, diagonal: bool = False) -> Stage:
    """Return a game of TAIJI on an empty board."""
    board = Board(size, size)
    pieces, slots = taijitu(board.size // 2, diagonal=diagonal)
    return Stage("taiji", board, pieces, slots, Colour.LIGHT, scoring)


def _build(values: Values, chosen: frozenset[str]) -> Game:
    size = int(values["size"])
    groups = int(values.get("groups", recommended_groups(size)))
    rule = values["score"]
    if rule == "omega" and groups != recommended_groups(size):
        raise conflict_error("score=omega", f"groups={groups}", "OMEGA counts all groups")
    scorings: dict[str, Scoring] = {
        "sum": LargestGroups(groups),
        "omega": GroupProduct(),
        "squares": SumOfSquares(groups),
        "product": GroupProduct(groups),
    }
    stage = taiji_stage(size, scorings[str(rule)], diagonal=values["diagonal"] == "yes")
    fair = read_fair_start(values, chosen)
    shown: Values = {"size": size, "groups": groups, "score": rule, "diagonal": values["diagonal"]}
    defaults: Values = {"size": 9, "groups": recommended_groups(size), "score": "sum", "diagonal": "no"}
    name = canonical("taiji", shown | fair.shown, defaults | fair.defaults | {"tie": Tie.DARK.value})
    return fair.apply(Game("taiji", (stage,), Tie.DARK), name)


DECLARATION = GameDeclaration(
    name="taiji",
    title="TAIJI",
    designer="Néstor Romeral Andrés",
    rulebook="https://nestorgames.com/rulebooks/TAIJIDELUXE_EN.pdf",
    summary="Lay two-coloured dominoes; your largest groups score.",
    options=(
        SIZE,
        GROUPS,
        ChoiceOption(
            "score",
            ("sum", "omega", "squares", "product"),
            "sum of the largest groups; product of all groups; sum of their squares; product of the largest",
        ),
        ChoiceOption("diagonal", ("no", "yes"), "whether the two halves may touch at a corner (Tonga)"),
        tie_option(Tie.DARK),
        KOMI,
        PIE,
        OPENING,
    ),
    build=_build,
)
