"""ONNX files of nets: their card, inputs, outputs and weights, and sessions that run them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import onnx
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

CARD = "taiji"
"""The metadata key of a net's card."""
FORMAT = 1


class NetError(ValueError):
    """A file that is not a complete net of this package."""


@dataclass(frozen=True)
class OnnxHeader:
    """The card, inputs and outputs of a net, read from its file."""

    card: dict[str, Any]
    inputs: dict[str, int]
    """The second dimension of each input: its channels or features."""
    outputs: frozenset[str]


def read_header(path: Path) -> OnnxHeader:
    """Read the card, the inputs and the outputs; raise `NetError` naming the file if it is not a net."""
    model = _load(path)
    text = next((entry.value for entry in model.metadata_props if entry.key == CARD), None)
    if text is None:
        raise NetError(f"{path}: an ONNX file, but not a taiji net")
    try:
        card = json.loads(text)
    except ValueError as error:
        raise NetError(f"{path}: invalid card ({error})") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise NetError(f"{path}: a net of another format than this version reads ({FORMAT})")
    shapes = {value.name: value.type.tensor_type.shape.dim for value in model.graph.input}
    inputs = {name: shape[1].dim_value if len(shape) > 1 else 0 for name, shape in shapes.items()}
    return OnnxHeader(card, inputs, frozenset(value.name for value in model.graph.output))


def read_tensors(path: Path) -> dict[str, Floats]:
    """Return the float32 weights by name; raise `NetError` naming the file if it is not complete."""
    from onnx import TensorProto, numpy_helper

    tensors = _load(path).graph.initializer
    return {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in tensors
        if tensor.data_type == TensorProto.FLOAT
    }


def open_session(path: Path) -> Any:
    """Return an onnxruntime session with one thread; raise `NetError` naming the file if it cannot run."""
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError as error:
        raise NetError(f"{path}: not a net that the core runs, and onnxruntime is not installed") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has an exception class for each way a file can be broken
        raise NetError(f"{path}: onnxruntime cannot run this file") from error


def _load(path: Path) -> onnx.ModelProto:
    import onnx
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        return onnx.load(path)
    except OSError as error:
        raise NetError(f"{path}: {error.strerror}") from error
    except DecodeError as error:
        raise NetError(f"{path}: not a complete ONNX file") from error
