"""Self-play: play a pool of games for some plies, restart those that end, and propagate results back."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

from taiji.envs.batched_state import BatchedState
from taiji.nets.planes import MARGIN_LIMIT
from taiji.training.net import Params, fold_weights
from taiji.training.pool import GamePool
from taiji.training.search import search


class Ending(NamedTuple):
    """The result of a game by colour; `known` is False while it is in progress."""

    known: jax.Array
    winner: jax.Array
    lead: jax.Array
    swapped: jax.Array
    owner: jax.Array


class Chunk(NamedTuple):
    """Searched positions [plies, games, …], and the endings of the games that ended with that ply."""

    planes: jax.Array
    features: jax.Array
    policy: jax.Array
    value: jax.Array
    seat_to_move: jax.Array
    dark: jax.Array
    ending: Ending


class Examples(NamedTuple):
    """Training examples [positions, …], all from the mover's view."""

    planes: jax.Array
    features: jax.Array
    policy: jax.Array
    value: jax.Array
    margin: jax.Array
    owner: jax.Array
    weight: jax.Array


def get_ending(pool: GamePool, state: BatchedState) -> Ending:
    """Return the ending of one game."""
    env = pool.env
    scored = env.score_state(state)
    owned = [env.owned(state, code) for code in (1, 2)]
    owner = jnp.where(owned[0], 1, jnp.where(owned[1], 2, 0)) + 2 * scored.counting.any(0)
    return Ending(state.done, env.winner(state), scored.lead, state.swapped, owner.astype(jnp.uint8))


def play_chunk(
    pool: GamePool,
    params: Params,
    state: BatchedState,
    key: jax.Array,
    *,
    plies: int,
    simulations: int,
    candidates: int,
    value_scale: float = 1.0,
) -> tuple[BatchedState, Chunk]:
    """Search and move `plies` times in each game."""
    env, observer = pool.env, pool.observer
    evaluate = pool.evaluator(fold_weights(params))

    def ply(state: BatchedState, key: jax.Array) -> tuple[BatchedState, Chunk]:
        search_key, open_key = jax.random.split(key)
        result = search(
            env,
            evaluate,
            state,
            search_key,
            simulations=simulations,
            candidates=candidates,
            value_scale=value_scale,
        )
        after = jax.vmap(env.step)(state, result.action)
        ending = jax.vmap(lambda one: get_ending(pool, one))(after)
        chunk = Chunk(
            planes=jax.vmap(observer.encode_planes)(state),
            features=jax.vmap(observer.encode_globals)(state),
            policy=jax.vmap(observer.swap_colours)(state, result.policy).astype(jnp.bfloat16),
            value=result.value,
            seat_to_move=jax.vmap(env.seat_to_move)(state),
            dark=jax.vmap(env.colour_to_move)(state) == 1,
            ending=ending,
        )
        fresh = jax.vmap(pool.open_game)(jax.random.split(open_key, after.done.shape[0]))

        def renewed(new: jax.Array, old: jax.Array) -> jax.Array:
            return jnp.where(after.done.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        return jax.tree.map(renewed, fresh, after), chunk

    return jax.lax.scan(ply, state, jax.random.split(key, plies))


def _propagate_endings(ending: Ending, later: Ending) -> tuple[Ending, Ending]:
    """Return the ending of each game's first ply, and the ending of each ply's game."""

    def step(later: Ending, current: Ending) -> tuple[Ending, Ending]:
        def pick(new: jax.Array, old: jax.Array) -> jax.Array:
            return jnp.where(current.known.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        ending = jax.tree.map(pick, current, later)
        return ending, ending

    return jax.lax.scan(step, later, ending, reverse=True)


def unknown_endings(ending: Ending) -> Ending:
    """Return unknown endings in the shape of one ply of `ending`."""
    blank: Ending = jax.tree.map(lambda part: jnp.zeros_like(part[0]), ending)
    return blank


def make_examples(
    pool: GamePool, chunk: Chunk, next_ending: Ending, side: int, search_value_weight: float
) -> Examples:
    """Return a chunk's examples on a grid of width `side`; the next chunk gives the endings of its games."""
    first_after, _ = _propagate_endings(next_ending, unknown_endings(next_ending))
    _, ending = _propagate_endings(chunk.ending, first_after)
    won = jnp.where(ending.winner < 0, 0.5, (ending.winner == chunk.seat_to_move).astype(jnp.float32))
    is_light = (chunk.seat_to_move ^ ending.swapped.astype(jnp.int32)) == 0
    margin = jnp.round(jnp.where(is_light, ending.lead, -ending.lead))
    margin = (jnp.clip(margin, -MARGIN_LIMIT, MARGIN_LIMIT) + MARGIN_LIMIT).astype(jnp.uint8)
    exchanged = jnp.array([0, 2, 1, 4, 3], jnp.uint8)[ending.owner]
    owner = jnp.where(chunk.dark[..., None], exchanged, ending.owner)
    value = (1 - search_value_weight) * won + search_value_weight * (chunk.value + 1) / 2

    def flat(part: jax.Array) -> jax.Array:
        return part.reshape(-1, *part.shape[2:])

    return Examples(
        planes=_pad(pool, flat(chunk.planes), side),
        features=flat(chunk.features),
        policy=_pad_policy(pool, flat(chunk.policy), side),
        value=flat(value),
        margin=flat(margin),
        owner=_pad(pool, flat(owner)[:, None], side)[:, 0],
        weight=flat(ending.known).astype(jnp.float32),
    )


def _pad(pool: GamePool, planes: jax.Array, side: int) -> jax.Array:
    """Pad planes of cells to a larger grid, with the bottom left corners aligned."""
    tables = pool.env.tables
    grid = planes.reshape(*planes.shape[:2], tables.height, tables.width)
    room = ((0, 0), (0, 0), (0, side - tables.height), (0, side - tables.width))
    return jnp.pad(grid, room).reshape(*planes.shape[:2], side * side)


def _pad_policy(pool: GamePool, policy: jax.Array, side: int) -> jax.Array:
    count = pool.env.planes * pool.env.cells
    planes = _pad(pool, policy[:, :count].reshape(-1, pool.env.planes, pool.env.cells), side)
    return jnp.concatenate([planes.reshape(policy.shape[0], -1), policy[:, count:]], -1)
