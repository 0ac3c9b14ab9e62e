"""Self-play by a pool's workers: the same games whoever plays, though a worker dies, and nothing twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("ray")

from taiji.arena import InlinePool, LocalPool, WorkerPool  # noqa: E402
from taiji.arena.ray_pool import RayPool  # noqa: E402
from taiji.training.net import Params, init  # noqa: E402
from taiji.training.programs import CompiledPrograms, PoolPrograms, opening_program, play_program  # noqa: E402
from taiji.training.run import Trainer  # noqa: E402
from taiji.training.selfplay import Chunk, Examples  # noqa: E402
from taiji.training.setup import build  # noqa: E402
from taiji.training.sources import RemoteSelfPlay  # noqa: E402
from taiji.training.spec import TrainingSpec, spec_from_toml  # noqa: E402
from taiji.training.tasks import PlayedTask, PlayTask  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.filterwarnings("ignore")]

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
samples_per_position = 1.0
minutes = 10
gate_pairs = 4
[[pool]]
games = { "taiji:size=3" = 1.0 }
size = 8
plies = 4
random_plies = 1
"""
ROUNDS = 3


def small() -> TrainingSpec:
    return spec_from_toml(SMALL)


@pytest.fixture(scope="module")
def first_chunk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chunk]:
    """A chunk played in this process; all workers take the programs compiled for it from the same cache."""
    cache = str(tmp_path_factory.getbasetemp() / "compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
        patch.setenv("JAX_COMPILATION_CACHE_DIR", cache)
        patch.setenv("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
        patch.setenv("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
        jax.config.update("jax_compilation_cache_dir", cache)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        source = RemoteSelfPlay(small(), Two())
        key = jax.random.key(2)
        chunk = source.play(0, jax.jit(partial(init, build(small()).shape))(key), 4, key)[1]
        source.close()
        yield chunk
    jax.config.update("jax_compilation_cache_dir", None)


def noted(work: Callable[[PlayTask], PlayedTask], notes: Path, dies: bool, task: PlayTask) -> PlayedTask:
    """Do the work and note it; the first worker that has played on the games of shard 1 dies with them."""
    result = work(task)
    if dies and task.shard == 1 and task.state is not None and not (notes / "died").exists():
        (notes / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    with (notes / f"shard-{task.shard}").open("a") as file:
        file.write(task.key.tobytes().hex() + "\n")
    return result


class Noted:
    """A pool whose finished work is noted in a folder."""

    def __init__(self, pool: WorkerPool, notes: Path, dies: bool) -> None:
        self.workers, self._pool, self._notes, self._dies = pool.workers, pool, notes, dies
        notes.mkdir()

    def run(self, work: Any, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        return self._pool.run(partial(noted, work, self._notes, self._dies), tasks)

    def close(self) -> None:
        self._pool.close()


def chunks_of(pool: WorkerPool, notes: Path, dies: bool, params: Params) -> list[list[Chunk]]:
    """Let a pool play three rounds of two shards."""
    watched = Noted(pool, notes, dies)
    source = RemoteSelfPlay(small(), watched)
    try:
        keys = jax.random.split(jax.random.key(5), ROUNDS)
        return [list(source.play(0, params, 4, key)) for key in keys]
    finally:
        source.close()
        watched.close()


@pytest.mark.usefixtures("first_chunk")
def test_the_games_are_the_same_on_ray_and_here_though_a_worker_dies(tmp_path: Path) -> None:
    params = jax.jit(partial(init, build(small()).shape))(jax.random.key(1))
    ray = chunks_of(RayPool("local", 2), tmp_path / "ray", True, params)
    here = chunks_of(LocalPool(2), tmp_path / "here", False, params)
    assert (tmp_path / "ray" / "died").exists()
    assert [len(round_) for round_ in ray] == [2] * ROUNDS
    assert all(jax.tree.leaves(jax.tree.map(np.array_equal, ray, here)))
    assert not np.array_equal(ray[0][0].planes, ray[0][1].planes), "each shard plays its own games"
    for shard in ("shard-0", "shard-1"):
        tasks = [(tmp_path / where / shard).read_text().splitlines() for where in ("ray", "here")]
        # There may be one more than was asked for: the workers play on while the net learns.
        assert len(set(tasks[0])) == len(tasks[0]) >= ROUNDS
        assert tasks[0][:ROUNDS] == tasks[1][:ROUNDS]


def test_what_comes_back_fits_what_was_compiled(first_chunk: Chunk) -> None:
    spec = small()
    setup = build(spec)
    key = jax.random.key(2)
    keys = jax.random.split(key, spec.pools[0].size)
    state = jax.eval_shape(opening_program(setup.pools[0]), keys)
    params = jax.eval_shape(partial(init, setup.shape), key)
    _, wanted = jax.eval_shape(play_program(spec, setup.pools[0], 0, 4), params, state, key)
    shapes = [jax.tree.map(lambda part: (part.shape, part.dtype), tree) for tree in (first_chunk, wanted)]
    assert shapes[0] == shapes[1]


class Two(InlinePool):
    """A pool that says it has two workers, and does their work here."""

    workers = 2


class Clock:
    """A clock that goes on by ten seconds whenever it is read."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 10
        return self.now


class TwoShards:
    """Self-play that only numbers its chunks; in every chunk three games end, and the first seat wins one."""

    def __init__(self) -> None:
        self.played = 0

    def play(self, *_: Any) -> list[Any]:
        winner = np.array([0, 1, 1, 0])
        ending = SimpleNamespace(known=np.array([True, True, True, False]), winner=winner)
        self.played += 2
        return [SimpleNamespace(number=self.played - back, ending=ending) for back in (2, 1)]

    def close(self) -> None:
        pass


def test_the_net_learns_from_every_chunk_once(tmp_path: Path) -> None:
    trainer = Trainer(small(), tmp_path, Clock(), lambda _: None)
    digested: list[int] = []

    def digest(before: Any, _: Any) -> Examples:
        digested.append(before.number)
        return Examples(*[np.zeros((1, 1), np.float32) for _ in Examples._fields])

    def learn(learner: Any, *_: Any) -> tuple[Any, dict[str, float]]:
        return learner._replace(step=learner.step + 2), {"policy": 0.0}

    pool = PoolPrograms({}, digest, lambda replay, _: replay, lambda *_: 0.5)
    vars(trainer).update(programs=CompiledPrograms((pool,), learn), source=TwoShards())
    trainer.train()
    rounds, chunk = trainer.round, 8 * 4
    assert rounds > 2
    # The chunks of the last round wait for the endings of their games.
    assert sorted(digested) == list(range(2 * (rounds - 1)))
    assert trainer.counts["positions"] == rounds * 2 * chunk
    assert trainer.counts["games"] == rounds * 2 * 3
    assert int(trainer.learner.step) == 2 * (rounds - 1) * chunk // 16
