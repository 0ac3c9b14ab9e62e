"""Training: self-play, learning and gating on an accelerator, in JAX; `taiji train` is its command."""

from __future__ import annotations

from importlib.util import find_spec

__all__ = ["REQUIRED", "missing_packages"]

REQUIRED = ("jax", "optax", "safetensors")
"""The packages of the extra `train` that a run cannot do without."""


def missing_packages() -> list[str]:
    """Return the required packages that are not installed."""
    return [name for name in REQUIRED if find_spec(name) is None]
