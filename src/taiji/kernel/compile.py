"""Lowers a game to the lookup tables of the compiled core."""

from __future__ import annotations

from functools import lru_cache

from taiji._core import CompiledGame, StageSpec
from taiji._core import Scoring as CoreScoring
from taiji.rules import (
    Adjacency,
    Game,
    GroupProduct,
    LargestGroups,
    Layout,
    NthLargestGroup,
    Scoring,
    Stage,
    SumOfSquares,
    Tie,
    UncoveredSymbols,
    Unsupported,
)
from taiji.rules.placing import FirstMustCover, LevelGround, MustTouch, SameKindApart

WORD = (1 << 64) - 1

LARGEST, RANKED, SQUARES, PRODUCT, UNCOVERED = range(5)
ALL_GROUPS = 0
TIES = {Tie.LIGHT: 0, Tie.DARK: 1, Tie.LAST: 2, Tie.DRAW: 3}


def words(mask: int) -> tuple[int, int]:
    """Split a mask into its low and high word."""
    return mask & WORD, mask >> 64


@lru_cache(maxsize=64)
def compile_game(game: Game) -> CompiledGame:
    """Return the core's form of a game, from a cache."""
    stages = [_stage(stage, layout) for stage, layout in zip(game.stages, game.layouts, strict=True)]
    symmetries = [list(image) for image in game.symmetries]
    return CompiledGame(stages, TIES[game.tie_rule], game.swap is not None, symmetries)


def _stage(stage: Stage, layout: Layout) -> StageSpec:
    spec = StageSpec()
    spec.width, spec.height, spec.first = stage.board.width, stage.board.height, int(stage.first_colour)
    spec.cells = [words(footprint.cells) for footprint in layout.footprints]
    spec.halos = [words(footprint.halo) for footprint in layout.footprints]
    spec.kinds = [footprint.kind_index for footprint in layout.footprints]
    spec.faces = [len(faces) for faces in layout.faces]
    spec.light = [words(placement.light) for placement in layout.placements]
    spec.dark = [words(placement.dark) for placement in layout.placements]
    spec.slots = [placement.stock for placement in layout.placements]
    spec.supply = list(stage.supply)
    spec.blocks = [words(block) for block in stage.full_blocks]
    spec.must_touch = any(isinstance(rule, MustTouch) for rule in stage.constraints)
    spec.same_kind_apart = any(isinstance(rule, SameKindApart) for rule in stage.constraints)
    spec.level_ground = any(isinstance(rule, LevelGround) for rule in stage.constraints)
    first_covers = 0
    for rule in stage.constraints:
        first_covers |= rule.cells if isinstance(rule, FirstMustCover) else 0
    spec.first_covers = words(first_covers)
    spec.scoring = _scoring(stage.scoring)
    spec.tiebreak = [_scoring(rule) for rule in stage.tiebreak]
    spec.last_bonus, spec.swap = stage.last_placement_bonus, stage.swap
    if stage.symbols is not None:
        spec.symbols = (words(stage.symbols.light), words(stage.symbols.dark))
    return spec


def _scoring(scoring: Scoring) -> CoreScoring:
    match scoring:
        case UncoveredSymbols():
            return CoreScoring(UNCOVERED, ALL_GROUPS, False)
        case LargestGroups(groups, adjacency):
            return CoreScoring(LARGEST, groups, adjacency is Adjacency.KING)
        case NthLargestGroup(rank, adjacency):
            return CoreScoring(RANKED, rank, adjacency is Adjacency.KING)
        case SumOfSquares(groups, adjacency):
            return CoreScoring(SQUARES, groups, adjacency is Adjacency.KING)
        case GroupProduct(every, adjacency):
            return CoreScoring(PRODUCT, every or ALL_GROUPS, adjacency is Adjacency.KING)
        case _:
            raise Unsupported("kernel", scoring.key, "unknown scoring")
