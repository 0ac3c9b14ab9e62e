"""`taiji train`: train a net from nothing, or go on where a run stopped."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.training.spec import TrainingSpec

SPECS = Path(__file__).parent.parent / "training" / "specs"


def _spec_path(text: str) -> Path:
    """Return the file that is named, or the spec of that name which comes with the program."""
    path, own = Path(text), SPECS / f"{text}.toml"
    return own if not path.exists() and own.exists() else path


@click.command("train")
@click.argument("spec", metavar="SPEC.toml")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the run; runs/NAME without.",
)
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), help="Train so long instead of the spec's time."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Play in so many processes, and only learn in this one.",
)
@click.option("--ray", "address", metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here.")
@click.option("--check", is_flag=True, help="Only say whether the spec can be trained.")
def command(
    spec: str,
    out: Path | None,
    minutes: float | None,
    workers: int | None,
    address: str | None,
    check: bool,
) -> None:
    r"""Train a net by self-play, on whatever JAX finds: a CPU for tiny specs, an accelerator for the others.

    The run's folder receives a checkpoint every minute, a log, its curves and the net. The same command
    again goes on from the last checkpoint. The specs that come with the program go by name, such as tiny.

    \b
    Examples:
      taiji train tiny
      taiji train my.toml --out runs/mine --minutes 30
      taiji train my.toml --ray 10.0.0.5:6379
    """
    from taiji.training.spec import SpecError, read_spec

    found = read_spec(_spec_path(spec))
    if minutes is not None:
        found = replace(found, run=replace(found.run, minutes=minutes))
    if importlib.util.find_spec("jax") is None:
        raise BadInput("training needs JAX: pip install 'taiji[train]'")
    from taiji.training.setup import build

    if check:
        setup = build(found)
        games = sum(len(pool.games) for pool in found.pools)
        click.echo(f"{found.name} can be trained: {games} games on boards up to {setup.side}×{setup.side}")
        return
    folder = out or Path("runs") / found.name
    if folder.exists() and not folder.is_dir():
        raise SpecError(f"{folder} is no folder")
    _train(found, folder, workers, address)


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
    card = export_checkpoint(folder / CHECKPOINT, folder / "net.onnx")
    picture = draw(folder)
    click.echo(f"{folder / 'net.onnx'}: {card['training']['games']:,} games")
    if picture is not None:
        click.echo(f"{picture}: the curves")
