"""A net as an ONNX model: plain convolutions without masks, for any batch size and any board."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from taiji.nets.net_file import CARD, NetFile

Floats = NDArray[np.float32]
OPSET = 17
BOARD_AXES = "board_axes"


class Graph:
    """A graph under construction: nodes in order, and their constants, which are the tensors of the net."""

    def __init__(self, tensors: Mapping[str, Floats]) -> None:
        self.tensors = tensors
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def _constant(self, name: str) -> str:
        self.constants.append(numpy_helper.from_array(self.tensors[name], name))
        return name

    def add(self, kind: str, name: str, inputs: list[str], **options: Any) -> str:
        """Add a node with one output, named after the node, and return that name."""
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"{name}_node", **options))
        return name

    def conv(self, name: str, source: str) -> str:
        """Add a convolution that keeps the size of the board."""
        side = self.tensors[f"{name}_w"].shape[2]
        inputs = [source, self._constant(f"{name}_w"), self._constant(f"{name}_b")]
        return self.add("Conv", name, inputs, kernel_shape=[side, side], pads=[side // 2] * 4)

    def dense(self, name: str, source: str) -> str:
        """Add a fully connected layer."""
        return self.add("Gemm", name, [source, self._constant(f"{name}_w"), self._constant(f"{name}_b")])

    def pooled(self, name: str, source: str) -> str:
        """Add mean and maximum over the board, side by side."""
        mean = self.add("GlobalAveragePool", f"{name}_mean", [source])
        maximum = self.add("GlobalMaxPool", f"{name}_max", [source])
        both = self.add("Concat", f"{name}_both", [mean, maximum], axis=1)
        return self.add("Flatten", name, [both], axis=1)

    def spread(self, name: str, source: str) -> str:
        """Add the axes of the board to a vector."""
        if not any(constant.name == BOARD_AXES for constant in self.constants):
            self.constants.append(numpy_helper.from_array(np.array([2, 3], np.int64), BOARD_AXES))
        return self.add("Unsqueeze", name, [source, BOARD_AXES])


def to_onnx(net: NetFile) -> onnx.ModelProto:
    """Build the model: `planes` and `globals` in; policy, swap, value, margin and owner out, all logits."""
    graph = Graph({name: np.asarray(tensor) for name, tensor in net.tensors.items()})
    stream = graph.conv("stem", "planes")
    features = graph.spread("stem_bias", graph.dense("stem_globals", "globals"))
    stream = graph.add("Add", "stream", [stream, features])
    index = 0
    while f"block{index}_one_w" in graph.tensors:
        stream = _block(graph, f"block{index}", stream)
        index += 1
    trunk = graph.add("Relu", "trunk", [stream])
    whole = graph.pooled("whole", trunk)
    outputs = ["policy", "value", "margin", "owner"]

    head = graph.conv("policy_conv", trunk)
    bias = graph.spread("policy_bias", graph.dense("policy_pool", whole))
    head = graph.add("Relu", "policy_active", [graph.add("Add", "policy_sum", [head, bias])])
    graph.conv("policy", head)
    if "swap_w" in graph.tensors:
        outputs.insert(1, "swap")
        graph.dense("swap", whole)
    head = graph.add("Relu", "value_active", [graph.conv("value_conv", trunk)])
    graph.conv("owner", head)
    hidden = graph.dense("value_hidden", graph.pooled("value_pool", head))
    hidden = graph.add("Relu", "value_hidden_active", [hidden])
    graph.dense("value", hidden)
    graph.dense("margin", hidden)
    return _model(graph, outputs, net.card)


def _block(graph: Graph, name: str, stream: str) -> str:
    inner = graph.add("Relu", f"{name}_before", [stream])
    inner = graph.add("Relu", f"{name}_between", [graph.conv(f"{name}_one", inner)])
    if f"{name}_pool_dense_w" in graph.tensors:
        extra = graph.dense(f"{name}_pool_dense", graph.pooled(f"{name}_pool", inner))
        inner = graph.add("Add", f"{name}_sum", [inner, graph.spread(f"{name}_spread", extra)])
        inner = graph.add("Relu", f"{name}_again", [inner])
    return graph.add("Add", f"{name}_out", [stream, graph.conv(f"{name}_two", inner)])


def _model(graph: Graph, outputs: list[str], card: dict[str, Any]) -> onnx.ModelProto:
    board = ["batch", None, "height", "width"]
    planes, features = graph.tensors["stem_w"].shape[1], graph.tensors["stem_globals_w"].shape[0]
    inputs = [
        helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", planes, *board[2:]]),
        helper.make_tensor_value_info("globals", TensorProto.FLOAT, ["batch", features]),
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
    helper.set_model_props(model, {CARD: json.dumps(card)})
    onnx.checker.check_model(model)
    return model
