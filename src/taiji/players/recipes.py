"""Which options the search takes in which game, by the shape of the game; measured in docs/search.md."""

from __future__ import annotations

from dataclasses import replace

from taiji.kernel import PLAIN_UCT, SearchOptions
from taiji.rules import Game, Stage
from taiji.rules.scoring import Uncovered

FREE = SearchOptions()
"""Pieces that bind each other in no way but by lying there, as in TAIJI: uniform playouts."""
SYMBOLS = replace(FREE, candidates=5, exploration=0.1, bias=3e-3)
"""Symbols are covered by pieces that bind each other: of five random moves a playout covers the most. What
was seen elsewhere tells less there."""
SYMBOLS_AT_LAST = replace(FREE, candidates=5)
"""The same as the last stage of a double game, whose first stage goes by what was seen elsewhere."""
GROUPS = replace(FREE, candidates=6, learned=True, collect=50)
"""Groups are made of pieces that bind each other: of six random moves a playout takes the most successful."""
BOUND_EXPLORATION = 0.3
"""The exploration of plain UCT where pieces bind each other."""


def recipe(game: Game) -> SearchOptions:
    """Return the options that the search does best with."""
    stage = _bound(game)
    if stage is None:
        return FREE
    if isinstance(stage.scoring, Uncovered):
        return SYMBOLS if len(game.stages) == 1 else SYMBOLS_AT_LAST
    return GROUPS


def uct_recipe(game: Game) -> SearchOptions:
    """Return plain UCT with the exploration that suits the game."""
    return PLAIN_UCT if _bound(game) is None else replace(PLAIN_UCT, exploration=BOUND_EXPLORATION)


def _bound(game: Game) -> Stage | None:
    """Return the first stage whose pieces bind each other, if there is one."""
    return next((stage for stage in game.stages if len({slot.kind for slot in stage.slots}) > 1), None)
