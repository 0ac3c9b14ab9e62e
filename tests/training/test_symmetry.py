"""Symmetries: a game and its image are seen as images of each other at every ply."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from taiji.envs.batched import BatchedEnv  # noqa: E402
from taiji.envs.batched_observe import Observer  # noqa: E402
from taiji.rules import parse_game  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("text", ["taiji:size=5", "tailits", "battle-of-lits:size=7"])
def test_images_of_positions_are_positions_of_images(text: str) -> None:
    env = BatchedEnv(parse_game(text))
    observer = Observer(env)
    cells, actions = observer.cell_symmetries, observer.action_symmetries
    maps = len(cells)
    assert maps == 8
    start = jax.jit(env.reset)(jnp.int32(0))

    def opened(cells_of_map):
        return start._replace(symbol=start.symbol[cells_of_map])

    batch = jax.vmap(opened)(jnp.asarray(cells))
    step = jax.jit(jax.vmap(env.step))
    see = jax.jit(lambda batch: (jax.vmap(observer.encode_planes)(batch), jax.vmap(env.legal)(batch)))
    draw = np.random.default_rng(2)
    image_of = np.argsort(actions, axis=1)
    while not bool(batch.done.any()):
        planes, legal = map(np.asarray, see(batch))
        for index in range(maps):
            assert np.array_equal(planes[index], planes[0][:, cells[index]])
            assert np.array_equal(legal[index], legal[0][actions[index]])
        action = draw.choice(np.flatnonzero(legal[0]))
        batch = step(batch, jnp.asarray(image_of[:, action]))
    assert bool(batch.done.all())
