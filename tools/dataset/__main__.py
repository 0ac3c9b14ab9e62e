"""`python -m tools.dataset`: play the games, import games of self-play, and write the card and the sample."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
from tools.dataset.card import card
from tools.dataset.files import check_run, file_name, merge, read, write_rows
from tools.dataset.imported import played_games
from tools.dataset.rows import DatasetError, to_row
from tools.dataset.selfplay import PART_GAMES, Part, play_part

from taiji.arena.pool import LocalPool

SIZES = [f"taiji:size={size}" for size in range(2, 12)]
OTHERS = ["tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits"]
CARD = "README.md"


def main() -> int:
    """Run one of the verbs and return the exit status."""
    options = _parser().parse_args()
    try:
        options.run(options)
    except DatasetError as error:
        print(f"dataset: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ndataset: interrupted; the same command resumes", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.dataset", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    play = verbs.add_parser("play", help="play games on this machine; resumes")
    play.add_argument("--games", type=_count, default=100_000, help="games per size of TAIJI")
    play.add_argument("--others", type=_count, help="games of each other game (default: a fifth)")
    play.add_argument("--only", nargs="+", default=SIZES + OTHERS, choices=SIZES + OTHERS, metavar="GAME")
    play.add_argument("--playouts", type=_count, default=64, help="playouts per move")
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--workers", type=_count, default=os.cpu_count() or 1)
    play.set_defaults(run=_play)
    imports = verbs.add_parser("import", help="convert .npz files of self-play")
    imports.add_argument("files", nargs="+", type=Path)
    imports.set_defaults(run=_import)
    sample = verbs.add_parser("sample", help="take some games of every file")
    sample.add_argument("source", type=Path)
    sample.add_argument("--games", type=_count, default=100, help="games per file")
    sample.set_defaults(run=_sample)
    for verb in (play, imports, sample):
        verb.add_argument("--output", type=Path, required=True, help="folder, or file of the sample")
    return parser


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: invalid (expected at least 1)")
    return value


def _play(options: argparse.Namespace) -> None:
    others = options.others or max(1, options.games // 5)
    wanted = {game: options.games if game in SIZES else others for game in options.only}
    parts = options.output / "parts"
    check_run(parts, {"playouts": options.playouts, "seed": options.seed, "part_games": PART_GAMES})
    tasks = [
        (parts / file_name(game) / f"{number:05}.parquet", Part(game, options.playouts, options.seed, number))
        for game, games in wanted.items()
        for number in range(-(-games // PART_GAMES))
    ]
    paths = {part: path for path, part in tasks}
    missing = [part for path, part in tasks if not path.exists()]
    pool = LocalPool(options.workers)
    try:
        with _progress(len(tasks), len(tasks) - len(missing)) as advance:
            for part, rows in pool.run(play_part, missing):
                write_rows(paths[part], rows)
                advance(part.game)
    finally:
        pool.close()
    for game, games in wanted.items():
        files = (path for path, part in tasks if part.game == game)
        merge(files, options.output / f"{file_name(game)}.parquet", games)
    _write_card(options.output)


def _import(options: argparse.Namespace) -> None:
    for path in options.files:
        target = options.output / f"{path.stem}.parquet"
        count = write_rows(target, (to_row(played) for played in played_games(path)))
        print(f"{target}: {count:,} games", file=sys.stderr)
    _write_card(options.output)


def _sample(options: argparse.Namespace) -> None:
    files = sorted(options.source.glob("*.parquet"))
    if not files:
        raise DatasetError(f"{options.source}: no .parquet files (expected the output of play or import)")
    tables = [read(path).slice(0, options.games) for path in files]
    count = write_rows(options.output, pa.concat_tables(tables).to_pylist())
    print(f"{options.output}: {count:,} games, {options.output.stat().st_size:,} bytes", file=sys.stderr)


def _write_card(folder: Path) -> None:
    path = folder / CARD
    path.write_text(card(sorted(folder.glob("*.parquet"))))
    print(f"{path}: written", file=sys.stderr)


@contextmanager
def _progress(total: int, done: int) -> Iterator[Callable[[str], None]]:
    """Show how many parts are written: a bar on a terminal, else a line for every twentieth."""
    if not sys.stderr.isatty():
        count = done

        def say(game: str) -> None:
            nonlocal count
            count += 1
            if count * 20 // total != (count - 1) * 20 // total:
                print(f"{count} of {total} parts, {game}", file=sys.stderr)

        yield say
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("games", total=total, completed=done)
        yield lambda game: progress.update(task, advance=1, description=game)


if __name__ == "__main__":
    sys.exit(main())
