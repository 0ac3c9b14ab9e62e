"""A training run: self-play and learning in turn until the time is up, with checkpoints, gates and a log."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import optax

from taiji.arena.pool import WorkerPool
from taiji.nets.net import FOLDER
from taiji.nets.net_file import SUFFIX
from taiji.training import checkpoint
from taiji.training.learner import Learner, start
from taiji.training.net import Params, init, parameter_count
from taiji.training.programs import CompiledPrograms, compile_all
from taiji.training.replay import ReplayBuffer, create
from taiji.training.selfplay import Chunk
from taiji.training.setup import TrainingSetup, build
from taiji.training.sources import LocalSelfPlay, RemoteSelfPlay, SelfPlay
from taiji.training.spec import TrainingSpec
from taiji.training.stored_net import load_start

Clock = Callable[[], float]
Report = Callable[[str], None]
CHECKPOINT = "checkpoint.tjc"
LOG = "log.jsonl"


class Trainer:
    """The state of a training run."""

    def __init__(
        self,
        spec: TrainingSpec,
        folder: Path,
        clock: Clock = time.monotonic,
        report: Report = print,
        pool: WorkerPool | None = None,
    ) -> None:
        """Start or resume a run; if given, `pool` plays the games, and the caller closes it."""
        self.spec, self.folder, self.clock, self.report = spec, folder, clock, report
        self.setup: TrainingSetup = build(spec)
        folder.mkdir(parents=True, exist_ok=True)
        self.seconds_before = 0.0
        self.round = 0
        self.counts = {"games": 0.0, "positions": 0.0, "evaluations": 0.0}
        self.pending_steps = 0.0
        self.best: Params = {}
        self.learner = self._resume() or self._initialise()
        self.began = clock()
        self._pool = pool
        self.chunks: dict[tuple[int, int], Chunk] = {}
        """For each pool and shard the last chunk; some of its games have not ended yet."""
        self.replay: ReplayBuffer | None = None

    @cached_property
    def programs(self) -> CompiledPrograms:
        """The programs of the device, compiled at first use."""
        return compile_all(self.spec, self.setup, plays_locally=self._pool is None)

    @cached_property
    def source(self) -> SelfPlay:
        """The source of self-play games."""
        if self._pool is not None:
            return RemoteSelfPlay(self.spec, self._pool)
        return LocalSelfPlay(self.spec, self.setup, self.programs)

    def _initialise(self) -> Learner:
        params = self._first_params()
        self.best = params
        return start(params, self.spec.learning)

    def _first_params(self) -> Params:
        if name := self.spec.run.start_net:
            shipped = FOLDER / f"{name}{SUFFIX}"
            return load_start(shipped if shipped.exists() else Path(name), self.setup.shape)
        params: Params = jax.jit(partial(init, self.setup.shape))(jax.random.key(self.spec.run.seed))
        return params

    def _resume(self) -> Learner | None:
        path = self.folder / CHECKPOINT
        if not path.exists():
            return None
        tree, facts = checkpoint.load(path)
        if facts["net"] != json.loads(json.dumps(asdict(self.setup.shape))):
            raise checkpoint.CheckpointError(f"{path}: the net has another shape than the spec's")
        tree = jax.tree.map(jnp.asarray, tree)
        self.seconds_before, self.round = facts["seconds"], facts["round"]
        self.counts = facts["counts"]
        self.best = tree["best"]
        self.report(f"resuming at {self.seconds_before:.0f} s, step {facts['step']}")
        step = jnp.int32(facts["step"])
        learner = start(tree["params"], self.spec.learning)
        optimiser = optax.tree.set(learner.optimiser, mu=tree["first"], nu=tree["second"], count=step)
        return Learner(tree["params"], optimiser, tree["mean"], step)

    @property
    def seconds(self) -> float:
        """The training time so far in seconds, earlier runs included."""
        return self.seconds_before + self.clock() - self.began

    @property
    def progress(self) -> float:
        """The fraction of the training time that has passed."""
        return min(1.0, self.seconds / (60 * self.spec.run.minutes))

    def rate(self) -> float:
        """Return the current learning rate: constant for 20 % of the time, then falling linearly."""
        learning = self.spec.learning
        fall = min(1.0, max(0.0, (self.progress - 0.2) / 0.75))
        return learning.rate + (learning.final_rate - learning.rate) * fall

    def simulations(self) -> int:
        """Return the current number of simulations per search."""
        search = self.spec.search
        late = search.late_simulations and self.progress >= search.late_after_fraction
        return search.late_simulations if late else search.simulations

    def key(self, *marks: int) -> jax.Array:
        """Return the random key of one piece of work."""
        key = jax.random.fold_in(jax.random.key(self.spec.run.seed + 1), self.round)
        for mark in marks:
            key = jax.random.fold_in(key, mark)
        return key

    def train(self) -> None:
        """Train until the time is up."""
        self.report(f"{self.spec.name}: {parameter_count(self.learner.params):,} parameters")
        try:
            self._rounds()
        finally:
            if "source" in vars(self):
                self.source.close()

    def _rounds(self) -> None:
        saved = gated = self.seconds
        while self.progress < 1.0:
            parts = self._round()
            line = {"seconds": round(self.seconds, 1), "round": self.round, **self.counts, **parts}
            if self.seconds - gated >= self.spec.run.gate_seconds or self.progress >= 1.0:
                line |= self._gate()
                gated = self.seconds
            self._log(line)
            if self.seconds - saved >= self.spec.run.checkpoint_seconds:
                self.save()
                saved = self.seconds
        self.save()

    def _round(self) -> dict[str, float]:
        self.round += 1
        parts: dict[str, Any] = {}
        for index, part in enumerate(self.spec.pools):
            if self.round % part.every_n_rounds == 0:
                parts |= self._play(index)
                parts |= self._learn(index)
        return {name: round(float(value), 5) for name, value in parts.items()}

    def _play(self, index: int) -> dict[str, Any]:
        simulations = self.simulations()
        chunks = self.source.play(index, self.learner.mean, simulations, self.key(index))
        ended, first = 0.0, 0.0
        for shard, chunk in enumerate(chunks):
            self._store_chunk(index, shard, chunk)
            known = chunk.ending.known
            ended += float(known.sum())
            first += float((known & (chunk.ending.winner == 0)).sum())
        part = self.spec.pools[index]
        count = part.size * part.plies * len(chunks)
        self.counts["games"] += ended
        self.counts["positions"] += count
        self.counts["evaluations"] += count * (simulations + 1)
        return {f"first_wins_{index}": first / max(ended, 1.0)}

    def _store_chunk(self, index: int, shard: int, chunk: Chunk) -> None:
        """Keep a chunk; add the shard's chunk before it, whose games have all ended, to the replay buffer."""
        part, programs = self.spec.pools[index], self.programs.pools[index]
        before = self.chunks.get((index, shard))
        self.chunks[index, shard] = chunk
        if before is None:
            return
        examples = programs.digest(before, chunk.ending)
        if self.replay is None:
            self.replay = create(self.spec.run.capacity, examples)
        self.replay = programs.add(self.replay, examples)
        samples = self.spec.run.samples_per_position * part.size * part.plies
        self.pending_steps += samples / self.spec.learning.batch

    def _learn(self, index: int) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        run = self.spec.run
        while self.replay is not None and self.pending_steps >= run.steps:
            self.pending_steps -= run.steps
            key = self.key(index, 2, int(self.pending_steps))
            rate = jnp.float32(self.rate())
            self.learner, parts = self.programs.learn(self.learner, self.replay, key, rate)
        return parts and parts | {"rate": self.rate(), "step": self.learner.step}

    def _gate(self) -> dict[str, float]:
        """Play the averaged weights against the best weights, which they replace unless they lose."""
        scores: dict[str, float] = {}
        for index in range(len(self.spec.pools)):
            scores[f"gate_{index}"] = float(
                self.programs.pools[index].gate_match(self.learner.mean, self.best, self.key(index, 3))
            )
        if sum(scores.values()) >= 0.5 * len(scores):
            self.best = self.learner.mean
        return scores

    def _log(self, line: dict[str, Any]) -> None:
        with (self.folder / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        shown = ("seconds", "games", "step", "policy", "value", "margin", "owner", "accuracy", "gradient")
        text = "  ".join(f"{name} {line[name]:.4g}" for name in shown if name in line)
        gates = "  ".join(f"{name} {line[name]:.3f}" for name in line if name.startswith("gate_"))
        self.report(f"{text}  {gates}".rstrip())

    def tree(self) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        learner = self.learner
        return {
            "params": learner.params,
            "first": optax.tree.get(learner.optimiser, "mu"),
            "second": optax.tree.get(learner.optimiser, "nu"),
            "mean": learner.mean,
            "best": self.best,
        }

    def save(self) -> None:
        """Write the checkpoint."""
        facts = {
            "name": self.spec.name,
            "net": asdict(self.setup.shape),
            "games": [list(pool.games) for pool in self.spec.pools],
            "seconds": self.seconds,
            "round": self.round,
            "step": int(self.learner.step),
            "counts": self.counts,
        }
        checkpoint.save(self.folder / CHECKPOINT, self.tree(), facts)
