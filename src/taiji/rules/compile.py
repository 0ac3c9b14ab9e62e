"""Lowers a game to the form that every engine reads: declared rules become tests and tallies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from taiji.rules.errors import GameError
from taiji.rules.program import (
    NONE_COUNTED,
    Cells,
    CompiledGame,
    CompiledStage,
    Each,
    Fixed,
    Pick,
    Plane,
    Region,
    Source,
    Tally,
    Test,
    Under,
    Why,
)
from taiji.rules.traits import derive_traits

if TYPE_CHECKING:
    from taiji.rules.game import Game, Stage
    from taiji.rules.geometry import Board

OCCUPIED = Test(
    "occupied",
    Plane.COVERED,
    Under(),
    NONE_COUNTED,
    Why("occupied", "{cells} is already covered", Cells.HITS, Pick.FIRST, mark=Cells.HITS),
)
"""The rule of every game: a piece covers free cells only."""


def compile_game(game: Game) -> CompiledGame:
    """Return the compiled form of a game."""
    return CompiledGame(
        name=game.name,
        stages=tuple(_compile_stage(game, index) for index in range(len(game.stages))),
        tie_rule=game.tie_rule,
        swap_action=None if game.swap is None else game.swap.action,
        action_count=game.action_count,
        colour_names=game.colour_names,
        komi=game.komi,
        komi_names=game.komi_names,
        opening=tuple(move.action for move in game.opening_moves),
    )


def _compile_stage(game: Game, index: int) -> CompiledStage:
    stage = game.stages[index]
    return CompiledStage(
        name=stage.name,
        board=stage.board,
        layout=game.layouts[index],
        kinds=stage.kinds,
        tests=stage.tests,
        score=stage.tallies[0],
        tiebreak=stage.tallies[1:],
        first_colour=stage.first_colour,
        supply=stage.supply,
        symbols=stage.symbols,
        last_placement_bonus=stage.last_placement_bonus,
        swap_after=stage.swap_after,
        traits=derive_traits(stage.tests),
    )


def lower_tests(stage: Stage) -> tuple[Test, ...]:
    """Return the tests of a stage, in the order in which they explain; their masks lie on the board."""
    declared = [test for rule in stage.constraints for test in rule.lower(stage.board)]
    return (OCCUPIED, *(replace(test, region=_confine(test.region, stage.board)) for test in declared))


def lower_tallies(stage: Stage) -> tuple[Tally, ...]:
    """Return the tally of the score, then those of the tie-breaks, which by default count the same cells."""
    score = stage.scoring.lower(stage.board, None)
    tallies = (score, *(rule.lower(stage.board, score.source) for rule in stage.tiebreak))
    for tally in tallies:
        _check_tally(tally, stage.board)
    return tallies


def _check_tally(tally: Tally, board: Board) -> None:
    """Raise `GameError` if a tally counts impossible ranks or lacks a value: engines index by them."""
    last = "all" if tally.last is None else tally.last
    if tally.first < 1 or (tally.last is not None and tally.last < tally.first):
        raise GameError(f"{tally.rule}: ranks {tally.first} to {last} (expected 1 or more, in order)")
    sizes = board.cells.bit_count() + 1
    if len(tally.value) < sizes or not all(type(number) is int for number in tally.value):
        raise GameError(f"{tally.rule}: {len(tally.value)} values (expected {sizes} integers or more)")


def check_first_stage(stage: Stage) -> None:
    """Raise `GameError` if the rules of a game's first stage need a stage below."""
    if stage.symbols is None and any(tally.source is Source.SYMBOLS for tally in stage.tallies):
        raise GameError("the first stage counts uncovered symbols but its board has none")
    for test in stage.tests:
        if test.plane is Plane.GROUND:
            raise GameError(f"{test.rule.replace('-', ' ')} needs a stage below")


def _confine(region: Region, board: Board) -> Region:
    match region:
        case Fixed(cells):
            return Fixed(cells & board.cells)
        case Each(sets):
            return Each(tuple(mask & board.cells for mask in sets if mask & board.cells))
        case _:
            return region
