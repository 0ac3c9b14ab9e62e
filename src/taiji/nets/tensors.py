"""Reads the constants of an ONNX file, which is a message in the wire format of Protocol Buffers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_GRAPH, _INITIALIZER = 7, 5
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9
_FLOAT = 1
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def read_tensors(path: Path) -> dict[str, Floats]:
    """Return the constants of 32-bit floats by name; raise ValueError where the file is no such message."""
    found: dict[str, Floats] = {}
    for field, graph in _fields(path.read_bytes()):
        if field == _GRAPH and isinstance(graph, bytes):
            for inner, tensor in _fields(graph):
                if inner == _INITIALIZER and isinstance(tensor, bytes):
                    name, values = _tensor(tensor)
                    if values is not None:
                        found[name] = values
    return found


def _tensor(message: bytes) -> tuple[str, Floats | None]:
    shape: list[int] = []
    kind, name, raw = 0, "", b""
    for field, value in _fields(message):
        if field == _DIMS and isinstance(value, int):
            shape.append(value)
        elif field == _DIMS and isinstance(value, bytes):
            shape += _packed(value)
        elif field == _TYPE and isinstance(value, int):
            kind = value
        elif field == _NAME and isinstance(value, bytes):
            name = value.decode()
        elif field == _RAW and isinstance(value, bytes):
            raw = value
    if kind != _FLOAT or not raw:
        return name, None
    return name, np.frombuffer(raw, "<f4").reshape(shape).astype(np.float32)


def _packed(message: bytes) -> list[int]:
    values, at = [], 0
    while at < len(message):
        value, at = _varint(message, at)
        values.append(value)
    return values


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise ValueError("not a message of Protocol Buffers")
        if at + size > len(message):
            raise ValueError("the message is cut off")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 70:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise ValueError("the message is cut off")
