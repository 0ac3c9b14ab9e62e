"""A batched environment for accelerators: thousands of games of one family stepped at once in JAX.

The functions are pure and written for one game; `jax.vmap` makes them play many. Games that differ in
board and scoring alone can be mixed in one batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from taiji.envs.batched_groups import NO_GROUP, add_square, group_sizes
from taiji.envs.batched_scoring import check_range, depth, largest_sizes, margin, score, threshold
from taiji.envs.batched_state import BatchedState
from taiji.envs.batched_tables import BatchedTables
from taiji.rules import Colour, Game, Symbols, Tie

LIGHT, DARK = 1, 2


class BatchedEnv:
    """One family of games; `game_actions` maps the actions of its `PolicyLayout` to those of each game."""

    def __init__(self, games: Game | Sequence[Game]) -> None:
        self.tables = BatchedTables([games] if isinstance(games, Game) else list(games))
        tables = self.tables
        self.games = tables.games
        self.actions, self.cells, self.planes = tables.actions, tables.cells, len(tables.planes)
        self.game_actions = tables.game_actions
        for scoring, tiebreak in tables.rules:
            for rule in (scoring, *tiebreak):
                check_range(rule, tables.cells)
        self._deepest = max(depth(part) for rule in tables.rules for part in (rule[0], *rule[1]))
        stages = [game.stages[0] for game in self.games]
        self._boards = np.stack([tables.embed(stage.board, stage.board.cells) for stage in stages])
        self.supplies = np.array([stage.supply for stage in stages], np.int8)
        self._symbols = np.stack([self.symbol_row(game, game.stages[0].symbols) for game in self.games])
        self.exact = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16

    def symbol_row(self, game: Game, symbols: Symbols | None) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """Return printed symbols as a row of this environment's grid."""
        board, marks = game.stages[0].board, symbols or Symbols()
        light, dark = (self.tables.embed(board, mask) for mask in (marks.light, marks.dark))
        return (light * LIGHT + dark * DARK).astype(np.uint8)

    def reset(self, game: jax.Array, symbol: jax.Array | None = None) -> BatchedState:
        """Return the start of the game with this index, over its own symbols or others."""
        cells = self.cells
        blank = jnp.zeros(cells, jnp.uint8)
        state = BatchedState(
            board=jnp.asarray(self._boards)[game],
            rule=jnp.asarray(self.tables.game_rule)[game],
            symbol=jnp.asarray(self._symbols)[game] if symbol is None else symbol.astype(jnp.uint8),
            colour=blank,
            kind=blank,
            label=jnp.full(cells, NO_GROUP, jnp.uint8),
            size=blank,
            supply=jnp.asarray(self.supplies)[game],
            live=jnp.zeros(len(self.tables.shapes) * cells, jnp.bool_),
            placed=jnp.int32(0),
            swapped=jnp.bool_(False),
            last=jnp.int32(-1),
            done=jnp.bool_(False),
        )
        return self._update_live(state)

    def _update_live(self, state: BatchedState) -> BatchedState:
        live = self._find_live(state)
        return state._replace(live=live, done=~live.any())

    def _find_live(self, state: BatchedState) -> jax.Array:
        tables = self.tables
        covered = state.kind > 0
        facts = [covered | ~state.board]
        if tables.must_touch:
            facts.append(covered)
        if tables.kinds_apart:
            facts += [state.kind == kind + 1 for kind in range(tables.kinds)]
        if len(tables.blocks):
            exact = self.exact
            filled = covered.astype(exact) @ jnp.asarray(tables.blocks.T, exact)
            area = jnp.asarray(tables.blocks.sum(1), exact)
            facts += [filled + more >= area for more in range(1, tables.largest_overlap + 1)]
        seen = jnp.concatenate(facts).astype(self.exact)
        weight = jnp.matmul(
            seen, jnp.asarray(tables.penalty_matrix, self.exact), preferred_element_type=jnp.float32
        )
        opening = state.placed == 0
        live = weight >= jnp.where(opening | (not tables.must_touch), 0.0, 1.0)
        live &= jnp.asarray(tables.footprint_cells.any(1))
        live &= jnp.asarray(tables.opening) | ~opening
        stock = jnp.stack(
            [
                (state.supply[np.flatnonzero(tables.stock_kind == kind)] > 0).any()
                for kind in range(tables.kinds)
            ]
        )
        return live & stock[tables.footprint_kind]

    def legal(self, state: BatchedState) -> jax.Array:
        """Return which actions are allowed: [actions] bool."""
        tables = self.tables
        live = state.live.reshape(-1, self.cells)[tables.plane_shape]
        faces: jax.Array = (live & (state.supply > 0)[tables.plane_stock, None]).reshape(-1)
        return jnp.append(faces, self.can_swap(state)) if tables.swap else faces

    def can_swap(self, state: BatchedState) -> jax.Array:
        """Tell whether the mover may swap."""
        if not self.tables.swap:
            return jnp.zeros_like(state.done)
        return ~state.swapped & (state.placed == 1) & ~state.done

    def to_move(self, state: BatchedState) -> jax.Array:
        """Return the colour to move: 0 light, 1 dark."""
        return (state.placed + int(self.tables.first)) % 2

    def mover(self, state: BatchedState) -> jax.Array:
        """Return the seat to move."""
        return self.to_move(state) ^ state.swapped.astype(jnp.int32)

    def step(self, state: BatchedState, action: jax.Array) -> BatchedState:
        """Play a legal action; a game that is over stays as it is."""
        tables = self.tables
        count = len(tables.planes) * self.cells
        placing = jnp.minimum(action, count - 1)
        after = self._place(state, placing)
        if tables.swap:
            swapped = state._replace(swapped=jnp.bool_(True))
            after = jax.tree.map(partial(jnp.where, action == count), swapped, after)
        stepped: BatchedState = jax.tree.map(partial(jnp.where, state.done), state, after)
        return stepped

    def _place(self, state: BatchedState, action: jax.Array) -> BatchedState:
        tables = self.tables
        plane, anchor = action // self.cells, action % self.cells
        shape = jnp.asarray(tables.plane_shape)[plane]
        cells = jnp.asarray(tables.footprint_cells)[shape * self.cells + anchor]
        kind = jnp.asarray(tables.footprint_kind)[shape * self.cells] + 1
        colour, label, size = state.colour, state.label, state.size
        squares = jnp.asarray(tables.face_cells)[action]
        neighbours = jnp.asarray(tables.neighbours)
        for index in range(squares.shape[0]):
            colour_code = LIGHT if index < tables.squares[0] else DARK
            colour, label, size = add_square(colour, label, size, squares[index], colour_code, neighbours)
        stock = jnp.asarray(tables.plane_stock)[plane]
        return self._update_live(
            state._replace(
                colour=colour,
                kind=jnp.where(cells, kind.astype(jnp.uint8), state.kind),
                label=label,
                size=size,
                supply=state.supply - (jnp.arange(tables.stocks) == stock).astype(jnp.int8),
                placed=state.placed + 1,
                last=self.mover(state),
            )
        )

    def scores(self, state: BatchedState) -> jax.Array:
        """Return the points of light and dark: [2] uint32."""
        return self.score_state(state)[0]

    def score_state(self, state: BatchedState) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
        """Return scores [2], light's lead, its lead by tie-breaks (-1, 0, 1), and what counts [2, cells]."""
        found = [self._by_rule(state, index) for index in range(len(self.tables.rules))]
        if len(found) == 1:
            return found[0]
        chosen = [jnp.stack(part) for part in zip(*found, strict=True)]
        scores, lead, broken, counts = (part[state.rule] for part in chosen)
        return scores, lead, broken, counts

    def _by_rule(self, state: BatchedState, index: int) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
        scoring, tiebreak = self.tables.rules[index]
        inks = (LIGHT, DARK)
        sizes = [group_sizes(state.colour, state.label, state.size, ink) for ink in inks]
        tops = [largest_sizes(s, self._deepest) for s in sizes]
        owned = [self.owned(state, ink) for ink in inks]
        light, dark = (score(scoring, *parts) for parts in zip(sizes, tops, owned, strict=True))
        broken = jnp.int32(0)
        for rule in tiebreak:
            one, two = (score(rule, *parts) for parts in zip(sizes, tops, owned, strict=True))
            step = (one > two).astype(jnp.int32) - (one < two).astype(jnp.int32)
            broken = jnp.where(broken == 0, step, broken)
        if self.tables.symbols:
            counts = jnp.stack(owned)
        else:
            counts = jnp.stack(
                [own & (state.size >= threshold(scoring, top)) for own, top in zip(owned, tops, strict=True)]
            )
        return jnp.stack([light, dark]), margin(scoring, light, dark), broken, counts

    def owned(self, state: BatchedState, colour_code: int) -> jax.Array:
        """Return the squares, or the uncovered symbols, of a colour: [cells] bool."""
        if self.tables.symbols:
            return (state.symbol == colour_code) & (state.kind == 0)
        return state.colour == colour_code

    def winner(self, state: BatchedState) -> jax.Array:
        """Return the seat that would win if the game ended now, -1 for a draw."""
        scores, _, broken, _ = self.score_state(state)
        swapped = state.swapped.astype(jnp.int32)
        light = jnp.where(scores[0] == scores[1], broken, jnp.where(scores[0] > scores[1], 1, -1))
        tied = {
            Tie.LIGHT: swapped,
            Tie.DARK: 1 - swapped,
            Tie.LAST: state.last,
            Tie.DRAW: jnp.int32(-1),
        }[self.tables.tie]
        return jnp.where(light == 0, tied, jnp.where(light > 0, Colour.LIGHT, Colour.DARK) ^ swapped)

    def random_action(self, bits: jax.Array, legal: jax.Array) -> jax.Array:
        """Return one of the legal actions, each as likely as another, from 32 random bits."""
        index = jnp.arange(legal.shape[0], dtype=jnp.uint32)
        word = (index * jnp.uint32(0x9E3779B1)) ^ bits
        word = (word ^ (word >> 16)) * jnp.uint32(0x85EBCA6B)
        word = (word ^ (word >> 13)) * jnp.uint32(0xC2B2AE35)
        word = word ^ (word >> 16)
        return jnp.argmax(jnp.where(legal, word >> 1, jnp.uint32(0)) + legal.astype(jnp.uint32))


__all__ = ["BatchedEnv", "BatchedState"]
