"""Which scores a game can end with, as far as its pieces and its board tell."""

from __future__ import annotations

from functools import lru_cache

from taiji.arena.tournaments.models import Points
from taiji.rules import Colour, Game
from taiji.rules.game import Stage
from taiji.rules.scoring import GroupProduct, NthLargestGroup, SumOfSquares, UncoveredSymbols


def why_impossible(game: Game, one: Points, two: Points) -> str:
    """Say why a game cannot end with these two scores, or nothing where it can."""
    most = max_score(game)
    bonus = sum(stage.last_placement_bonus for stage in game.stages) % 2 == 1
    for score in (one, two):
        if score < 0:
            return f"a score of {score:g} is below nothing"
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
    """Return a score that no side can exceed."""
    total: Points = 0
    squares = 0
    for stage in game.stages:
        before, squares = squares, _max_squares(stage)
        total += _max_stage_score(stage, squares, before) + stage.last_placement_bonus / 2
    return int(total) if total == int(total) else total


@lru_cache(maxsize=64)
def min_score(game: Game) -> int:
    """Return a score below which no side can end: one square where each piece has both colours."""
    return sum(
        all("l" in piece.colours and "d" in piece.colours for piece in stage.pieces)
        for stage in game.stages
        if not isinstance(stage.scoring, UncoveredSymbols | NthLargestGroup)
    )


def _max_squares(stage: Stage) -> int:
    """Return how many squares of one colour the pieces can bring onto the board."""
    cells = stage.board.cells.bit_count()
    smallest = min(len(piece.squares) for piece in stage.pieces)
    pieces = min(cells // smallest, sum(slot.count for slot in stage.stocks))
    richest = max(max(piece.colours.count("l"), piece.colours.count("d")) for piece in stage.pieces)
    return min(pieces * richest, cells)


def _max_stage_score(stage: Stage, squares: int, before: int) -> int:
    match stage.scoring:
        case UncoveredSymbols():
            symbols = stage.symbols
            return before if symbols is None else max(symbols.of(c).bit_count() for c in Colour)
        case NthLargestGroup(rank=rank):
            return squares // rank
        case SumOfSquares():
            return squares**2
        case GroupProduct(groups=groups):
            return _max_product(squares, groups)
        case _:
            return squares


def _max_product(squares: int, groups: int | None) -> int:
    """Return the largest product of at most so many sizes that sum to no more than `squares`."""
    best = 0
    for count in range(1, (groups or squares) + 1):
        small, more = divmod(squares, count)
        best = max(best, small ** (count - more) * (small + 1) ** more)
    return best
