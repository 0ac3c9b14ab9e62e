"""A fixture for tests that compile much and run little."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def quick_compiling() -> Iterator[None]:
    """Let JAX compile without the optimisations that a few steps never pay for; the long tests keep them."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_disable_most_optimizations", "TAIJI_SOAK" not in os.environ)
    yield
    jax.config.update("jax_disable_most_optimizations", False)
