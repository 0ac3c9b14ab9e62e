"""`python -m taiji.training SPEC FOLDER [MINUTES]`: train where the command line's packages are missing."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from taiji.training.run import Trainer
from taiji.training.spec import read_spec

if __name__ == "__main__":
    spec = read_spec(Path(sys.argv[1]))
    if len(sys.argv) > 3:
        spec = replace(spec, run=replace(spec.run, minutes=float(sys.argv[3])))
    Trainer(spec, Path(sys.argv[2]), report=partial(print, flush=True)).train()
