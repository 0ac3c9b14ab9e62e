"""Net files: safetensors with the card in the metadata, read and written without any package.

A safetensors file is the length of a header (8 bytes, little-endian), the header as JSON (for each tensor its
type, shape and byte range, and string metadata), and the bytes of the tensors.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

CARD = "taiji"
"""The metadata key of a net's card."""
CARD_FORMAT = 1
SUFFIX = ".safetensors"
METADATA = "__metadata__"
MAX_FILE_BYTES = 1 << 30
_LENGTH_BYTES = 8
_FLOAT_BYTES = 4
_ALIGNMENT = 8


Tensor = Any
"""A C-contiguous buffer of float32 values with a shape: a memoryview, or an array of NumPy."""


class NetError(ValueError):
    """A file that is not a complete net of this package."""


@dataclass(frozen=True)
class NetFile:
    """The card of a net and its tensors by name."""

    card: dict[str, Any]
    tensors: Mapping[str, Tensor]


def read_net_file(path: Path) -> NetFile:
    """Read a net; raise `NetError` naming the file if it is missing, cut short or not a net."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise NetError(f"{path}: too large (expected at most {MAX_FILE_BYTES >> 20:,} MiB)")
        data = path.read_bytes()
    except OSError as error:
        raise NetError(f"{path}: {error.strerror}") from error
    header, start = _read_header(path, data)
    metadata = header.pop(METADATA, {})
    text = metadata.get(CARD) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise NetError(f"{path}: a safetensors file, but not a taiji net")
    body = memoryview(bytearray(data[start:]))
    if sys.byteorder != "little":
        raise NetError(f"{path}: nets are little-endian (this machine is not)")
    tensors = {name: _tensor(path, name, entry, body) for name, entry in header.items()}
    if sum(tensor.nbytes for tensor in tensors.values()) != len(body):
        raise NetError(f"{path}: not a complete safetensors file")
    return NetFile(parse_card(path, text), tensors)


def parse_card(path: Path, text: str) -> dict[str, Any]:
    """Return the card of a net; raise `NetError` naming the file if it is not one that this version reads."""
    try:
        card = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NetError(f"{path}: invalid card ({error})") from error
    if not isinstance(card, dict) or card.get("format") != CARD_FORMAT:
        raise NetError(f"{path}: a net of another format (expected {CARD_FORMAT})")
    return card


def _read_header(path: Path, data: bytes) -> tuple[dict[str, Any], int]:
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    try:
        header = json.loads(data[_LENGTH_BYTES:start]) if start <= len(data) else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise NetError(f"{path}: not a complete safetensors file")
    return header, start


def _tensor(path: Path, name: str, entry: Any, body: memoryview) -> Tensor:
    problem = f"{path}: not a complete safetensors file: tensor {name[:40]!r}"
    try:
        begin, end = (int(offset) for offset in entry["data_offsets"])
        shape = [int(size) for size in entry["shape"]]
        kind = entry["dtype"]
    except (KeyError, TypeError, ValueError) as error:
        raise NetError(f"{problem}: {error}") from error
    if kind != "F32" or min(shape, default=1) < 1 or prod(shape) * _FLOAT_BYTES != end - begin:
        raise NetError(f"{problem}: invalid (expected float32 values of shape {shape})")
    if not 0 <= begin < end <= len(body):
        raise NetError(f"{problem}: cut short")
    return body[begin:end].cast("f", shape)


def write_net_file(path: Path, net: NetFile) -> None:
    """Write a net to a draft beside `path`, then rename it, so that no reader meets half a file."""
    header: dict[str, Any] = {METADATA: {CARD: json.dumps(net.card)}}
    parts, offset = [], 0
    for name, tensor in sorted(net.tensors.items()):
        end = offset + tensor.nbytes
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, end]}
        parts.append(tensor.tobytes())
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    draft = path.with_name(f".{path.name}.draft")
    draft.write_bytes(b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *parts]))
    draft.replace(path)
