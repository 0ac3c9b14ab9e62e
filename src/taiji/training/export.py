"""Fold the weights of a trained net into the tensors that players read: plain convolutions without masks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from taiji.training.net import BRANCH, RELU_GAIN, NetShape, Params

Floats = NDArray[np.float32]


def to_tensors(fixed: Params, shape: NetShape) -> dict[str, Floats]:
    """Return the tensors by name; gains and scales of the residual branches are folded into the layers.

    Convolutions are out, in, height, width; fully connected layers in, out.
    """
    part: dict[str, Any] = {name: _arrays(value) for name, value in fixed.items()}
    tensors: dict[str, Floats] = {}

    def conv(name: str, weights: Floats, bias: Floats) -> None:
        """Add a convolution; weights are height, width, in, out as in training."""
        tensors[f"{name}_w"], tensors[f"{name}_b"] = weights.transpose(3, 2, 0, 1), bias

    def dense(name: str, weights: Floats, bias: Floats) -> None:
        tensors[f"{name}_w"], tensors[f"{name}_b"] = weights, bias

    scale = np.array(shape.scale, np.float32)[None, None, :, None]
    conv("stem", part["stem"]["w"] * scale, part["stem"]["b"])
    dense("stem_globals", **_layer(part["stem_globals"]))
    for index in range(shape.blocks):
        block, name = part[f"block{index}"], f"block{index}"
        gain = RELU_GAIN * (1.0 + index * BRANCH**2) ** -0.5
        conv(f"{name}_one", block["one"]["w"] * gain, block["one"]["b"])
        if index in shape.pooled:
            # The pooled bias passes through a second ReLU; the gain commutes with both.
            dense(f"{name}_pool_dense", block["pool"]["w"], block["pool"]["b"] / RELU_GAIN)
        conv(f"{name}_two", block["two"]["w"] * (RELU_GAIN * BRANCH), block["two"]["b"] * BRANCH)
    final = RELU_GAIN * (1.0 + shape.blocks * BRANCH**2) ** -0.5
    conv("policy_conv", part["policy_conv"]["w"] * final, part["policy_conv"]["b"])
    dense("policy_pool", part["policy_pool"]["w"] * final, part["policy_pool"]["b"])
    conv("policy", part["policy_out"]["w"][None, None], part["policy_out"]["b"])
    if shape.swap:
        dense("swap", part["swap_out"]["w"] * final, part["swap_out"]["b"])
    conv("value_conv", part["value_conv"]["w"] * final, part["value_conv"]["b"])
    conv("owner", part["owner_out"]["w"][None, None], part["owner_out"]["b"])
    for name, source in (("value_hidden", "value_hidden"), ("value", "value_out"), ("margin", "margin_out")):
        dense(name, **_layer(part[source]))
    return {name: np.ascontiguousarray(value, np.float32) for name, value in tensors.items()}


def _layer(part: dict[str, Floats]) -> dict[str, Floats]:
    return {"weights": part["w"], "bias": part["b"]}


def _arrays(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: _arrays(value) for name, value in tree.items()}
    return np.asarray(tree, np.float32)
