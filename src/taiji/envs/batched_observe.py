"""The inputs of a net in JAX, from the mover's side: integer planes, and globals of the position.

`taiji.nets.planes` is the reference, computed from a `State`, and docs/nets.md lists the planes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from taiji.envs.batched import DARK, LIGHT, BatchedEnv
from taiji.envs.batched_state import BatchedState
from taiji.nets.layout import PolicyPlane, ScoringRule
from taiji.nets.planes import LEAD_CLIP, MARGIN_UNIT, SIDE_UNIT

if TYPE_CHECKING:
    from taiji.nets.layout import Ints

FIXED_GLOBALS = 5
SIZE_UNIT = 16.0
"""Group sizes are divided by this before they enter the net."""


class Observer:
    """Encodes the positions of an environment for a net, and maps its policy to actions."""

    def __init__(
        self, env: BatchedEnv, rules: tuple[ScoringRule, ...] | None = None, *, sees_swap: bool = True
    ) -> None:
        """`sees_swap` is False for a net of games without a swap: it has never seen that input."""
        self.env, self._sees_swap = env, sees_swap
        tables = env.tables
        self.rules = tables.rules if rules is None else rules
        self._rule_index = np.array([self.rules.index(rule) for rule in tables.rules], np.int32)
        self.planes = (
            3 + (0 if tables.symbols else 4) + (tables.kinds if tables.kinds > 1 else 0) + tables.kinds
        )
        self.supplies = tables.stocks if tables.stocks > 1 else 0
        self.globals = FIXED_GLOBALS + len(self.rules) + self.supplies
        self.scale = tuple(
            1 / SIZE_UNIT if not tables.symbols and i in (3, 4) else 1.0 for i in range(self.planes)
        )

    def encode_planes(self, state: BatchedState) -> jax.Array:
        """Return [planes, cells] uint8: board, own, other, group sizes, what counts, kinds, reach."""
        env, tables = self.env, self.env.tables
        dark = env.colour_to_move(state) == 1
        colour_codes = (LIGHT, DARK)
        owned = jnp.stack([env.owned(state, colour_code) for colour_code in colour_codes])
        planes = [state.board[None], _ordered(owned, dark)]
        if not tables.symbols:
            counts = env.score_state(state).counting
            planes += [_ordered(owned * state.size, dark), _ordered(counts, dark)]
        if tables.kinds > 1:
            planes.append(state.kind[None] == jnp.arange(1, tables.kinds + 1)[:, None])
        planes.append(self._coverable(state))
        return jnp.concatenate([part.astype(jnp.uint8) for part in planes])

    def _coverable(self, state: BatchedState) -> jax.Array:
        """Return the cells that the live footprints of each kind cover: [kinds, cells]."""
        tables, exact = self.env.tables, self.env.exact
        parts = []
        live = state.live.astype(exact)
        for kind in range(tables.kinds):
            rows = np.flatnonzero(tables.footprint_kind == kind)
            cover = jnp.asarray(tables.footprint_cells[rows], exact)
            parts.append(live[rows[0] : rows[-1] + 1] @ cover > 0)
        return jnp.stack(parts)

    def encode_globals(self, state: BatchedState) -> jax.Array:
        """Return [globals] float32: mover is dark, may swap, covered share, side, lead, rule, supply."""
        env = self.env
        dark = env.colour_to_move(state) == 1
        cells = state.board.sum()
        lead = env.score_state(state).lead
        lead = jnp.where(dark, -lead, lead) / MARGIN_UNIT
        fixed = jnp.stack(
            [
                dark.astype(jnp.float32),
                env.can_swap(state).astype(jnp.float32) * self._sees_swap,
                (state.kind > 0).sum() / cells,
                jnp.sqrt(cells.astype(jnp.float32)) / SIDE_UNIT,
                jnp.clip(lead, -LEAD_CLIP, LEAD_CLIP),
            ]
        )
        rule = (jnp.arange(len(self.rules)) == jnp.asarray(self._rule_index)[state.rule]).astype(jnp.float32)
        parts = [fixed, rule]
        if self.supplies:
            supply = jnp.where(dark, state.supply[env.tables.colour_swapped_stocks], state.supply)
            parts.append(supply / jnp.maximum(jnp.asarray(env.supplies).max(0), 1))
        return jnp.concatenate(parts).astype(jnp.float32)

    def swap_colours(self, state: BatchedState, policy: jax.Array) -> jax.Array:
        """Convert a policy between the mover's view and the environment's actions."""
        tables = self.env.tables
        count = tables.placement_count
        swapped = policy[:count].reshape(-1, self.env.cells)[tables.colour_swapped_planes].reshape(-1)
        swapped = jnp.concatenate([swapped, policy[count:]])
        return jnp.where(self.env.colour_to_move(state) == 1, swapped, policy)

    @cached_property
    def cell_symmetries(self) -> Ints:
        """For each symmetry of the grid and each cell, the cell it is taken from."""
        maps = self._symmetries
        return np.argsort(maps, axis=1).astype(np.int32)

    @cached_property
    def _symmetries(self) -> Ints:
        """The symmetries of the grid that map pieces onto pieces."""
        stage = self.env.tables.stage
        free = all(piece.can_rotate and piece.can_flip for piece in stage.pieces)
        maps = stage.board.symmetries
        return np.array(maps if free else maps[:1], np.int32)

    @cached_property
    def action_symmetries(self) -> Ints:
        """For each symmetry and action, its source action; actions off the grid map to themselves."""
        tables, maps = self.env.tables, self._symmetries
        table = np.tile(np.arange(tables.actions, dtype=np.int32), (len(maps), 1))
        by_cells = self._actions_by_cells()
        for row, image in zip(table, maps, strict=True):
            for key, action in by_cells.items():
                cells, stock = key
                moved = (tuple(sorted((int(image[c]), colour) for c, colour in cells)), stock)
                row[by_cells[moved]] = action
        return table

    def _actions_by_cells(self) -> dict[tuple[tuple[tuple[int, int], ...], int], int]:
        tables = self.env.tables
        actions = {}
        for index, plane in enumerate(tables.planes):
            for anchor in range(tables.cells):
                placed = self._squares(plane, anchor)
                if placed is not None:
                    key = (placed, plane.stock * tables.kinds + tables.shapes[plane.shape].kind)
                    actions[key] = index * tables.cells + anchor
        return actions

    def _squares(self, plane: PolicyPlane, anchor: int) -> tuple[tuple[int, int], ...] | None:
        tables = self.env.tables
        row, column = divmod(anchor, tables.width)
        squares = tables.shapes[plane.shape].squares
        cells = [tables.board.cell_at(column + x, row + y) for x, y in squares]
        if None in cells:
            return None
        return tuple(sorted((c, k) for c, k in zip(cells, plane.colours, strict=True) if c is not None))


def _ordered(pair: jax.Array, dark: jax.Array) -> jax.Array:
    """Put the mover's row first."""
    return jnp.where(dark, pair[::-1], pair)
