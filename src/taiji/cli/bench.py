"""`taiji bench`: measure the speed of the compiled core on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from taiji.cli._completions import complete_game
from taiji.cli._games import load_game
from taiji.cli._options import GAME_FILES, GAMES, MAX_SEED, Duration, target_text
from taiji.cli._output import to_json

if TYPE_CHECKING:
    from taiji.kernel.bench import Row

MEBIBYTE = 1 << 20

_threads = click.option(
    "--threads", type=click.IntRange(1), default=1, show_default=True, help="Number of threads."
)
_seed = click.option(
    "--seed", type=click.IntRange(0, MAX_SEED), default=1, show_default=True, help="Seed of the playouts."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group("bench", invoke_without_command=True)
@_json
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    r"""Measure the speed of the compiled core.

    Without a subcommand: print the signature of the tree search, a checksum of the visits of fixed searches
    with fixed seeds, so there is no --seed. It changes only if the search behaves differently; a commit that
    touches the search states it.

    \b
    Examples:
      taiji bench
      taiji bench playouts taiji:size=11 --seconds 3 --threads 2
      taiji bench search tailits --json
      taiji bench puct
    """
    if context.invoked_subcommand is None:
        _show_search_signature(as_json)
    elif as_json:
        raise click.UsageError(f"--json: misplaced (expected after {context.invoked_subcommand})")


def _show_search_signature(as_json: bool) -> None:
    from taiji.kernel.signature import search_signature

    _show_signature("mcts", search_signature(), as_json)


def _show_signature(search: str, signature: int, as_json: bool) -> None:
    click.echo(to_json({"search": search, "signature": signature}) if as_json else f"Bench: {signature}")


@command.command("playouts")
@click.argument("game", required=False, shell_complete=complete_game)
@GAMES
@click.option(
    "--seconds",
    type=Duration(3600),
    default=2.0,
    show_default=True,
    help="How long to measure.",
)
@_seed
@_threads
@_json
@GAME_FILES
def playouts(
    game: str | None, games: tuple[str, ...], seconds: float, seed: int, threads: int, as_json: bool
) -> None:
    r"""Measure random playouts of GAME per second.

    \b
    Example:
      taiji bench playouts taiji:size=9 --seconds 2 --threads 2 --json
    """
    from taiji.kernel.bench import bench_playouts

    text = target_text((game,) if game else (), games)
    _show(bench_playouts(load_game(text), seconds, threads, seed), as_json)


@command.command("puct")
@_json
def puct(as_json: bool) -> None:
    r"""Print the signature of the PUCT search, with a dummy evaluator instead of a net and fixed seeds.

    \b
    Example:
      taiji bench puct
    """
    from taiji.kernel.signature import puct_signature

    _show_signature("puct", puct_signature(), as_json)


@command.command("search")
@click.argument("game", required=False, shell_complete=complete_game)
@GAMES
@click.option(
    "--playouts",
    "count",
    type=click.IntRange(1, 10**10),
    default=100_000,
    show_default=True,
    help="Number of playouts.",
)
@click.option(
    "--memory",
    type=click.IntRange(1, 65_536),
    default=256,
    show_default=True,
    help="Maximum size of the tree, in MiB.",
)
@_seed
@_threads
@_json
@GAME_FILES
def search(
    game: str | None,
    games: tuple[str, ...],
    count: int,
    memory: int,
    seed: int,
    threads: int,
    as_json: bool,
) -> None:
    r"""Search the first move of GAME and compare its playouts per second with plain playouts.

    Without GAME: print the signature of the tree search, as `taiji bench` does.

    \b
    Example:
      taiji bench search taiji --playouts 100000 --json
    """
    if game is None and not games:
        _show_search_signature(as_json)
        return
    from taiji.kernel.bench import bench_search

    text = target_text((game,) if game else (), games)
    _show(bench_search(load_game(text), count, threads, memory * MEBIBYTE, seed), as_json)


def _show(row: Row, as_json: bool) -> None:
    if as_json:
        click.echo(to_json(row))
        return
    width = max(map(len, row))
    for name, value in row.items():
        text = f"{value:,}" if isinstance(value, int | float) else value
        click.echo(f"{name.replace('_', ' '):{width}}  {text}")
