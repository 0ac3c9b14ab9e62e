"""A shipped net on the accelerator: the tensors that players read, as params of the training net."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from taiji.nets.layout import ScoringRule
from taiji.nets.net_file import NetError
from taiji.rules import Game, parse_game
from taiji.training.export import Floats
from taiji.training.net import BRANCH, RELU_GAIN, VARIANCE_FLOOR, NetShape, Params, init
from taiji.training.pack import read_net


@dataclass(frozen=True)
class StoredNet:
    """The folded params of a net, its shape, the scoring rules that its inputs name, and its games."""

    name: str
    params: Params
    shape: NetShape
    rules: tuple[ScoringRule, ...]
    games: tuple[Game, ...]


def load_stored_net(path: Path) -> StoredNet:
    """Read a net file; its values are calibrated as players calibrate them."""
    card, tensors = _read(path)
    size = card["net"]
    shape = NetShape(
        planes=size["planes"],
        globals=size["globals"],
        policy=size["policy"],
        swap=size["swap"],
        scale=(1.0,) * size["planes"],
        blocks=size["blocks"],
        channels=size["channels"],
        pooled=tuple(i for i in range(size["blocks"]) if f"block{i}_pool_dense_w" in tensors),
        head=tensors["value_conv_b"].shape[0],
        hidden=tensors["value_hidden_b"].shape[0],
    )
    for name in ("value_w", "value_b"):
        tensors[name] = tensors[name] * np.float32(card.get("sharpness", 1.0))
    stages = [parse_game(text).stages[0] for text in card["rules"]]
    rules = tuple((stage.scoring, stage.tiebreak) for stage in stages)
    games = tuple(parse_game(text) for text in card["games"])
    return StoredNet(card["name"], from_tensors(tensors, shape), shape, rules, games)


def load_start(path: Path, shape: NetShape) -> Params:
    """Return params with which a training run starts; raise `NetError` if the net has another shape."""
    card, tensors = _read(path)
    params = unfold_weights(from_tensors(tensors, shape)) if _fits(card, tensors, shape) else {}
    if jax.tree.map(jnp.shape, params) != jax.tree.map(jnp.shape, init(shape, jax.random.key(0))):
        raise NetError(f"{path}: the net has another shape than the spec's")
    return params


def unfold_weights(fixed: Params) -> Params:
    """Return params that `fold_weights` folds into these: convolutions get the gain that they have."""
    params = {}
    for name, part in fixed.items():
        if "one" in part:
            params[name] = unfold_weights(part)
        elif part["w"].ndim == 4:
            spread = jnp.sqrt(part["w"].var((0, 1, 2)) * part["w"][..., 0].size + VARIANCE_FLOOR)
            params[name] = {"w": part["w"], "g": spread, "b": part["b"]}
        else:
            params[name] = part
    return params


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Floats]]:
    file = read_net(path)
    return file.card, {name: np.asarray(tensor, np.float32) for name, tensor in file.tensors.items()}


def _fits(card: dict[str, Any], tensors: dict[str, Floats], shape: NetShape) -> bool:
    """Return whether the tensors have the blocks and outputs of a shape."""
    pooled = all(f"block{i}_pool_dense_w" in tensors for i in shape.pooled)
    return pooled and card["net"]["blocks"] == shape.blocks and card["net"]["swap"] == shape.swap


def from_tensors(tensors: dict[str, Floats], shape: NetShape) -> Params:
    """Return the folded params of a net's tensors: the inverse of `to_tensors`."""

    def layer(name: str, gain: float = 1.0, bias_gain: float = 1.0) -> dict[str, Any]:
        weights = tensors[f"{name}_w"]
        if weights.ndim == 4:
            weights = weights.transpose(2, 3, 1, 0)
        return {"w": jnp.asarray(weights / gain), "b": jnp.asarray(tensors[f"{name}_b"] / bias_gain)}

    def output(name: str) -> dict[str, Any]:
        """Return a convolution of one cell as a fully connected layer."""
        part = layer(name)
        return {"w": part["w"][0, 0], "b": part["b"]}

    stem = layer("stem")
    stem["w"] = stem["w"] / jnp.asarray(shape.scale)[None, None, :, None]
    params: Params = {"stem": stem, "stem_globals": layer("stem_globals")}
    for index in range(shape.blocks):
        name = f"block{index}"
        block: Params = {
            "one": layer(f"{name}_one", RELU_GAIN * (1.0 + index * BRANCH**2) ** -0.5),
            "two": layer(f"{name}_two", RELU_GAIN * BRANCH, BRANCH),
        }
        if index in shape.pooled:
            block["pool"] = layer(f"{name}_pool_dense", 1.0, 1 / RELU_GAIN)
        params[name] = block
    final = RELU_GAIN * (1.0 + shape.blocks * BRANCH**2) ** -0.5
    params["policy_conv"] = layer("policy_conv", final)
    params["policy_pool"] = layer("policy_pool", final)
    params["policy_out"] = output("policy")
    if shape.swap:
        params["swap_out"] = layer("swap", final)
    params["value_conv"] = layer("value_conv", final)
    params["owner_out"] = output("owner")
    for name, source in (("value_hidden", "value_hidden"), ("value_out", "value"), ("margin_out", "margin")):
        params[name] = layer(source)
    return params
