"""Self-play by a pool's workers: the same games whoever plays, though a worker dies, and nothing twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("ray")

from taiji.arena import InlinePool, LocalPool, Pool  # noqa: E402
from taiji.arena.ray_pool import RayPool  # noqa: E402
from taiji.training.net import Params, init  # noqa: E402
from taiji.training.run import Trainer  # noqa: E402
from taiji.training.selfplay import Chunk  # noqa: E402
from taiji.training.setup import build  # noqa: E402
from taiji.training.sources import Elsewhere  # noqa: E402
from taiji.training.spec import Spec, spec_from_toml  # noqa: E402
from taiji.training.tasks import PlayedTask, PlayTask  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SMALL = """
name = "small"
[net]
blocks = 1
channels = 4
pooled = [0]
head = 4
hidden = 4
[search]
simulations = 4
candidates = 2
[learning]
batch = 16
[run]
precision = "float32"
capacity = 64
steps = 2
reuse = 1.0
minutes = 2
gate_pairs = 4
[[pool]]
games = { "taiji:size=3" = 1.0 }
size = 8
plies = 4
random_plies = 1
"""
ROUNDS = 3


def small() -> Spec:
    return spec_from_toml(SMALL)


@pytest.fixture(autouse=True)
def compile_once(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let everybody compile quickly, and take from the others what one has compiled."""
    cache = str(tmp_path_factory.getbasetemp() / "compiled")
    monkeypatch.setenv("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", cache)
    monkeypatch.setenv("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
    jax.config.update("jax_compilation_cache_dir", cache)
    yield
    jax.config.update("jax_compilation_cache_dir", None)


def noted(work: Callable[[PlayTask], PlayedTask], notes: Path, dies: bool, task: PlayTask) -> PlayedTask:
    """Do the work and note it; the first worker that has played on the games of lane 1 dies with them."""
    result = work(task)
    if dies and task.lane == 1 and task.state is not None and not (notes / "died").exists():
        (notes / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    with (notes / f"lane-{task.lane}").open("a") as file:
        file.write(task.key.tobytes().hex() + "\n")
    return result


class Noted:
    """A pool whose finished work is noted in a folder."""

    def __init__(self, pool: Pool, notes: Path, dies: bool) -> None:
        self.workers, self._pool, self._notes, self._dies = pool.workers, pool, notes, dies
        notes.mkdir()

    def run(self, work: Any, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        return self._pool.run(partial(noted, work, self._notes, self._dies), tasks)

    def close(self) -> None:
        self._pool.close()


def chunks_of(pool: Pool, notes: Path, dies: bool, params: Params) -> list[list[Chunk]]:
    """Let a pool play three rounds of two lanes."""
    watched = Noted(pool, notes, dies)
    source = Elsewhere(small(), watched)
    try:
        keys = jax.random.split(jax.random.key(5), ROUNDS)
        return [list(source.play(0, params, 4, key)) for key in keys]
    finally:
        source.close()
        watched.close()


def test_the_games_are_the_same_on_ray_and_here_though_a_worker_dies(tmp_path: Path) -> None:
    params = jax.jit(partial(init, build(small()).shape))(jax.random.key(1))
    ray = chunks_of(RayPool("local", 2), tmp_path / "ray", True, params)
    here = chunks_of(LocalPool(2), tmp_path / "here", False, params)
    assert (tmp_path / "ray" / "died").exists()
    assert [len(round_) for round_ in ray] == [2] * ROUNDS
    assert all(jax.tree.leaves(jax.tree.map(np.array_equal, ray, here)))
    assert not np.array_equal(ray[0][0].planes, ray[0][1].planes), "each lane plays its own games"
    for lane in ("lane-0", "lane-1"):
        tasks = [(tmp_path / where / lane).read_text().splitlines() for where in ("ray", "here")]
        # There may be one more than was asked for: the workers play on while the net learns.
        assert len(set(tasks[0])) == len(tasks[0]) >= ROUNDS
        assert tasks[0][:ROUNDS] == tasks[1][:ROUNDS]


class Clock:
    """A clock that goes on by ten seconds whenever it is read."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 10
        return self.now


class Two(InlinePool):
    """A pool that says it has two workers, and does their work here."""

    workers = 2


def test_the_net_learns_from_every_lane_once(tmp_path: Path) -> None:
    trainer = Trainer(small(), tmp_path, Clock(), lambda _: None, Two())
    trainer.train()
    positions = 2 * 8 * 4
    assert trainer.counts["positions"] == trainer.round * positions
    learnt_from = (trainer.round - 1) * positions  # the last chunk's games have not ended
    assert int(trainer.learner.step) == learnt_from // 16 > 0
