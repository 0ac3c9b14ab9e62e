"""`taiji train`: train a net from scratch, or resume a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli._interrupts import leave_on_interrupt
from taiji.cli._options import MAX_SEED, MAX_WORKERS, AliasedOption, Duration
from taiji.cli._output import say_written
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.training.spec import TrainingSpec

SPECS = Path(__file__).parent.parent / "training" / "specs"


def _spec_path(text: str) -> Path:
    """Return the named file, or the bundled spec of that name; raise `BadInput` if there is neither."""
    path, bundled = Path(text), SPECS / f"{text}.toml"
    if path.exists():
        return path
    if not bundled.exists():
        names = ", ".join(sorted(spec.stem for spec in SPECS.glob("*.toml")))
        raise BadInput(f"{text}: no such file or bundled spec (expected a .toml file, or one of {names})")
    return bundled


@click.command("train")
@click.argument("spec", metavar="SPEC.toml")
@click.option(
    "-o",
    "--output",
    cls=AliasedOption,
    aliases=("--out",),
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the run.  [default: runs/NAME]",
)
@click.option("--minutes", type=Duration(), help="Training time; overrides the spec.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Seed of the run; overrides the spec.")
@click.option(
    "--workers",
    type=click.IntRange(1, MAX_WORKERS),
    help="Number of self-play processes; this process only learns.",
)
@click.option(
    "--ray", "address", metavar="ADDRESS", help="Self-play on a Ray cluster; 'local' starts one here."
)
@click.option("--check", is_flag=True, help="Only check the spec.")
def command(
    spec: str,
    output: Path | None,
    minutes: float | None,
    seed: int | None,
    workers: int | None,
    address: str | None,
    check: bool,
) -> None:
    r"""Train a net by self-play on the device that JAX finds: a CPU for tiny specs, else an accelerator.

    The run writes a checkpoint every minute, a log, training curves and the net to its folder. The same
    command resumes from the last checkpoint. Bundled specs go by name, such as tiny.

    \b
    Examples:
      taiji train tiny
      taiji train my.toml --output runs/mine --minutes 30
      taiji train my.toml --ray 10.0.0.5:6379
    """
    from taiji.training import missing_packages
    from taiji.training.spec import SpecError, read_spec

    loaded = read_spec(_spec_path(spec))
    leave_on_interrupt()  # checkpoints are complete at any time
    if minutes is not None:
        loaded = replace(loaded, run=replace(loaded.run, minutes=minutes))
    if seed is not None:
        loaded = replace(loaded, run=replace(loaded.run, seed=seed))
    if missing := missing_packages():
        raise BadInput(f"not installed: {', '.join(missing)} (pip install 'taiji[train]')")
    from taiji.training.setup import build

    if check:
        setup = build(loaded)
        games = sum(len(pool.games) for pool in loaded.pools)
        click.echo(f"{loaded.name} can be trained: {games} games on boards up to {setup.side}×{setup.side}")
        return
    folder = output or Path("runs") / loaded.name
    if folder.exists() and not folder.is_dir():
        raise SpecError(f"{folder}: not a folder")
    _train(loaded, folder, workers, address)


def _train(spec: TrainingSpec, folder: Path, workers: int | None, address: str | None) -> None:
    from taiji.arena.ray_pool import open_pool
    from taiji.training.curves import draw
    from taiji.training.pack import export_checkpoint
    from taiji.training.run import CHECKPOINT, Trainer

    pool = None if workers is None and address is None else open_pool(workers, address)
    try:
        Trainer(spec, folder, report=click.echo, pool=pool).train()
    finally:
        if pool is not None:
            pool.close()
    net = folder / "net.safetensors"
    card = export_checkpoint(folder / CHECKPOINT, net)
    picture = draw(folder)
    click.echo(f"{spec.name}: trained with {card['training']['games']:,} games")
    say_written([net] if picture is None else [net, picture])
