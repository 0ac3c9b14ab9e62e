"""The game values that the tests of environments play, and what a position looks like by the rules alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taiji.rules import Colour, bits

if TYPE_CHECKING:
    from taiji.rules import Seat, State

GAMES = ["taiji", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits"]
"""Each game of the catalogue as it is."""

VALUES = [
    *GAMES,
    "taiji:size=2",
    "taiji:size=7",
    "taiji:size=11",
    "taiji:score=omega",
    "taiji:size=5,groups=3,score=squares",
    "taiji:size=6,groups=2,score=product,diagonal=yes",
    "tailits:score=second,set=free",
    "battle-of-lits:board=2,size=8,swap=no",
    "battle-of-lits:symbols=x..o|.xo.|.xo.|x..o",
    "tailits+taiji:score=second,groups=1",
    "taiji+battle-of-lits:size=5",
]
"""Every game with every kind of option."""


def row(cells: int, mask: int) -> np.ndarray:
    found = np.zeros(cells, np.float32)
    found[list(bits(mask))] = 1
    return found


def expected_planes(state: State, seat: Seat) -> dict[str, np.ndarray | float]:
    """What each plane of a position must hold, from the state alone."""
    game, board = state.game, state.board
    colour = state.colour_of(seat)
    laid = {Colour.LIGHT: state.light, Colour.DARK: state.dark}
    kinds = dict(zip(state.current_stage.kinds, state.layer.kinds, strict=True))
    symbols = state.symbols if state.compiled_stage.counts_symbols else None
    masks = {
        "board": board.cells,
        "own": laid[colour],
        "other": laid[colour.other],
        "own symbols": symbols.of(colour) & ~state.covered if symbols else 0,
        "other symbols": symbols.of(colour.other) & ~state.covered if symbols else 0,
        "ground": state.ground,
        **{f"kind {kind}": kinds.get(kind, 0) for stage in game.stages for kind in stage.kinds},
    }
    lead = state.scores().of(seat) - state.scores().of(seat.other)
    numbers = {
        "dark": colour is Colour.DARK,
        "to move": not state.is_over and state.seat_to_move is seat,
        "may swap": state.can_swap,
        "stage 2": state.stage_index == 1,
        "ahead": min(1, max(0, lead) / board.size),
        "behind": min(1, max(0, -lead) / board.size),
    }
    for number, stage in enumerate(game.stages):
        left = (
            state.supply
            if number == state.stage_index
            else stage.supply
            if number > state.stage_index
            else None
        )
        for index, slot in enumerate(stage.stocks):
            numbers[f"left {slot.label}"] = left[index] / slot.count if left else 0
    return {name: row(board.size, mask) for name, mask in masks.items()} | numbers
