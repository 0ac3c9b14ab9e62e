"""Lowers the compiled form of a game to the tables of the C++ core, or refuses it by name."""

from __future__ import annotations

from functools import lru_cache

from taiji import _core
from taiji.rules import Adjacency, Game, Tie, Unsupported
from taiji.rules.program import (
    Around,
    CompiledStage,
    Each,
    Fixed,
    Fold,
    Plane,
    Source,
    Tally,
    Test,
    Under,
    When,
)
from taiji.rules.traits import score_bits

ENGINE = "kernel"
MAX_SCORE_BITS = 56
"""Scores are 64-bit integers; doubled, added over stages and tripled by the solver they must not overflow."""
_ALL_RANKS = 0
_NO_SWAP = -1
_WORD = (1 << 64) - 1

_PLANES = {
    Plane.PIECE: _core.Plane.PIECE,
    Plane.COVERED: _core.Plane.COVERED,
    Plane.AFTER: _core.Plane.AFTER,
    Plane.KIND: _core.Plane.KIND,
    Plane.GROUND: _core.Plane.GROUND,
}
_WHENS = {When.ALWAYS: _core.When.ALWAYS, When.FIRST: _core.When.FIRST, When.LATER: _core.When.LATER}
_AROUND = {Adjacency.EDGE: _core.Region.AROUND_EDGE, Adjacency.KING: _core.Region.AROUND_KING}
_JOINS = {None: _core.Join.NONE, Adjacency.EDGE: _core.Join.EDGE, Adjacency.KING: _core.Join.KING}
_FOLDS = {Fold.SUM: _core.Fold.SUM, Fold.PRODUCT: _core.Fold.PRODUCT}
_SOURCES = {Source.SQUARES: False, Source.SYMBOLS: True}
_TIES = {
    Tie.LIGHT: _core.Tie.LIGHT,
    Tie.DARK: _core.Tie.DARK,
    Tie.LAST: _core.Tie.LAST,
    Tie.DRAW: _core.Tie.DRAW,
}


def words(mask: int) -> tuple[int, int]:
    """Split a mask into its low and high word."""
    return mask & _WORD, mask >> 64


@lru_cache(maxsize=64)
def compile_game(game: Game) -> _core.CompiledGame:
    """Return the core's form of a game, from a cache; raise `Unsupported` for an unknown rule."""
    program = game.compiled
    if program.tie_rule not in _TIES:
        raise Unsupported(ENGINE, "tie", f"tie rule {program.tie_rule}")
    stages = [_stage(stage) for stage in program.stages]
    symmetries = [list(image) for image in game.symmetries]
    return _core.CompiledGame(
        stages,
        _TIES[program.tie_rule],
        program.komi,
        list(program.komi_names),
        list(program.opening),
        symmetries,
    )


def _stage(stage: CompiledStage) -> _core.StageSpec:
    spec, layout = _core.StageSpec(), stage.layout
    spec.width, spec.height, spec.board = stage.board.width, stage.board.height, words(stage.board.cells)
    spec.first = int(stage.first_colour)
    spec.cells = [words(footprint.cells) for footprint in layout.footprints]
    spec.kinds = [footprint.kind_index for footprint in layout.footprints]
    spec.faces = [len(faces) for faces in layout.faces]
    spec.light = [words(placement.light) for placement in layout.placements]
    spec.dark = [words(placement.dark) for placement in layout.placements]
    spec.slots = [placement.stock for placement in layout.placements]
    spec.supply = list(stage.supply)
    spec.tests = [_test(test) for test in stage.tests]
    spec.score = _tally(stage.score, stage)
    spec.tiebreak = [_tally(tally, stage) for tally in stage.tiebreak]
    spec.last_bonus = stage.last_placement_bonus
    spec.swap_after = _NO_SWAP if stage.swap_after is None else stage.swap_after
    if stage.symbols is not None:
        spec.symbols = (words(stage.symbols.light), words(stage.symbols.dark))
    return spec


def _test(test: Test) -> _core.TestSpec:
    if test.plane not in _PLANES:
        raise Unsupported(ENGINE, test.rule, f"plane {test.plane}")
    if test.when not in _WHENS:
        raise Unsupported(ENGINE, test.rule, f"when {test.when}")
    region, sets = _region(test)
    return _core.TestSpec(
        _PLANES[test.plane], region, _WHENS[test.when], list(test.counts.ranges), list(map(words, sets))
    )


def _region(test: Test) -> tuple[_core.Region, tuple[int, ...]]:
    match test.region:
        case Under():
            return _core.Region.UNDER, ()
        case Around(adjacency) if adjacency in _AROUND:
            return _AROUND[adjacency], ()
        case Fixed(cells):
            return _core.Region.FIXED, (cells,)
        case Each(sets):
            return _core.Region.EACH, sets
        case unknown:
            raise Unsupported(ENGINE, test.rule, f"region {unknown}")


def _tally(tally: Tally, stage: CompiledStage) -> _core.Tally:
    if tally.source not in _SOURCES:
        raise Unsupported(ENGINE, tally.rule, f"source {tally.source}")
    if tally.join not in _JOINS:
        raise Unsupported(ENGINE, tally.rule, f"join {tally.join}")
    if tally.fold not in _FOLDS:
        raise Unsupported(ENGINE, tally.rule, f"fold {tally.fold}")
    _check_range(tally, _max_cells(tally, stage))
    return _core.Tally(
        _SOURCES[tally.source],
        _JOINS[tally.join],
        tally.first,
        _ALL_RANKS if tally.last is None else tally.last,
        _FOLDS[tally.fold],
        list(tally.value),
        tally.linear,
        tally.monotone,
    )


def _check_range(tally: Tally, cells: int) -> None:
    """Raise `Unsupported` if a score of this many cells may overflow."""
    if tally.fold is Fold.SUM and (cells * max(map(abs, tally.value))).bit_length() < MAX_SCORE_BITS:
        return  # by far; the exact bound takes longer
    if (bits := score_bits(tally, cells)) > MAX_SCORE_BITS:
        raise Unsupported(ENGINE, tally.rule, f"scores of {bits} bits, more than {MAX_SCORE_BITS}")


def _max_cells(tally: Tally, stage: CompiledStage) -> int:
    """Return an upper bound on the cells of one colour that a tally groups."""
    board = stage.board.cells.bit_count()
    if tally.source is Source.SYMBOLS:
        if stage.symbols is None:
            return board
        return max(stage.symbols.light.bit_count(), stage.symbols.dark.bit_count())
    placements = stage.layout.placements
    smallest = min((placement.cells.bit_count() for placement in placements), default=1)
    largest = max((max(p.light.bit_count(), p.dark.bit_count()) for p in placements), default=0)
    return min(board, largest * min(board // smallest, sum(stage.supply)))
