"""Export a net as ONNX: plain convolutions without masks, for any batch size and any board."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from taiji.nets.onnx_file import CARD
from taiji.training.net import BRANCH, RELU_GAIN, NetShape, Params

Floats = NDArray[np.float32]
OPSET = 17


class Graph:
    """A graph under construction: nodes in order, and their constants."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: Any, dtype: type[np.generic] = np.float32) -> str:
        """Add a constant and return its name."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(np.asarray(value, dtype)), name))
        return name

    def add(self, kind: str, name: str, inputs: list[str], **options: Any) -> str:
        """Add a node with one output, named after the node, and return that name."""
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"{name}_node", **options))
        return name

    def conv(self, name: str, source: str, weights: Floats, bias: Floats) -> str:
        """Add a convolution; weights are height, width, in, out as in training."""
        kernel = self.constant(f"{name}_w", weights.transpose(3, 2, 0, 1))
        edge = weights.shape[0] // 2
        return self.add(
            "Conv",
            name,
            [source, kernel, self.constant(f"{name}_b", bias)],
            kernel_shape=list(weights.shape[:2]),
            pads=[edge] * 4,
        )

    def dense(self, name: str, source: str, part: dict[str, Floats]) -> str:
        """Add a fully connected layer."""
        inputs = [source, self.constant(f"{name}_w", part["w"]), self.constant(f"{name}_b", part["b"])]
        return self.add("Gemm", name, inputs)

    def pooled(self, name: str, source: str) -> str:
        """Add mean and maximum over the board, side by side."""
        mean = self.add("GlobalAveragePool", f"{name}_mean", [source])
        maximum = self.add("GlobalMaxPool", f"{name}_max", [source])
        both = self.add("Concat", f"{name}_both", [mean, maximum], axis=1)
        return self.add("Flatten", name, [both], axis=1)

    def spread(self, name: str, source: str) -> str:
        """Add the axes of the board to a vector."""
        if not any(c.name == "board_axes" for c in self.constants):
            self.constant("board_axes", [2, 3], np.int64)
        return self.add("Unsqueeze", name, [source, "board_axes"])


def to_onnx(fixed: Params, shape: NetShape, facts: dict[str, Any]) -> onnx.ModelProto:
    """Build the model: `planes`, `globals` in; `policy`, `swap`, `value`, `margin`, `owner` out, all logits.

    Gains and scales of the residual branches are folded into the convolutions before them.
    """
    part: dict[str, Any] = {name: _arrays(value) for name, value in fixed.items()}
    graph = Graph()
    scale = np.array(shape.scale, np.float32)[None, None, :, None]
    stream = graph.conv("stem", "planes", part["stem"]["w"] * scale, part["stem"]["b"])
    features = graph.spread("stem_bias", graph.dense("stem_globals", "globals", part["stem_globals"]))
    stream = graph.add("Add", "stream", [stream, features])
    for index in range(shape.blocks):
        stream = _block(graph, f"block{index}", part[f"block{index}"], stream, index, index in shape.pooled)
    final = RELU_GAIN * (1.0 + shape.blocks * BRANCH**2) ** -0.5
    trunk = graph.add("Relu", "trunk", [stream])
    whole = graph.pooled("whole", trunk)
    outputs = ["policy", "value", "margin", "owner"]

    head = graph.conv("policy_conv", trunk, part["policy_conv"]["w"] * final, part["policy_conv"]["b"])
    pool = {"w": part["policy_pool"]["w"] * final, "b": part["policy_pool"]["b"]}
    head = graph.add(
        "Add", "policy_sum", [head, graph.spread("policy_bias", graph.dense("policy_pool", whole, pool))]
    )
    head = graph.add("Relu", "policy_active", [head])
    graph.conv("policy", head, part["policy_out"]["w"][None, None], part["policy_out"]["b"])
    if shape.swap:
        outputs.insert(1, "swap")
        graph.dense("swap", whole, {"w": part["swap_out"]["w"] * final, "b": part["swap_out"]["b"]})
    head = graph.conv("value_conv", trunk, part["value_conv"]["w"] * final, part["value_conv"]["b"])
    head = graph.add("Relu", "value_active", [head])
    graph.conv("owner", head, part["owner_out"]["w"][None, None], part["owner_out"]["b"])
    hidden = graph.dense("value_hidden", graph.pooled("value_pool", head), part["value_hidden"])
    hidden = graph.add("Relu", "value_hidden_active", [hidden])
    graph.dense("value", hidden, part["value_out"])
    graph.dense("margin", hidden, part["margin_out"])
    return _model(graph, shape, outputs, facts)


def _block(graph: Graph, name: str, part: dict[str, Any], stream: str, index: int, pooled: bool) -> str:
    into = RELU_GAIN * (1.0 + index * BRANCH**2) ** -0.5
    inner = graph.add("Relu", f"{name}_before", [stream])
    inner = graph.conv(f"{name}_one", inner, part["one"]["w"] * into, part["one"]["b"])
    inner = graph.add("Relu", f"{name}_between", [inner])
    out = RELU_GAIN * BRANCH
    if pooled:
        # The pooled bias passes through a second ReLU; the gain commutes with both.
        bias = {"w": part["pool"]["w"], "b": part["pool"]["b"] / RELU_GAIN}
        extra = graph.dense(f"{name}_pool_dense", graph.pooled(f"{name}_pool", inner), bias)
        inner = graph.add("Add", f"{name}_sum", [inner, graph.spread(f"{name}_spread", extra)])
        inner = graph.add("Relu", f"{name}_again", [inner])
    inner = graph.conv(f"{name}_two", inner, part["two"]["w"] * out, part["two"]["b"] * BRANCH)
    return graph.add("Add", f"{name}_out", [stream, inner])


def _arrays(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: _arrays(value) for name, value in tree.items()}
    return np.asarray(tree, np.float32)


def _model(graph: Graph, shape: NetShape, outputs: list[str], facts: dict[str, Any]) -> onnx.ModelProto:
    board = ["batch", None, "height", "width"]
    inputs = [
        helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", shape.planes, *board[2:]]),
        helper.make_tensor_value_info("globals", TensorProto.FLOAT, ["batch", shape.globals]),
    ]
    results = []
    for name in outputs:
        flat = name in ("swap", "value", "margin")
        results.append(
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", None] if flat else board)
        )
    built = helper.make_graph(graph.nodes, "taiji", inputs, results, graph.constants)
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="taiji")
    model.ir_version = 9
    helper.set_model_props(model, {CARD: json.dumps(facts)})
    onnx.checker.check_model(model)
    return model
