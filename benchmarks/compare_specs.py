"""Train several specs for a few seconds each and let the nets play each other without search."""

import argparse
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import jax

from taiji.training.gate import play_gate_match
from taiji.training.run import Trainer
from taiji.training.spec import read_spec


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("specs", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=0.8)
    given = parser.parse_args()
    nets, setup = [], None
    for path in given.specs:
        spec = read_spec(path)
        spec = replace(spec, run=replace(spec.run, minutes=given.minutes, gate_seconds=1e6))
        trainer = Trainer(spec, given.folder / path.stem)
        for _ in range(3):  # compiling does not count
            trainer._round()
        trainer.began = began = time.perf_counter()
        trainer.clock = time.perf_counter
        trainer.train()
        print(f"{path.stem}: {time.perf_counter() - began:.0f} s", flush=True)
        nets.append(trainer.learner.mean)
        setup = setup or trainer.setup
        del trainer
    for index, pool in enumerate(setup.pools):
        play = jax.jit(partial(play_gate_match, pool, pairs=1024, opening_plies=6))
        for one in range(len(nets)):
            row = [f"{float(play(nets[one], two, jax.random.key(9))):.3f}" for two in nets]
            print(f"pool {index} {given.specs[one].stem:20}", *row, flush=True)


if __name__ == "__main__":
    main()
