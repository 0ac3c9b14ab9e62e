"""TAIJI+Battle of LITS, a double game by Grant Fikes.

A game of TAIJI, then Battle of LITS on top of it with six tetrominoes per shape, White first, the uncovered
squares of the taijitus being the symbols. On Black's first turn there Black may swap colours; TAIJI's
scores stay with the seat. The totals decide; a tie goes to the player who placed last.
"""

from __future__ import annotations

from dataclasses import replace

from taiji.rules.battle_of_lits import lits_stage
from taiji.rules.fair_start import KOMI, read_fair_start, tie_option
from taiji.rules.game import Game
from taiji.rules.options import GameDeclaration, Values, canonical
from taiji.rules.scoring import LargestGroups, Tie
from taiji.rules.taiji import GROUPS, SIZE, recommended_groups, taiji_stage
from taiji.rules.tailits import BLACK_AND_WHITE


def _build(values: Values, chosen: frozenset[str]) -> Game:
    size = int(values["size"])
    groups = int(values.get("groups", recommended_groups(size)))
    below = taiji_stage(size, LargestGroups(groups))
    above = lits_stage(below.board, None, count=6, swap=True)
    fair = read_fair_start(values, chosen, swap="the swap of Battle of LITS")
    shown: Values = {"size": size, "groups": groups, **fair.shown}
    defaults: Values = {
        "size": 11,
        "groups": recommended_groups(size),
        "tie": Tie.LAST.value,
        **fair.defaults,
    }
    game = Game("taiji+battle-of-lits", (below, above), Tie.LAST, BLACK_AND_WHITE)
    return fair.apply(game, canonical("taiji+battle-of-lits", shown, defaults))


DECLARATION = GameDeclaration(
    name="taiji+battle-of-lits",
    title="TAIJI+Battle of LITS",
    designer="Grant Fikes",
    rulebook="https://nestorgames.com",
    summary="A game of TAIJI, then Battle of LITS on top of it; the totals decide.",
    options=(replace(SIZE, default=11), GROUPS, tie_option(Tie.LAST), KOMI),
    refused={"pie": ("the swap of Battle of LITS", "a game has one swap")},
    build=_build,
)
