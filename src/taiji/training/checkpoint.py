"""Checkpoints: arrays and a few facts in one file that is whole or not taken at all."""

from __future__ import annotations

import hashlib
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

MAGIC = b"taiji checkpoint 1\n"


class CheckpointError(ValueError):
    """A file that is no whole checkpoint."""


def flatten(tree: Any, prefix: str = "") -> dict[str, np.ndarray[Any, Any]]:
    """Name every array of a nest of dictionaries by its path."""
    if isinstance(tree, dict):
        found: dict[str, np.ndarray[Any, Any]] = {}
        for key, part in tree.items():
            found |= flatten(part, f"{prefix}{key}/")
        return found
    return {prefix.rstrip("/"): np.asarray(tree)}


def nest(arrays: dict[str, np.ndarray[Any, Any]]) -> dict[str, Any]:
    """Build the nest of dictionaries back from paths."""
    tree: dict[str, Any] = {}
    for path, array in arrays.items():
        *way, name = path.split("/")
        place = tree
        for step in way:
            place = place.setdefault(step, {})
        place[name] = array
    return tree


def save(path: Path, tree: dict[str, Any], facts: dict[str, Any]) -> None:
    """Write a checkpoint: beside its place first, then moved there, so that no half of one is ever found."""
    content = io.BytesIO()
    arrays = flatten(tree)
    everything: dict[str, Any] = {name.replace("/", "|"): array for name, array in arrays.items()}
    np.savez(content, facts=np.frombuffer(json.dumps(facts).encode(), np.uint8), **everything)
    payload = content.getvalue()
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with draft.open("wb") as file:
        file.write(MAGIC + hashlib.sha256(payload).digest() + payload)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def load(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a checkpoint's arrays and facts; raise `CheckpointError` naming the file where it is not whole."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror}") from error
    head = len(MAGIC) + 32
    if not data.startswith(MAGIC):
        raise CheckpointError(f"{path} is no checkpoint of taiji")
    payload = data[head:]
    if hashlib.sha256(payload).digest() != data[len(MAGIC) : head]:
        raise CheckpointError(f"{path} is damaged or cut short")
    with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
        found = {name.replace("|", "/"): arrays[name] for name in arrays.files if name != "facts"}
        facts = json.loads(bytes(arrays["facts"]).decode())
    return nest(found), facts
