"""Search options for each kind of game; docs/search.md has the measurements behind them."""

from __future__ import annotations

from dataclasses import replace

from taiji.kernel import PLAIN_UCT, SearchOptions
from taiji.rules import Game
from taiji.rules.program import CompiledStage, Source

UNCONSTRAINED = SearchOptions()
"""For games with one kind of piece, such as TAIJI: uniform playouts."""
SYMBOLS = replace(UNCONSTRAINED, playout_candidates=5, exploration=0.1, rave_bias=3e-3)
"""For games that score symbols: a playout plays the best of five random moves, and AMAF counts for less."""
SYMBOLS_LAST_STAGE = replace(UNCONSTRAINED, playout_candidates=5)
"""The same if that is the last stage of a double game, whose first stage gains from AMAF."""
GROUPS = replace(UNCONSTRAINED, playout_candidates=6, amaf_playouts=True, amaf_min_visits=50)
"""For games with several kinds of pieces that score groups: a playout plays the best of six by AMAF mean."""
UCT_CONSTRAINED_EXPLORATION = 0.3
"""Exploration of plain UCT in games with several kinds of pieces."""


def search_preset(game: Game) -> SearchOptions:
    """Return the strongest search options for a game."""
    stage = _stage_with_several_kinds(game)
    if stage is None:
        return UNCONSTRAINED
    if stage.score.source is Source.SYMBOLS:
        return SYMBOLS if len(game.stages) == 1 else SYMBOLS_LAST_STAGE
    return GROUPS


def uct_preset(game: Game) -> SearchOptions:
    """Return plain UCT with the exploration that suits a game."""
    if _stage_with_several_kinds(game) is None:
        return PLAIN_UCT
    return replace(PLAIN_UCT, exploration=UCT_CONSTRAINED_EXPLORATION)


def _stage_with_several_kinds(game: Game) -> CompiledStage | None:
    """Return the first stage with more than one kind of piece, if there is one."""
    return next((stage for stage in game.compiled.stages if len(stage.kinds) > 1), None)
