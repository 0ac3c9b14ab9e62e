"""The state of one game of a batched environment; a leading axis makes it the state of many."""

from __future__ import annotations

from typing import NamedTuple

import jax


class BatchedState(NamedTuple):
    """A position as arrays. Cells that are not on this game's board are False in `board`."""

    board: jax.Array
    """[cells] bool: the cells of this game's board."""
    rule: jax.Array
    """Which way to score, an index into `BatchedTables.rules`."""
    symbol: jax.Array
    """[cells] uint8: the printed symbol, 1 light, 2 dark, 0 none."""
    colour: jax.Array
    """[cells] uint8: the colour of the square that lies there, 1 light, 2 dark, 0 none."""
    kind: jax.Array
    """[cells] uint8: the kind of the piece that lies there plus 1, 0 none."""
    label: jax.Array
    """[cells] uint8: the label of the group, 255 none."""
    size: jax.Array
    """[cells] uint8: the size of the group, 0 none."""
    supply: jax.Array
    """[stocks] int8: the pieces left."""
    live: jax.Array
    """[shapes * cells] bool: the footprints that a piece may cover."""
    placed: jax.Array
    """How many pieces lie on the board."""
    swapped: jax.Array
    """Whether the seats have exchanged colours."""
    last: jax.Array
    """The seat that placed last, -1 none."""
    done: jax.Array
    """Whether the game is over."""
