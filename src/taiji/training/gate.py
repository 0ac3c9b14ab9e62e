"""The gate: two nets play each other without search on the device, each opening with both seatings."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from taiji.envs.batched_state import BatchedState
from taiji.training.net import Params, fold_weights
from taiji.training.pool import GamePool
from taiji.training.search import MASKED_LOGIT


def play_gate_match(
    pool: GamePool, one: Params, two: Params, key: jax.Array, *, pairs: int, opening_plies: int
) -> jax.Array:
    """Return the score of the first net, from 0 to 1.

    The first `opening_plies` plies are drawn from the policies, the others are the policies' best moves.
    """
    env = pool.env
    evaluators = [pool.evaluator(fold_weights(params)) for params in (one, two)]
    open_key, play_key = jax.random.split(key)
    opened = jax.vmap(pool.open_game)(jax.random.split(open_key, pairs))
    state = jax.tree.map(lambda part: jnp.concatenate([part, part]), opened)
    seat = jnp.repeat(jnp.array([0, 1]), pairs)

    def step(carry: tuple[BatchedState, jax.Array]) -> tuple[BatchedState, jax.Array]:
        state, ply = carry
        policies = [evaluate(state)[0] for evaluate in evaluators]
        mine = jax.vmap(env.seat_to_move)(state) == seat
        logits = jnp.where(mine[:, None], policies[0], policies[1])
        noise = jax.random.gumbel(jax.random.fold_in(play_key, ply), (pairs, logits.shape[1]))
        noise = jnp.concatenate([noise, noise])
        legal = logits > MASKED_LOGIT / 2
        logits = jnp.where(legal, logits + noise * (ply < opening_plies), MASKED_LOGIT)
        return jax.vmap(env.step)(state, jnp.argmax(logits, -1)), ply + 1

    state, _ = jax.lax.while_loop(lambda carry: ~carry[0].done.all(), step, (state, jnp.int32(0)))
    winner = jax.vmap(env.winner)(state)
    points = jnp.where(winner < 0, 0.5, (winner == seat).astype(jnp.float32))
    return points.mean()
