"""What a net says of fair starts that it was not trained on: another komi or tie rule, a swap, a named komi.

The same reading as that of the core (core/puct_walk.hpp), for the search in JAX.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from taiji.envs.batched import BatchedEnv
from taiji.envs.batched_state import BatchedState
from taiji.nets.planes import MARGIN_LIMIT
from taiji.rules import Tie
from taiji.training.search import MASKED_LOGIT

KOMI_SHARPNESS = 40.0
"""How much likelier a komi is named than one that leaves the namer one point of a hundred less."""


def win_by_margin(env: BatchedEnv, state: BatchedState, margin_logits: jax.Array) -> jax.Array:
    """Return the mover's win probability from the margins of the net, with the komi and by the tie rule."""
    return _win_with_komi(env, state, margin_logits, state.komi)


def _win_with_komi(
    env: BatchedEnv, state: BatchedState, margin_logits: jax.Array, komi: jax.Array
) -> jax.Array:
    dark = env.colour_to_move(state) == 1
    half_points = 2 * jnp.arange(-MARGIN_LIMIT, MARGIN_LIMIT + 1) + jnp.where(dark, -komi, komi)
    share = {Tie.LIGHT: 1.0 - dark, Tie.DARK: 1.0 * dark}.get(env.tables.tie, 0.5)
    worth = jnp.where(half_points == 0, share, (half_points > 0) * 1.0)
    return jax.nn.softmax(margin_logits) @ worth


def take_better_colour(env: BatchedEnv, state: BatchedState, win: jax.Array) -> jax.Array:
    """Return the win probability of a mover who may swap colours, or who is to name the komi."""
    better = jnp.where(env.can_swap(state), jnp.maximum(win, 1 - win), win)
    return jnp.where(env.must_name_komi(state), 0.5, better)


def complete_policy(
    env: BatchedEnv, state: BatchedState, legal: jax.Array, logits: jax.Array, margin_logits: jax.Array
) -> jax.Array:
    """Append the logits that a net of games without a swap lacks: the swap, and the komis to name.

    A swap is as likely as everything else together; a komi is the likelier, the more even it makes the game.
    """
    count = env.tables.placement_count
    if logits.shape[0] == count:
        placements = jnp.where(legal[:count], logits, MASKED_LOGIT)
        logits = jnp.append(logits, jax.nn.logsumexp(placements))
    names = env.tables.komi_names
    if not names:
        return logits
    chances = jax.vmap(lambda komi: _win_with_komi(env, state, margin_logits, komi))(jnp.asarray(names))
    return jnp.concatenate([logits, KOMI_SHARPNESS * jnp.minimum(chances, 1 - chances)])
