"""Bounds of the scores that a game can end with, from its board and pieces."""

from __future__ import annotations

from functools import lru_cache

from taiji.arena.tournaments.models import Points
from taiji.rules import Colour, Game
from taiji.rules.game import Stage
from taiji.rules.program import Source
from taiji.rules.traits import score_bounds


def why_impossible(game: Game, one: Points, two: Points) -> str:
    """Return why a game cannot end with these two scores; empty if it can."""
    most = max_score(game)
    bonus = sum(stage.last_placement_bonus for stage in game.stages) % 2 == 1
    for score in (one, two):
        if score < 0:
            return f"a score of {score:g} is negative"
        if score > most:
            return f"a score of {score:g} is impossible at {game}: no side can have more than {most:g}"
        if score * 2 != int(score * 2) or (score != int(score) and not bonus):
            return f"a score of {score:g} is impossible at {game}"
    if bonus and (one != int(one)) == (two != int(two)):
        return (
            f"{one:g}-{two:g} is impossible at {game}: exactly one side has the half point for placing last"
        )
    least = min_score(game)
    if min(one, two) < least:
        return f"a score of {min(one, two):g} is impossible at {game}: every side has at least {least:g}"
    return ""


@lru_cache(maxsize=64)
def max_score(game: Game) -> Points:
    """Return an upper bound of a side's score."""
    total: Points = 0
    for index, stage in enumerate(game.compiled.stages):
        total += score_bounds(stage.score, _max_cells(game, index))[1] + stage.last_placement_bonus / 2
    return int(total) if total == int(total) else total


@lru_cache(maxsize=64)
def min_score(game: Game) -> int:
    """Return a lower bound of a side's score: one square if every piece has both colours."""
    return sum(
        score_bounds(compiled.score, _max_squares(stage), least=1)[0]
        for stage, compiled in zip(game.stages, game.compiled.stages, strict=True)
        if compiled.score.source is Source.SQUARES
        and all("l" in piece.colours and "d" in piece.colours for piece in stage.pieces)
    )


def _max_cells(game: Game, index: int) -> int:
    """Return the maximum number of cells that the score of a stage counts for one side."""
    stage = game.compiled.stages[index]
    if stage.score.source is Source.SQUARES:
        return _max_squares(game.stages[index])
    if stage.symbols is not None:
        return max(stage.symbols.of(colour).bit_count() for colour in Colour)
    return _max_squares(game.stages[index - 1])


def _max_squares(stage: Stage) -> int:
    """Return the maximum number of squares of one colour that the pieces can bring onto the board."""
    cells = stage.board.cells.bit_count()
    smallest = min(len(piece.squares) for piece in stage.pieces)
    pieces = min(cells // smallest, sum(stock.count for stock in stage.stocks))
    richest = max(max(piece.colours.count("l"), piece.colours.count("d")) for piece in stage.pieces)
    return min(pieces * richest, cells)
