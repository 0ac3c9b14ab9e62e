"""ONNX files of nets, with the packages of the extra `ai`: read, written, and run by onnxruntime."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from taiji.nets.net_file import CARD, NetError, NetFile, parse_card

if TYPE_CHECKING:
    import onnx

SUFFIX = ".onnx"


def read_onnx_file(path: Path) -> tuple[NetFile, dict[str, int], frozenset[str]]:
    """Return card and float32 weights, the second dimension of each input, and the names of the outputs."""
    model = _load(path)
    import numpy as np
    from onnx import TensorProto, numpy_helper

    text = next((entry.value for entry in model.metadata_props if entry.key == CARD), None)
    if text is None:
        raise NetError(f"{path}: an ONNX file, but not a taiji net")
    shapes = {value.name: value.type.tensor_type.shape.dim for value in model.graph.input}
    inputs = {name: shape[1].dim_value if len(shape) > 1 else 0 for name, shape in shapes.items()}
    tensors = {
        tensor.name: np.ascontiguousarray(numpy_helper.to_array(tensor))
        for tensor in model.graph.initializer
        if tensor.data_type == TensorProto.FLOAT
    }
    outputs = frozenset(value.name for value in model.graph.output)
    return NetFile(parse_card(path, text), tensors), inputs, outputs


def open_session(path: Path, net: NetFile) -> Any:
    """Return an onnxruntime session with one thread; raise `NetError` naming the file if it cannot run."""
    try:
        import onnxruntime  # type: ignore[import-untyped]

        from taiji.nets.onnx_graph import to_onnx
    except ImportError as error:
        raise NetError(f"{path}: onnxruntime is not installed (pip install 'taiji[ai]')") from error
    if path.suffix == SUFFIX:
        model: str | bytes = str(path)
    else:
        model = to_onnx(net).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has an exception class for each way a file can be broken
        raise NetError(f"{path}: onnxruntime cannot run this file") from error


def _load(path: Path) -> onnx.ModelProto:
    try:
        import onnx
        from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
    except ImportError as error:
        raise NetError(f"{path}: an ONNX file needs the package onnx (pip install 'taiji[ai]')") from error
    try:
        return onnx.load(path)
    except OSError as error:
        raise NetError(f"{path}: {error.strerror}") from error
    except DecodeError as error:
        raise NetError(f"{path}: not a complete ONNX file") from error
