"""The network: a residual convolutional net with standardised weights, which needs no batch statistics.

Every convolution's filters are shifted and scaled to zero mean and unit variance before use, with a
learned gain. The residual stream keeps a known scale and the exported net is plain convolutions. Global
pooling carries information across the board; masks keep cells outside a smaller board at zero, like the
padding at its border.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from taiji.nets.planes import MARGIN_BINS

Params = dict[str, Any]
"""Arrays by name, nested."""

RELU_GAIN = 1.7139588594436646
"""Restores unit variance after a ReLU."""
VARIANCE_FLOOR = 1e-4
"""Added to the variance of a filter before it is scaled to 1."""
BRANCH = 0.4
"""The factor of each residual branch before it is added to the stream."""
OWNERSHIP_CLASSES = 5
"""Classes of the ownership head: empty, own, other's, own and counting, other's and counting."""


@dataclass(frozen=True)
class NetShape:
    """The size of the net, its inputs and its outputs."""

    planes: int
    globals: int
    policy: int
    swap: bool
    scale: tuple[float, ...]
    """The factor of each plane."""
    blocks: int = 6
    channels: int = 64
    pooled: tuple[int, ...] = (1, 4)
    """The blocks whose first convolution is followed by global pooling."""
    head: int = 32
    hidden: int = 64


class Outputs(NamedTuple):
    """The outputs for a batch of positions, all from the mover's view."""

    policy: jax.Array
    value: jax.Array
    margin: jax.Array
    owner: jax.Array


def init(shape: NetShape, key: jax.Array) -> Params:
    """Draw the initial weights."""
    keys = iter(jax.random.split(key, 64))
    width = shape.channels

    def conv(size: int, inside: int, outside: int, gain: float = 1.0) -> Params:
        return {
            "w": jax.random.normal(next(keys), (size, size, inside, outside)) / (size * size * inside) ** 0.5,
            "g": jnp.full((outside,), gain),
            "b": jnp.zeros((outside,)),
        }

    def dense(inside: int, outside: int, gain: float = 1.0) -> Params:
        scale = gain / inside**0.5
        return {"w": scale * jax.random.normal(next(keys), (inside, outside)), "b": jnp.zeros((outside,))}

    params: Params = {"stem": conv(3, shape.planes, width), "stem_globals": dense(shape.globals, width)}
    for index in range(shape.blocks):
        block: Params = {"one": conv(3, width, width), "two": conv(3, width, width)}
        if index in shape.pooled:
            block["pool"] = dense(2 * width, width, 0.5)
        params[f"block{index}"] = block
    params["policy_conv"] = conv(1, width, shape.head)
    params["policy_pool"] = dense(2 * width, shape.head, 0.5)
    params["policy_out"] = dense(shape.head, shape.policy, 0.3)
    if shape.swap:
        params["swap_out"] = dense(2 * width, 1, 0.1)
    params["value_conv"] = conv(1, width, shape.head)
    params["value_hidden"] = dense(2 * shape.head, shape.hidden)
    params["value_out"] = dense(shape.hidden, 1, 0.3)
    params["margin_out"] = dense(shape.hidden, MARGIN_BINS, 0.3)
    params["owner_out"] = dense(shape.head, OWNERSHIP_CLASSES, 0.3)
    return params


def standardise(conv: Params) -> jax.Array:
    """Return the filters with zero mean and unit variance per fan-in, times the learned gain."""
    weights: jax.Array = conv["w"]
    fan = weights.shape[0] * weights.shape[1] * weights.shape[2]
    mean = weights.mean((0, 1, 2), keepdims=True)
    spread = jnp.sqrt(weights.var((0, 1, 2), keepdims=True) * fan + VARIANCE_FLOOR)
    scaled: jax.Array = (weights - mean) / spread * conv["g"]
    return scaled


def fold_weights(params: Params) -> Params:
    """Return the params with each convolution's filters standardised."""
    fixed = {}
    for name, part in params.items():
        if "g" in part:
            fixed[name] = {"w": standardise(part), "b": part["b"]}
        elif "one" in part:
            fixed[name] = fold_weights(part)
        else:
            fixed[name] = part
    return fixed


