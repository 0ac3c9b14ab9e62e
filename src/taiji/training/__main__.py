"""`python -m taiji.training SPEC FOLDER [MINUTES]`: train without the command line's packages."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from taiji.nets.net_file import NetError
from taiji.training import missing_packages
from taiji.training.spec import SpecError, read_spec


def main(arguments: list[str]) -> str | None:
    """Train a spec; return the problem in one line if it cannot be trained."""
    if len(arguments) not in (2, 3):
        return "usage: python -m taiji.training SPEC FOLDER [MINUTES]"
    if missing := missing_packages():
        return f"not installed: {', '.join(missing)} (pip install 'taiji[train]')"
    from taiji.training.checkpoint import CheckpointError
    from taiji.training.run import Trainer

    try:
        spec = read_spec(Path(arguments[0]))
        if len(arguments) == 3:
            spec = replace(spec, run=replace(spec.run, minutes=float(arguments[2])))
        Trainer(spec, Path(arguments[1]), report=partial(print, flush=True)).train()
    except (SpecError, CheckpointError, NetError) as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
