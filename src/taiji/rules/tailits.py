"""TAILITS, by Grant Fikes.

Black starts and covers the centre of an 11×11 board. Each further tetromino shares an edge with one already
placed but with none of its own shape, and no 2×2 block ever fills up. Each colour scores its largest group,
diagonals included; the variant `second` compares second largest groups, then largest ones. The player
who placed last wins a tie.

Our ruling, as the rulebook does not say which squares are light: the set `six` holds each of the six ways
to colour two of a shape's four squares once; `free` allows any of them, six pieces per shape.
"""

from __future__ import annotations

from taiji.rules.fair_start import KOMI, PIE, read_fair_start, tie_option
from taiji.rules.game import ColourNames, Game, Stage
from taiji.rules.geometry import Adjacency, Board
from taiji.rules.options import ChoiceOption, GameDeclaration, Values, canonical
from taiji.rules.pieces import Colour, tailits_free_set, tailits_six_set
from taiji.rules.placing import FirstMustCover, MustTouch, NoFullBlock, PlacingRule, SameKindApart
from taiji.rules.scoring import LargestGroups, NthLargestGroup, Scoring, Tie

SIZE = 11
SCORE = ChoiceOption("score", ("largest", "second"), "which group of each colour counts")
BLACK_AND_WHITE = ColourNames("White", "Black")
LITS_RULES: tuple[PlacingRule, ...] = (MustTouch(), SameKindApart(), NoFullBlock(2, 2))
"""The three rules of placing of all LITS games."""


def tailits_stage(score: str, pieces: str = "six", last_placement_bonus: int = 0) -> Stage:
    """Return a stage of TAILITS."""
    board = Board(SIZE, SIZE)
    set_of_pieces, slots = tailits_six_set() if pieces == "six" else tailits_free_set(6)
    largest = LargestGroups(1, Adjacency.KING)
    scoring: Scoring = largest if score == "largest" else NthLargestGroup(2, Adjacency.KING)
    return Stage(
        "tailits",
        board,
        set_of_pieces,
        slots,
        Colour.DARK,
        scoring,
        constraints=(FirstMustCover(board.centre), *LITS_RULES),
        tiebreak=() if score == "largest" else (largest,),
        last_placement_bonus=last_placement_bonus,
    )


def _build(values: Values, chosen: frozenset[str]) -> Game:
    stage = tailits_stage(str(values["score"]), str(values["set"]))
    fair = read_fair_start(values, chosen)
    shown: Values = {"score": values["score"], "set": values["set"], **fair.shown}
    defaults: Values = {"score": "largest", "set": "six", "tie": Tie.LAST.value, **fair.defaults}
    game = Game("tailits", (stage,), Tie.LAST, BLACK_AND_WHITE)
    return fair.apply(game, canonical("tailits", shown, defaults))


DECLARATION = GameDeclaration(
    name="tailits",
    title="TAILITS",
    designer="Grant Fikes",
    rulebook="https://nestorgames.com",
    summary="Lay two-coloured tetrominoes by the rules of LITS; your largest group scores.",
    options=(
        SCORE,
        ChoiceOption(
            "set", ("six", "free"), "one piece of each colouring, or any colouring, six pieces per shape"
        ),
        tie_option(Tie.LAST),
        KOMI,
        PIE,
    ),
    build=_build,
)
