"""`taiji solve`: solve a position exactly."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taiji.cli._certificates import check_file, write_file
from taiji.cli._completions import complete_game
from taiji.cli._options import GAME_FILES, GAME_NUMBER, GAMES, PLY, Duration, target_text
from taiji.cli._output import to_json
from taiji.cli._positions import find_position

if TYPE_CHECKING:
    from taiji.kernel import Progress, Solution
    from taiji.rules import State


@click.command("solve")
@click.argument("target", nargs=-1, metavar="GAME|POSITION|FILE", shell_complete=complete_game)
@GAMES
@GAME_NUMBER
@PLY
@click.option("--seconds", type=Duration(), help="Time limit.")
@click.option(
    "--memory",
    default=512,
    show_default=True,
    type=click.IntRange(1, 1_000_000),
    help="Memory limit, in MiB.",
)
@click.option(
    "--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads that share the work."
)
@click.option("--winner-only", is_flag=True, help="Find the winner and one move, not the margin.")
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a proof of the value of GAME to a file.",
)
@click.option(
    "--check",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Check such a file by the rules alone.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the solution as one JSON object.")
@GAME_FILES
def command(
    target: tuple[str, ...],
    games: tuple[str, ...],
    game_no: int,
    ply: int | None,
    seconds: float | None,
    memory: int,
    threads: int,
    winner_only: bool,
    certificate: Path | None,
    check: Path | None,
    as_json: bool,
) -> None:
    r"""Solve a position exactly: its value, every best move and the principal variation.

    \b
    Examples:
      taiji solve taiji:size=4
      taiji solve tji1 taiji:size=5 b2/b3,c2/c3 light - --seconds 60
      taiji solve taiji:size=4 --certificate 4x4.proof
      taiji solve --check 4x4.proof
    """
    from taiji.kernel import Solver, get_kernel

    if check is not None:
        if target or games or certificate is not None:
            raise click.UsageError("--check: takes no position and no other file (expected --check FILE)")
        return check_file(check, as_json)
    text = target_text(target, games)
    if certificate is not None:
        return write_file(text, certificate, memory, as_json)
    state, _ = find_position(text, game_no, ply)
    solver = Solver(get_kernel(state.game), memory=memory, threads=threads)
    limits: dict[str, Any] = {"seconds": seconds, "winner_only": winner_only}
    if sys.stderr.isatty() and not as_json:
        solution = _solve_with_progress(solver, state, limits)
    else:
        solution = solver.solve(state, **limits)
    if as_json:
        click.echo(to_json(_to_json(state, solution)))
    else:
        click.echo("\n".join(_lines(state, solution)))
    sys.exit(0 if solution.solved else 1)


def _solve_with_progress(solver: Any, state: State, limits: dict[str, Any]) -> Solution:
    """Solve, and show progress on the terminal."""
    from rich.console import Console

    def show(progress: Progress) -> None:
        least, most = ("?" if bound is None else f"{bound:g}" for bound in (progress.lower, progress.upper))
        rate = progress.nodes / max(progress.seconds, 0.001)
        status.update(
            f"{progress.nodes:,} positions, {rate:,.0f}/s, {progress.seconds:.0f} s; margin {least} … {most}"
        )

    with Console(stderr=True).status("solving") as status:
        solution: Solution = solver.solve(state, **limits, on_progress=show)
    return solution


def _to_json(state: State, solution: Solution) -> dict[str, Any]:
    from taiji.notation import format_position

    return {
        "position": format_position(state),
        "solved": solution.solved,
        "winner": None if solution.winner is None else ("light", "dark")[solution.winner],
        "margin": solution.margin,
        "best": list(map(str, solution.best)),
        "line": list(map(str, solution.pv)),
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
    }


def _lines(state: State, solution: Solution) -> list[str]:
    from taiji.notation.wording import counted
    from taiji.rules import Colour

    data = _to_json(state, solution)
    cost = f"{counted(solution.nodes, 'position')} in {solution.seconds:.2f} s"
    words = {
        None: "nobody",
        "light": state.game.colour_names.of(Colour.LIGHT),
        "dark": state.game.colour_names.of(Colour.DARK),
    }
    if not solution.solved:
        known = f"; {words[data['winner']]} wins" if data["winner"] else ""
        return [f"not solved{known} ({cost})"]
    value = "" if solution.margin is None else f", margin {abs(solution.margin):g}"
    lines = [f"{words[data['winner']]} wins{value} ({cost})" if data["winner"] else f"a draw ({cost})"]
    if data["best"]:
        lines.append(f"best: {' '.join(data['best'])}")
    if data["line"]:
        lines.append(f"line: {' '.join(data['line'])}")
    return lines
