"""TAILITS+TAIJI, a double game by Grant Fikes.

A game of TAILITS, Black first; the player who placed last gets half a point. Then a game of TAIJI on top,
White first: both squares of a taijitu lie at the same height, on bare board or on tetrominoes, whose colours
no longer count. The totals decide.
"""

from __future__ import annotations

from dataclasses import replace

from taiji.rules.fair_start import KOMI, PIE, read_fair_start, tie_option
from taiji.rules.game import Game
from taiji.rules.options import GameDeclaration, IntOption, Values, canonical
from taiji.rules.placing import LevelGround
from taiji.rules.scoring import LargestGroups, Tie
from taiji.rules.taiji import taiji_stage
from taiji.rules.tailits import BLACK_AND_WHITE, SCORE, SIZE, tailits_stage


def _build(values: Values, chosen: frozenset[str]) -> Game:
    below = tailits_stage(str(values["score"]), last_placement_bonus=1)
    above = replace(taiji_stage(SIZE, LargestGroups(int(values["groups"]))), constraints=(LevelGround(),))
    fair = read_fair_start(values, chosen, half_point="the half point for placing last in TAILITS")
    shown: Values = {"score": values["score"], "groups": values["groups"], **fair.shown}
    defaults: Values = {"score": "largest", "groups": 3, "tie": Tie.DRAW.value, **fair.defaults}
    game = Game("tailits+taiji", (below, above), Tie.DRAW, BLACK_AND_WHITE)
    return fair.apply(game, canonical("tailits+taiji", shown, defaults))


DECLARATION = GameDeclaration(
    name="tailits+taiji",
    title="TAILITS+TAIJI",
    designer="Grant Fikes",
    rulebook="https://nestorgames.com",
    summary="A game of TAILITS, then a game of TAIJI on top of it; the totals decide.",
    options=(
        SCORE,
        IntOption("groups", 1, 3, "number of largest groups that count in TAIJI", default=3),
        tie_option(Tie.DRAW),
        KOMI,
        PIE,
    ),
    build=_build,
)
