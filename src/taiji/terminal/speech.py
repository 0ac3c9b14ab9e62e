"""Describe moves, scores and boards in sentences for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.notation.wording import counted
from taiji.rules import Colour, NameKomi, Swap, bits
from taiji.rules.geometry import LETTERS
from taiji.rules.placements import format_half_points
from taiji.rules.program import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.rules import Move, Outcome, State

ARTICLES = {"I": "an", "L": "an", "S": "an"}
"""Kinds whose names are pronounced with an initial vowel."""


def say_move(before: State, move: Move) -> str:
    """Describe a move in the position before it."""
    name = before.game.colour_names.of(before.colour_to_move)
    if isinstance(move, Swap):
        return f"{name} swaps colours instead of placing a piece; the other side is to move again."
    if isinstance(move, NameKomi):
        light = before.game.colour_names.of(Colour.LIGHT)
        return f"{name} names a komi of {format_half_points(move.half_points)} for {light}."
    kind = f"{ARTICLES.get(move.kind, 'a')} {move.kind}"
    if not move.light and not move.dark:
        return f"{name} places {kind} on {_listed(before.board.names(move.cells))}."
    halves = [
        f"{before.game.colour_names.of(colour).lower()} on {_listed(before.board.names(mask))}"
        for colour, mask in zip(Colour, (move.light, move.dark), strict=True)
        if mask
    ]
    return f"{name} places {kind}: {', '.join(halves)}."


def say_scores(state: State) -> str:
    """Describe both scores, and the scoring groups."""
    scores = state.scores()
    sentences = []
    for colour in Colour:
        sizes = [str(group.bit_count()) for group in state.scoring_groups(colour)]
        groups = f", from {'a group' if len(sizes) == 1 else 'groups'} of {_listed(sizes)}" if sizes else ""
        if state.game.compiled.stages[state.stage_index].score.source is Source.SYMBOLS:
            groups = f", with {state.scoring_cells(colour).bit_count()} uncovered"
        sentences.append(
            f"{state.game.colour_names.of(colour)} has {scores.of(state.seat_of(colour))}{groups}."
        )
    return " ".join(sentences)


def say_turn(state: State) -> str:
    """Describe whose turn it is, or the result."""
    outcome = state.outcome()
    if outcome is not None:
        return say_outcome(state, outcome)
    if state.must_name_komi:
        light = state.game.colour_names.of(Colour.LIGHT)
        first, last = state.game.komi_moves[0], state.game.komi_moves[-1]
        name = state.game.colour_names.of(state.colour_to_move)
        return f"{name} names the points for {light}, {first!s} to {last!s}; the other player then chooses."
    choices = len(state.legal())
    swap = " A swap is allowed." if state.can_swap else ""
    name = state.game.colour_names.of(state.colour_to_move)
    return f"{name} to move, {counted(choices, 'choice')}.{swap}"


def say_outcome(state: State, outcome: Outcome) -> str:
    """Describe the result of a finished game."""
    words = state.game.colour_names
    points = [f"{words.of(colour)} {outcome.scores.of(state.seat_of(colour))}" for colour in Colour]
    if outcome.winner is None:
        return f"The game is over: {', '.join(points)}. A draw."
    tie = " on the tie" if outcome.scores.first == outcome.scores.second else ""
    return f"The game is over: {', '.join(points)}. {words.of(state.colour_of(outcome.winner))} wins{tie}."


def say_supply(state: State) -> str:
    """Describe how many pieces of each kind are left."""
    left = supply_by_kind(state)
    return f"Left to place: {_listed([f'{count} {kind}' for kind, count in left.items()])}."


def supply_by_kind(state: State) -> dict[str, int]:
    """Return how many pieces of each kind are left."""
    left: dict[str, int] = {}
    for slot, count in zip(state.current_stage.stocks, state.supply, strict=True):
        left[slot.kind] = left.get(slot.kind, 0) + count
    return left


def say_board(state: State) -> Iterator[str]:
    """Describe the pieces on each row, top row first."""
    for row in reversed(range(state.board.height)):
        cells = [(column, state.board.cell_at(column, row)) for column in range(state.board.width)]
        parts = [
            f"{LETTERS[column]} {_what(state, cell)}"
            for column, cell in cells
            if cell is not None and _what(state, cell)
        ]
        yield f"Row {row + 1}: {', '.join(parts) if parts else 'empty'}."


def _what(state: State, cell: int) -> str:
    """Describe a cell; return an empty string for a free one."""
    bit = 1 << cell
    words = state.game.colour_names
    raised = " on top" if bit & state.ground and bit & state.covered else ""
    for colour, mask in zip(Colour, (state.light, state.dark), strict=True):
        if mask & bit:
            return words.of(colour).lower() + raised
    if state.covered & bit:
        kind = next(
            k for k, mask in zip(state.current_stage.kinds, state.layer.kinds, strict=True) if mask & bit
        )
        return f"{kind} piece"
    for colour in Colour:
        if state.symbols.of(colour) & bit:
            return words.of(colour)
    return "raised" if state.ground & bit else ""


def list_cells(state: State, mask: int) -> str:
    """Return the names of the cells of a mask as a list in words."""
    return _listed([state.board.name(cell) for cell in bits(mask)])


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
