"""Gumbel search over a batch of games: sequential halving at the root, improved policies below.

Each node keeps only its `candidates` likeliest children, so that a tree needs little memory in games with
thousands of actions. The root keeps those drawn by the Gumbel trick: acting by the search improves on the
prior with any number of simulations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from taiji.envs.batched import BatchedEnv
from taiji.envs.batched_state import BatchedState

VISIT_OFFSET = 50.0
NO_NODE = -1
MASKED_LOGIT = -1e9

Evaluate = Callable[[BatchedState], tuple[jax.Array, jax.Array]]
"""Positions to log probabilities of the actions (MASKED_LOGIT if illegal) and the mover's values, −1 to 1."""


class Tree(NamedTuple):
    """Search trees [games, nodes, …], one per game; edges lie along the last axis."""

    state: BatchedState
    value: jax.Array
    parent: jax.Array
    edge: jax.Array
    action: jax.Array
    prior: jax.Array
    child: jax.Array
    visits: jax.Array
    total: jax.Array


class SearchOutput(NamedTuple):
    """The result of a search at the roots."""

    action: jax.Array
    policy: jax.Array
    """The improved policy over all actions."""
    value: jax.Array


def halving_schedule(candidates: int, simulations: int) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """Return [candidates, simulation]: the visits so far of the root edge that this simulation takes."""
    table = np.zeros((candidates + 1, simulations), np.int32)
    for count in range(candidates + 1):
        if count <= 1:
            table[count] = np.arange(simulations)
            continue
        rounds, left, depth = int(np.ceil(np.log2(count))), count, 0
        counts: list[int] = []
        while len(counts) < simulations:
            for _ in range(max(1, simulations // (rounds * left))):
                counts += [depth] * left
                depth += 1
            left = max(2, left // 2)
        table[count] = counts[:simulations]
    return table


def largest(values: jax.Array, count: int) -> tuple[jax.Array, jax.Array]:
    """Return the `count` largest values of each row and their indices.

    Long rows are split into parts first: the largest values lie in the parts with the largest maxima.
    """
    games, length = values.shape
    part = 128
    if length < 16 * part:
        return jax.lax.top_k(values, count)
    parts = -(-length // part)
    padded = jnp.pad(values, ((0, 0), (0, parts * part - length)), constant_values=2 * MASKED_LOGIT)
    cut = padded.reshape(games, parts, part)
    _, chosen = jax.lax.top_k(cut.max(-1), count)
    few = jnp.take_along_axis(cut, chosen[..., None], 1).reshape(games, -1)
    best, position = jax.lax.top_k(few, count)
    index = jnp.take_along_axis(chosen, position // part, 1) * part + position % part
    return best, index


def terminal_value(env: BatchedEnv, state: BatchedState) -> jax.Array:
    """Return the result of a finished game for the seat to move: 1, 0 or −1."""
    winner = env.winner(state)
    return jnp.where(winner < 0, 0.0, jnp.where(winner == env.seat_to_move(state), 1.0, -1.0))


def improved_logits(
    prior: jax.Array, visits: jax.Array, total: jax.Array, value: jax.Array, value_scale: float
) -> jax.Array:
    """Return the logits of the improved policy: priors plus scaled values, the mixed value if unvisited."""
    quality = total / jnp.maximum(visits, 1)
    count = visits.sum(-1)
    weight = jnp.where(visits > 0, jnp.exp(prior), 0.0)
    seen = (weight * quality).sum(-1) / jnp.maximum(weight.sum(-1), 1e-9)
    mixed = (value + count * seen) / (1 + count)
    completed = jnp.where(visits > 0, quality, mixed[..., None])
    scale = (VISIT_OFFSET + visits.max(-1)) * value_scale * 0.5
    return prior + scale[..., None] * completed


def search(
    env: BatchedEnv,
    evaluate: Evaluate,
    state: BatchedState,
    key: jax.Array,
    *,
    simulations: int,
    candidates: int,
    value_scale: float = 1.0,
    noise_scale: float | jax.Array = 1.0,
) -> SearchOutput:
    """Search each game of a batch, none of which is over; `value_scale` weighs values against priors.

    With `noise_scale` 0 the search is deterministic: it tries the likeliest candidates and plays the best.
    """
    games = state.placed.shape[0]
    rows = jnp.arange(games)
    log_prior, value = evaluate(state)
    noise = noise_scale * jax.random.gumbel(key, log_prior.shape)
    perturbed, first = largest(
        jnp.where(log_prior > MASKED_LOGIT / 2, log_prior + noise, MASKED_LOGIT), candidates
    )
    prior = jnp.take_along_axis(log_prior, first, 1)
    noise = perturbed - prior
    legal = prior > MASKED_LOGIT / 2
    tree = _init_tree(state, value, first, prior, simulations + 1)
    table = jnp.asarray(halving_schedule(candidates, simulations))[legal.sum(1)]

    def at_root(tree: Tree, wanted: jax.Array) -> jax.Array:
        visits = tree.visits[:, 0]
        quality = noise + improved_logits(prior, visits, tree.total[:, 0], value, value_scale)
        fits = legal & (visits == wanted[:, None])
        return jnp.argmax(jnp.where(fits, quality, jnp.where(legal, MASKED_LOGIT, 2 * MASKED_LOGIT)), -1)

    def simulate(index: jax.Array, tree: Tree) -> Tree:
        node, edge = _descend(tree, at_root(tree, table[:, index]), rows, value_scale)
        before = jax.tree.map(lambda part: part[rows, node], tree.state)
        after = jax.vmap(env.step)(before, tree.action[rows, node, edge])
        leaf_prior, guess = evaluate(after)
        ended = jax.vmap(lambda one: terminal_value(env, one))(after)
        reached = jnp.where(after.done, ended, guess)
        best, actions = largest(leaf_prior, candidates)
        return _backup(
            _add_node(tree, index + 1, rows, after, reached, node, edge, actions, best), index + 1, rows
        )

    tree = jax.lax.fori_loop(0, simulations, simulate, tree)
    visits, total = tree.visits[:, 0], tree.total[:, 0]
    better = improved_logits(prior, visits, total, value, value_scale)
    final = noise + better
    chosen = jnp.argmax(jnp.where(legal & (visits == visits.max(-1, keepdims=True)), final, MASKED_LOGIT), -1)
    return SearchOutput(
        action=jnp.take_along_axis(first, chosen[:, None], 1)[:, 0],
        policy=_root_policy(log_prior, value, first, prior, visits, total, value_scale),
        value=_root_value(better, value, visits, total),
    )


def _root_value(better: jax.Array, value: jax.Array, visits: jax.Array, total: jax.Array) -> jax.Array:
    """Return the expected value of the improved policy; candidates dropped early hardly count."""
    weight = jax.nn.softmax(jnp.where(visits > 0, better, MASKED_LOGIT), -1)
    expected = (weight * total / jnp.maximum(visits, 1)).sum(-1)
    return jnp.where(visits.sum(-1) > 0, expected, value)


def _root_policy(
    log_prior: jax.Array,
    value: jax.Array,
    first: jax.Array,
    prior: jax.Array,
    visits: jax.Array,
    total: jax.Array,
    value_scale: float,
) -> jax.Array:
    """Return the improved policy over all actions; those that were not candidates take the mixed value."""
    edges = improved_logits(prior, visits, total, value, value_scale)
    room = ((0, 0), (0, 1))
    one_more = [jnp.pad(part, room) for part in (prior, visits, total)]
    unvisited = improved_logits(one_more[0], one_more[1], one_more[2], value, value_scale)[:, -1:]
    rows = jnp.arange(log_prior.shape[0])[:, None]
    logits = (
        (log_prior + unvisited).at[rows, first].set(jnp.where(prior > MASKED_LOGIT / 2, edges, MASKED_LOGIT))
    )
    return jax.nn.softmax(logits, -1)


def _init_tree(
    state: BatchedState, value: jax.Array, actions: jax.Array, prior: jax.Array, nodes: int
) -> Tree:
    games, edges = actions.shape

    def with_room(part: jax.Array) -> jax.Array:
        return jnp.zeros((games, nodes, *part.shape[1:]), part.dtype).at[:, 0].set(part)

    blank = jnp.zeros((games, nodes, edges))
    return Tree(
        state=jax.tree.map(with_room, state),
        value=with_room(value),
        parent=jnp.full((games, nodes), NO_NODE, jnp.int32),
        edge=jnp.zeros((games, nodes), jnp.int32),
        action=with_room(actions),
        prior=with_room(prior),
        child=jnp.full((games, nodes, edges), NO_NODE, jnp.int32),
        visits=blank,
        total=blank,
    )


def _descend(
    tree: Tree, root_edge: jax.Array, rows: jax.Array, value_scale: float
) -> tuple[jax.Array, jax.Array]:
    """Descend to an edge without a child node, or to the end of the game."""

    def has_child(node: jax.Array, edge: jax.Array) -> jax.Array:
        child = tree.child[rows, node, edge]
        return (child >= 0) & ~tree.state.done[rows, child]

    def step(carry: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
        node, edge, going = carry
        child = jnp.where(going, tree.child[rows, node, edge], node)
        prior, visits = tree.prior[rows, child], tree.visits[rows, child]
        logits = improved_logits(prior, visits, tree.total[rows, child], tree.value[rows, child], value_scale)
        target = jax.nn.softmax(logits, -1) - visits / (1 + visits.sum(-1, keepdims=True))
        best = jnp.argmax(jnp.where(prior > MASKED_LOGIT / 2, target, MASKED_LOGIT), -1).astype(edge.dtype)
        edge = jnp.where(going, best, edge)
        return child, edge, going & has_child(child, edge)

    start = jnp.zeros_like(root_edge)
    node, edge, _ = jax.lax.while_loop(
        lambda carry: carry[2].any(), step, (start, root_edge, has_child(start, root_edge))
    )
    return node, edge


def _add_node(
    tree: Tree,
    index: jax.Array,
    rows: jax.Array,
    state: BatchedState,
    value: jax.Array,
    parent: jax.Array,
    edge: jax.Array,
    actions: jax.Array,
    prior: jax.Array,
) -> Tree:
    return tree._replace(
        state=jax.tree.map(lambda whole, part: whole.at[:, index].set(part), tree.state, state),
        value=tree.value.at[:, index].set(value),
        parent=tree.parent.at[:, index].set(parent.astype(jnp.int32)),
        edge=tree.edge.at[:, index].set(edge.astype(jnp.int32)),
        action=tree.action.at[:, index].set(actions),
        prior=tree.prior.at[:, index].set(prior),
        child=tree.child.at[rows, parent, edge].set(index),
    )


def _backup(tree: Tree, index: jax.Array, rows: jax.Array) -> Tree:
    """Propagate the new node's value to the root, negated at each ply."""
    games = rows.shape[0]

    def step(
        carry: tuple[jax.Array, jax.Array, jax.Array, jax.Array],
    ) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
        node, value, visits, total = carry
        parent, edge = tree.parent[rows, node], tree.edge[rows, node]
        climbs = parent >= 0
        ancestor = jnp.maximum(parent, 0)
        visits = visits.at[rows, ancestor, edge].add(climbs.astype(visits.dtype))
        total = total.at[rows, ancestor, edge].add(jnp.where(climbs, -value, 0.0))
        return jnp.where(climbs, parent, node), -value, visits, total

    start = (jnp.full(games, index, jnp.int32), tree.value[:, index], tree.visits, tree.total)
    _, _, visits, total = jax.lax.while_loop(
        lambda carry: (tree.parent[rows, carry[0]] >= 0).any(), step, start
    )
    return tree._replace(visits=visits, total=total)
