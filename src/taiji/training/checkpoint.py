"""Checkpoints: the arrays and facts of a run in one safetensors file that is complete or refused.

The metadata of the file holds the facts as JSON and a SHA-256 digest of facts and arrays. Files of the first
format (a checksum and NumPy's `npz`) are read too.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

Arrays = dict[str, np.ndarray[Any, Any]]
FORMAT = "taiji checkpoint 2"
MAGIC_1 = b"taiji checkpoint 1\n"
"""The first bytes of a file of the first format; the digest and the `npz` follow."""


class CheckpointError(ValueError):
    """A file that is not a complete checkpoint."""


def flatten(tree: Any, prefix: str = "") -> Arrays:
    """Name each array of nested dictionaries by its path."""
    if isinstance(tree, dict):
        arrays: Arrays = {}
        for key, part in tree.items():
            arrays |= flatten(part, f"{prefix}{key}/")
        return arrays
    return {prefix.rstrip("/"): np.asarray(tree)}


def nest(arrays: Arrays) -> dict[str, Any]:
    """Rebuild the nested dictionaries from paths."""
    tree: dict[str, Any] = {}
    for path, array in arrays.items():
        *parents, name = path.split("/")
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
        node[name] = array
    return tree


def save(path: Path, tree: dict[str, Any], facts: dict[str, Any]) -> None:
    """Write a checkpoint to a draft beside `path`, then rename it, so that no reader meets half a file."""
    arrays, text = flatten(tree), json.dumps(facts)
    metadata = {"format": FORMAT, "facts": text, "sha256": _digest(arrays, text)}
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with draft.open("wb") as file:
        file.write(to_bytes(arrays, metadata))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def load(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a checkpoint's arrays and facts; raise `CheckpointError` naming the file if it is not complete."""
    try:
        with path.open("rb") as file:
            is_first_format = file.read(len(MAGIC_1)) == MAGIC_1
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror}") from error
    if is_first_format:
        return _load_first_format(path)
    try:
        with safe_open(path, framework="numpy") as tensors:
            metadata = tensors.metadata() or {}
            arrays = {name: tensors.get_tensor(name) for name in tensors.keys()}  # noqa: SIM118 - no iterator
    except SafetensorError as error:
        raise CheckpointError(f"{path}: not a taiji checkpoint, or cut short") from error
    if metadata.get("format") != FORMAT:
        raise CheckpointError(f"{path}: a safetensors file, but not a taiji checkpoint")
    if _digest(arrays, metadata.get("facts", "")) != metadata.get("sha256"):
        raise CheckpointError(f"{path}: damaged")
    return nest(arrays), json.loads(metadata["facts"])


def _digest(arrays: Arrays, facts: str) -> str:
    digest = hashlib.sha256(facts.encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _load_first_format(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    data = path.read_bytes()
    head = len(MAGIC_1) + hashlib.sha256().digest_size
    if hashlib.sha256(data[head:]).digest() != data[len(MAGIC_1) : head]:
        raise CheckpointError(f"{path}: damaged or cut short")
    with np.load(io.BytesIO(data[head:]), allow_pickle=False) as stored:
        arrays = {name.replace("|", "/"): stored[name] for name in stored.files if name != "facts"}
        facts = json.loads(bytes(stored["facts"]).decode())
    return nest(arrays), facts
