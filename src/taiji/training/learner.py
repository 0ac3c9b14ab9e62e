"""Learning: the loss of all heads under every symmetry, AdamW with clipped gradients, averaged weights."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp

from taiji.envs.batched_observe import Observer
from taiji.training.config import LearningConfig
from taiji.training.net import NetShape, Params, apply, fold_weights
from taiji.training.replay import ReplayBuffer, sample
from taiji.training.search import MASKED_LOGIT
from taiji.training.selfplay import Examples


class Learner(NamedTuple):
    """The weights, their optimiser and their running average."""

    params: Params
    first_moment: Params
    second_moment: Params
    mean: Params
    step: jax.Array


def start(params: Params) -> Learner:
    """Return a learner that has seen nothing."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return Learner(params, zeros, zeros, params, jnp.int32(0))


def apply_symmetry(observer: Observer, batch: Examples) -> Examples:
    """Turn each part of the batch by another symmetry of the board."""
    maps = observer.cell_symmetries
    parts = []
    share = batch.weight.shape[0] // len(maps)
    for index, (cells, actions) in enumerate(zip(maps, observer.action_symmetries, strict=True)):
        part = jax.tree.map(lambda whole, at=index: whole[at * share : (at + 1) * share], batch)
        parts.append(
            part._replace(
                planes=part.planes[:, :, cells], policy=part.policy[:, actions], owner=part.owner[:, cells]
            )
        )
    whole: Examples = jax.tree.map(lambda *some: jnp.concatenate(some), *parts)
    return whole


def losses(
    params: Params, shape: NetShape, learning: LearningConfig, batch: Examples, side: int, dtype: jnp.dtype
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Return the loss and its parts."""
    planes = batch.planes.reshape(*batch.planes.shape[:2], side, side)
    said = apply(fold_weights(params), shape, planes, batch.features, dtype)
    weight = batch.weight / jnp.maximum(batch.weight.sum(), 1.0)
    target = batch.policy.astype(jnp.float32)
    entropy = -(target * jnp.log(jnp.maximum(target, 1e-9))).sum(-1)
    legal = target > 0  # the improved policy leaves every legal action a little
    guess = jax.nn.log_softmax(jnp.where(legal, said.policy, MASKED_LOGIT), -1)
    policy = -(target * jnp.where(legal, guess, 0.0)).sum(-1) - entropy
    value = -(
        batch.value * jax.nn.log_sigmoid(said.value) + (1 - batch.value) * jax.nn.log_sigmoid(-said.value)
    )
    margin = -jnp.take_along_axis(
        jax.nn.log_softmax(said.margin, -1), batch.margin.astype(jnp.int32)[:, None], -1
    )[:, 0]
    board = batch.planes[:, 0].astype(jnp.float32)
    owner = -jnp.take_along_axis(
        jax.nn.log_softmax(said.owner.reshape(*batch.owner.shape, -1), -1),
        batch.owner.astype(jnp.int32)[..., None],
        -1,
    )[..., 0]
    owner = (owner * board).sum(-1) / board.sum(-1)
    parts = {"policy": policy, "value": value, "margin": margin, "owner": owner, "entropy": entropy}
    means = {name: (part * weight).sum() for name, part in parts.items()}
    right = ((said.value > 0) == (batch.value > 0.5)).astype(jnp.float32)
    means["accuracy"] = (right * weight).sum()
    total = (
        means["policy"]
        + learning.value_weight * means["value"]
        + learning.margin_weight * means["margin"]
        + learning.owner_weight * means["owner"]
    )
    return total, means


def update(
    learner: Learner, gradient: Params, learning: LearningConfig, rate: jax.Array
) -> tuple[Learner, jax.Array]:
    """Take one step of AdamW with the gradient clipped to a length; return also that length before."""
    norm = jnp.sqrt(sum(jnp.sum(part * part) for part in jax.tree.leaves(gradient)))
    scale = jnp.minimum(1.0, learning.clip / jnp.maximum(norm, 1e-9))
    count = learner.step + 1
    warm = rate * jnp.minimum(1.0, count / learning.warmup)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * scale * g, learner.first_moment, gradient)
    second = jax.tree.map(lambda v, g: 0.98 * v + 0.02 * (scale * g) ** 2, learner.second_moment, gradient)
    fix_first, fix_second = 1 - 0.9**count, 1 - 0.98**count

    def moved(weight: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        step = (m / fix_first) / (jnp.sqrt(v / fix_second) + 1e-7)
        return weight - warm * (step + learning.decay * weight)

    params = jax.tree.map(moved, learner.params, first, second)
    keep = jnp.minimum(learning.average, (1 + count) / (10 + count))
    mean = jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, learner.mean, params)
    return Learner(params, first, second, mean, count), norm


def learn(
    learner: Learner,
    replay: ReplayBuffer,
    key: jax.Array,
    rate: jax.Array,
    *,
    observer: Observer,
    shape: NetShape,
    learning: LearningConfig,
    side: int,
    dtype: jnp.dtype,
    steps: int,
) -> tuple[Learner, dict[str, jax.Array]]:
    """Take some steps on examples drawn from the ring; return also the mean of the loss's parts."""

    def step(learner: Learner, key: jax.Array) -> tuple[Learner, dict[str, jax.Array]]:
        batch = apply_symmetry(observer, sample(replay, key, learning.batch))

        def loss(params: Params) -> tuple[jax.Array, dict[str, jax.Array]]:
            return losses(params, shape, learning, batch, side, dtype)

        gradient, parts = jax.grad(loss, has_aux=True)(learner.params)
        learner, norm = update(learner, gradient, learning, rate)
        return learner, parts | {"gradient": norm}

    learner, parts = jax.lax.scan(step, learner, jax.random.split(key, steps))
    return learner, {name: part.mean() for name, part in parts.items()}
