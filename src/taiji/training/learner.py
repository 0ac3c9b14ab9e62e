"""The learner: the loss of all heads under every symmetry, AdamW on clipped gradients, averaged weights."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax

from taiji.envs.batched_observe import Observer
from taiji.training.config import LearningConfig
from taiji.training.net import NetShape, Params, apply, fold_weights
from taiji.training.replay import ReplayBuffer, sample
from taiji.training.search import MASKED_LOGIT
from taiji.training.selfplay import Examples


class Learner(NamedTuple):
    """The weights, their optimiser and their running average."""

    params: Params
    optimiser: optax.OptState
    mean: Params
    step: jax.Array


def start(params: Params, learning: LearningConfig) -> Learner:
    """Return a learner before its first step."""
    return Learner(params, make_optimiser(learning).init(params), params, jnp.int32(0))


def apply_symmetry(observer: Observer, batch: Examples) -> Examples:
    """Apply a different symmetry of the board to each part of the batch."""
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
    """Return the total loss and its parts."""
    planes = batch.planes.reshape(*batch.planes.shape[:2], side, side)
    outputs = apply(fold_weights(params), shape, planes, batch.features, dtype)
    weight = batch.weight / jnp.maximum(batch.weight.sum(), 1.0)
    target = batch.policy.astype(jnp.float32)
    entropy = -(target * jnp.log(jnp.maximum(target, 1e-9))).sum(-1)
    legal = target > 0  # the improved policy gives every legal action some weight
    guess = jax.nn.log_softmax(jnp.where(legal, outputs.policy, MASKED_LOGIT), -1)
    policy = -(target * jnp.where(legal, guess, 0.0)).sum(-1) - entropy
    value = optax.sigmoid_binary_cross_entropy(outputs.value, batch.value)
    margin = -jnp.take_along_axis(
        jax.nn.log_softmax(outputs.margin, -1), batch.margin.astype(jnp.int32)[:, None], -1
    )[:, 0]
    board = batch.planes[:, 0].astype(jnp.float32)
    owner = -jnp.take_along_axis(
        jax.nn.log_softmax(outputs.owner.reshape(*batch.owner.shape, -1), -1),
        batch.owner.astype(jnp.int32)[..., None],
        -1,
    )[..., 0]
    owner = (owner * board).sum(-1) / board.sum(-1)
    parts = {"policy": policy, "value": value, "margin": margin, "owner": owner, "entropy": entropy}
    means = {name: (part * weight).sum() for name, part in parts.items()}
    right = ((outputs.value > 0) == (batch.value > 0.5)).astype(jnp.float32)
    means["accuracy"] = (right * weight).sum()
    total = (
        means["policy"]
        + learning.value_weight * means["value"]
        + learning.margin_weight * means["margin"]
        + learning.owner_weight * means["owner"]
    )
    return total, means


def make_optimiser(learning: LearningConfig, rate: jax.Array | float = 0.0) -> optax.GradientTransformation:
    """Return AdamW with gradient clipping; its state does not depend on the learning rate."""
    adamw = optax.adamw(rate, b1=0.9, b2=0.98, eps=1e-7, weight_decay=learning.decay)
    return optax.chain(optax.clip_by_global_norm(learning.clip), adamw)


def update(
    learner: Learner, gradient: Params, learning: LearningConfig, rate: jax.Array
) -> tuple[Learner, jax.Array]:
    """Take one optimiser step; return also the norm of the gradient before clipping."""
    count = learner.step + 1
    warm = rate * jnp.minimum(1.0, count / learning.warmup)
    changes, optimiser = make_optimiser(learning, warm).update(gradient, learner.optimiser, learner.params)
    params: Params = optax.apply_updates(learner.params, changes)
    keep = jnp.minimum(learning.average, (1 + count) / (10 + count))
    mean: Params = optax.incremental_update(params, learner.mean, 1 - keep)
    return Learner(params, optimiser, mean, count), optax.tree.norm(gradient)


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
    """Take `steps` steps on samples of the replay buffer; return also the mean of each part of the loss."""

    def step(learner: Learner, key: jax.Array) -> tuple[Learner, dict[str, jax.Array]]:
        batch = apply_symmetry(observer, sample(replay, key, learning.batch))

        def loss(params: Params) -> tuple[jax.Array, dict[str, jax.Array]]:
            return losses(params, shape, learning, batch, side, dtype)

        gradient, parts = jax.grad(loss, has_aux=True)(learner.params)
        learner, norm = update(learner, gradient, learning, rate)
        return learner, parts | {"gradient": norm}

    learner, parts = jax.lax.scan(step, learner, jax.random.split(key, steps))
    return learner, {name: part.mean() for name, part in parts.items()}