def _conv(part: Params, inputs: jax.Array) -> jax.Array:
    weights: jax.Array = part["w"].astype(inputs.dtype)
    bias: jax.Array = part["b"].astype(inputs.dtype)
    if jax.default_backend() == "cpu":
        return _patches(inputs, weights.shape[0]) @ weights.reshape(-1, weights.shape[-1]) + bias
    result = jax.lax.conv_general_dilated(
        inputs, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return result + bias


def _patches(inputs: jax.Array, size: int) -> jax.Array:
    """Concatenate the neighbourhood of each cell: on a CPU, matrix products learn seven times as fast."""
    edge, (height, width) = size // 2, inputs.shape[1:3]
    padded = jnp.pad(inputs, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    shifted = [padded[:, y : y + height, x : x + width] for y in range(size) for x in range(size)]
    return jnp.concatenate(shifted, -1)


def _dense(part: Params, inputs: jax.Array) -> jax.Array:
    weights: jax.Array = part["w"]
    bias: jax.Array = part["b"]
    return inputs @ weights.astype(inputs.dtype) + bias.astype(inputs.dtype)


def _active(inputs: jax.Array, mask: jax.Array) -> jax.Array:
    return jax.nn.relu(inputs) * (mask * RELU_GAIN)


def _pooled(inputs: jax.Array, share: jax.Array) -> jax.Array:
    """Return mean and maximum over the board; inputs are at least 0 and 0 off the board."""
    mean = inputs.sum((1, 2)) * share
    return jnp.concatenate([mean, inputs.max((1, 2))], -1)


def apply(fixed: Params, shape: NetShape, planes: jax.Array, features: jax.Array, dtype: Any) -> Outputs:
    """Evaluate folded params on planes [batch, planes, rows, columns] and features [batch, globals]."""
    grid = planes.transpose(0, 2, 3, 1).astype(dtype) * jnp.asarray(shape.scale, dtype)
    mask = grid[..., :1]
    share = (1.0 / jnp.maximum(mask.astype(jnp.float32).sum((1, 2)), 1.0)).astype(dtype)
    bias = _dense(fixed["stem_globals"], features.astype(dtype))
    stream = _conv(fixed["stem"], grid) + bias[:, None, None, :]
    for index in range(shape.blocks):
        block = fixed[f"block{index}"]
        variance = 1.0 + index * BRANCH**2
        inner = _conv(block["one"], _active(stream, mask) * jnp.asarray(variance**-0.5, dtype))
        inner = _active(inner, mask)
        if index in shape.pooled:
            extra = _dense(block["pool"], _pooled(inner, share))
            inner = jax.nn.relu(inner + extra[:, None, None, :]) * mask
        stream = stream + jnp.asarray(BRANCH, dtype) * _conv(block["two"], inner)
    final = (1.0 + shape.blocks * BRANCH**2) ** -0.5
    trunk = _active(stream, mask) * jnp.asarray(final, dtype)
    whole = _pooled(trunk, share)
    head = _conv(fixed["policy_conv"], trunk) + _dense(fixed["policy_pool"], whole)[:, None, None, :]
    policy = _dense(fixed["policy_out"], jax.nn.relu(head)).astype(jnp.float32)
    policy = policy.transpose(0, 3, 1, 2).reshape(planes.shape[0], -1)
    if shape.swap:
        policy = jnp.concatenate([policy, _dense(fixed["swap_out"], whole).astype(jnp.float32)], -1)
    head = jax.nn.relu(_conv(fixed["value_conv"], trunk)) * mask
    hidden = jax.nn.relu(_dense(fixed["value_hidden"], _pooled(head, share)))
    return Outputs(
        policy=policy,
        value=_dense(fixed["value_out"], hidden)[:, 0].astype(jnp.float32),
        margin=_dense(fixed["margin_out"], hidden).astype(jnp.float32),
        owner=_dense(fixed["owner_out"], head).astype(jnp.float32),
    )


def parameter_count(params: Params) -> int:
    """Return the number of parameters."""
    return sum(part.size for part in jax.tree.leaves(params))
