"""A pool: games on one padded board played in parallel, and the net that evaluates them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from taiji.envs.batched import BatchedEnv
from taiji.envs.batched_observe import Observer
from taiji.envs.batched_state import UNNAMED, BatchedState
from taiji.training.fair_start import complete_policy, take_better_colour, win_by_margin
from taiji.training.net import NetShape, Params, apply
from taiji.training.search import MASKED_LOGIT, Evaluate


@dataclass(frozen=True)
class Openings:
    """The random openings of games: plies, and symbols if the game has them."""

    random_plies: int = 0
    """The maximum number of random plies before the first search."""
    random_symbols: float = 0.0
    """The fraction of games whose symbols have no symmetry; in the others O is X rotated by 180°."""


@dataclass(frozen=True)
class GamePool:
    """An environment, its observer, and the weights with which its games are drawn."""

    env: BatchedEnv
    observer: Observer
    weights: tuple[float, ...]
    openings: Openings
    shape: NetShape
    dtype: Any
    decides_by_margin: bool = False
    """Whether positions are worth what the net's margins say, as the net knows another komi or tie rule."""

    def evaluator(self, fixed: Params) -> Evaluate:
        """Return the evaluation by folded params: log probabilities of actions and the mover's value."""

        def evaluate(state: BatchedState) -> tuple[jax.Array, jax.Array]:
            # A net sees a position whose komi is to be named as one without a komi.
            seen = state._replace(komi=jnp.where(state.komi == UNNAMED, 0, state.komi))
            planes = jax.vmap(self.observer.encode_planes)(seen)
            features = jax.vmap(self.observer.encode_globals)(seen)
            outputs = apply(fixed, self.shape, self.as_grid(planes), features, self.dtype)
            # A net that knows a swap also plays the game without one.
            policy = outputs.policy[:, : self.env.actions]
            logits = jax.vmap(self.observer.swap_colours)(seen, policy)
            legal = jax.vmap(self.env.legal)(state)
            win = jax.nn.sigmoid(outputs.value)
            if self.decides_by_margin:
                win = jax.vmap(partial(win_by_margin, self.env))(seen, outputs.margin)
            if self.env.actions > logits.shape[-1]:
                complete = partial(complete_policy, self.env)
                logits = jax.vmap(complete)(seen, legal, logits, outputs.margin)
                win = jax.vmap(partial(take_better_colour, self.env))(state, win)
            logits = jax.nn.log_softmax(jnp.where(legal, logits, MASKED_LOGIT), -1)
            return jnp.where(legal, logits, MASKED_LOGIT), 2 * win - 1

        return evaluate

    def as_grid(self, planes: jax.Array) -> jax.Array:
        """Reshape planes [games, planes, cells] to rows and columns."""
        tables = self.env.tables
        return planes.reshape(*planes.shape[:2], tables.height, tables.width)

    def open_game(self, key: jax.Array) -> BatchedState:
        """Open one game: draw it, scatter its symbols and play its random plies."""
        which, symbols, plies, play = jax.random.split(key, 4)
        game = jax.random.choice(which, len(self.weights), p=jnp.asarray(self.weights))
        state = self.env.reset(game, self._symbols(symbols, game) if self.env.tables.symbols else None)
        count = jax.random.randint(plies, (), 0, self.openings.random_plies + 1)
        opened = self.play_random_plies(state, play, count)
        begun: BatchedState = jax.tree.map(partial(jnp.where, opened.done), state, opened)
        return begun

    def play_random_plies(self, state: BatchedState, key: jax.Array, count: jax.Array) -> BatchedState:
        """Play uniformly random placements; a game that ends on the way stays as it ended."""

        def step(index: jax.Array, state: BatchedState) -> BatchedState:
            return self.env.step(state, self.random_placement(state, jax.random.fold_in(key, index)))

        played: BatchedState = jax.lax.fori_loop(0, count, step, state)
        return played

    def random_placement(self, state: BatchedState, key: jax.Array) -> jax.Array:
        """Return a uniformly random placement: the swap is a decision to learn, not a part of the opening."""
        legal = self.env.legal(state)
        legal = legal.at[self.env.tables.placement_count :].set(False)
        return self.env.random_action(jax.random.bits(key), legal)

    def _symbols(self, key: jax.Array, game: jax.Array) -> jax.Array:
        """Scatter symbols of each colour over 30 % of the board."""
        tables = self.env.tables
        order_key, side_key, symmetry_key = jax.random.split(key, 3)
        board = self.env.reset(game).board
        last = board.sum() - 1
        index = jnp.cumsum(board) - 1
        partner = jnp.where(board, last - index, 0)
        rank_of = jax.random.uniform(order_key, (tables.cells,))
        side = jax.random.bernoulli(side_key, 0.5, (tables.cells,))
        pair = jnp.minimum(index, partner)
        symmetric = jax.random.bernoulli(symmetry_key, 1 - self.openings.random_symbols)
        order = jnp.where(symmetric, rank_of[pair], rank_of)
        order = jnp.where(board & ~(symmetric & (index == partner)), order, 2.0)
        rank = jnp.argsort(jnp.argsort(order))
        count = 6 * board.sum() // 10 // 2 * 2
        first = jnp.where(symmetric, side[pair] ^ (index > partner), side)
        return jnp.where(board & (rank < count), jnp.where(first, 1, 2), 0).astype(jnp.uint8)
