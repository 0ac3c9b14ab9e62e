"""Which options the search takes in which game, by the shape of the game; measured in docs/search.md."""

from __future__ import annotations

from dataclasses import replace

from taiji.kernel import PLAIN_UCT, SearchOptions
from taiji.rules import Game, Stage
from taiji.rules.scoring import UncoveredSymbols

UNCONSTRAINED = SearchOptions()
"""Pieces that bind each other in no way but by lying there, as in TAIJI: uniform playouts."""
SYMBOLS = replace(UNCONSTRAINED, playout_candidates=5, exploration=0.1, rave_bias=3e-3)
"""Symbols are covered by pieces that bind each other: of five random moves a playout covers the most. What
was seen elsewhere tells less there."""
SYMBOLS_LAST_STAGE = replace(UNCONSTRAINED, playout_candidates=5)
"""The same as the last stage of a double game, whose first stage goes by what was seen elsewhere."""
GROUPS = replace(UNCONSTRAINED, playout_candidates=6, amaf_playouts=True, amaf_min_visits=50)
"""Groups are made of pieces that bind each other: of six random moves a playout takes the most successful."""
UCT_CONSTRAINED_EXPLORATION = 0.3
"""The exploration of plain UCT where pieces bind each other."""


def search_preset(game: Game) -> SearchOptions:
    """Return the options that the search does best with."""
    stage = _stage_with_several_kinds(game)
    if stage is None:
        return UNCONSTRAINED
    if isinstance(stage.scoring, UncoveredSymbols):
        return SYMBOLS if len(game.stages) == 1 else SYMBOLS_LAST_STAGE
    return GROUPS


def uct_preset(game: Game) -> SearchOptions:
    """Return plain UCT with the exploration that suits the game."""
    return (
        PLAIN_UCT
        if _stage_with_several_kinds(game) is None
        else replace(PLAIN_UCT, exploration=UCT_CONSTRAINED_EXPLORATION)
    )


def _stage_with_several_kinds(game: Game) -> Stage | None:
    """Return the first stage whose pieces bind each other, if there is one."""
    return next((stage for stage in game.stages if len({slot.kind for slot in stage.stocks}) > 1), None)
