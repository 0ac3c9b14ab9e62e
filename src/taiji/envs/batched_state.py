"""The state of one game of a batched environment; a leading axis makes it a batch of games."""

from __future__ import annotations

from typing import NamedTuple

import jax

UNNAMED = -(2**15)
"""Stands for a komi that has not been named yet."""


class BatchedState(NamedTuple):
    """A position as arrays. Cells outside this game's board are False in `board`."""

    board: jax.Array
    """[cells] bool: the cells of this game's board."""
    rule: jax.Array
    """The scoring rule, an index into `BatchedTables.rules`."""
    symbol: jax.Array
    """[cells] uint8: the printed symbol, 1 light, 2 dark, 0 none."""
    colour: jax.Array
    """[cells] uint8: the colour of the placed square, 1 light, 2 dark, 0 none."""
    kind: jax.Array
    """[cells] uint8: the kind of the placed piece plus 1, 0 none."""
    label: jax.Array
    """[cells] uint8: the label of the group, 255 none."""
    size: jax.Array
    """[cells] uint8: the size of the group, 0 none."""
    supply: jax.Array
    """[stocks] int16: the pieces left."""
    live: jax.Array
    """[shapes * cells] bool: the footprints that a piece may cover now."""
    placed: jax.Array
    """The number of pieces on the board."""
    swapped: jax.Array
    """Whether the seats have exchanged colours."""
    komi: jax.Array
    """Light's komi in half points; `UNNAMED` before it is named."""
    last: jax.Array
    """The seat that placed last, -1 none."""
    done: jax.Array
    """Whether the game is over."""


class ScoredState(NamedTuple):
    """The score of a position as if the game ended now."""

    points: jax.Array
    """[2] int32, or uint32 if a score needs the 32nd bit: of light and dark."""
    lead: jax.Array
    """Light's lead as a margin: in points, or in quarter octaves."""
    tiebreak: jax.Array
    """1 if the tie-breaks favour light, -1 if dark, 0 if they are equal."""
    counting: jax.Array
    """[2, cells] bool: the cells of light and dark that count."""
