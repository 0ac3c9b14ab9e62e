"""Read ten thousand records into a data frame and plot the score by move.

Run it: python examples/score_by_move.py games.tji score.png
Without a file it plays 10,000 random games first: python examples/score_by_move.py
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from taiji.kernel import Kernel
from taiji.kernel.fast_replay import replay_with_kernel
from taiji.notation import Record, RecordedMove, write_record
from taiji.notation.interchange import FORMATS, ImportedGame, ParquetWriter
from taiji.rules import parse_game


def random_records(game_text: str, count: int) -> Iterator[Record]:
    """Yield random games."""
    game = parse_game(game_text)
    kernel = Kernel(game)
    for seed in range(count):
        actions = kernel.start().random_game(seed)
        steps = (RecordedMove(str(game.move(action))) for action in actions)
        yield Record(game, tuple(steps), (("Light", "chance"), ("Dark", "chance")))


def load(path: Path) -> pd.DataFrame:
    """Return the plies of a file of records, one per row, as `taiji convert` writes them."""
    with tempfile.TemporaryFile() as data:
        writer = ParquetWriter(data, "positions")
        with path.open(encoding="utf-8") as stream:
            games = (
                item
                for item in FORMATS["tji"].read(stream, replay_with_kernel)
                if isinstance(item, ImportedGame)
            )
            for game_no, imported in enumerate(games, 1):
                writer.write(imported, game_no)
        writer.close()
        data.seek(0)
        return pd.read_parquet(data)


def plot(frame: pd.DataFrame, target: Path) -> pd.DataFrame:
    """Draw the mean score of both colours by move and return the numbers."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    means = frame.groupby("ply")[["light_score", "dark_score", "choices"]].mean()
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    axes.plot(means.index, means["light_score"], color="#c08a2b", label="Light")
    axes.plot(means.index, means["dark_score"], color="#2d2a26", label="Dark")
    axes.set(
        xlabel="ply", ylabel="mean score", title=f"{frame['number'].nunique():,} games of {frame['game'][0]}"
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(target, dpi=150)
    plt.close(figure)
    return means


def main(arguments: Sequence[str] | None = None) -> pd.DataFrame:
    """Read, plot, and print the first lines of what was plotted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="?", type=Path)
    parser.add_argument("target", nargs="?", type=Path, default=Path("score_by_move.png"))
    parser.add_argument("--game", default="taiji")
    parser.add_argument("--games", type=int, default=10_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = options.records
        if path is None:
            path = Path(folder) / "random.tji"
            with path.open("w", encoding="utf-8") as stream:
                for record in random_records(options.game, options.games):
                    write_record(stream, record)
        frame = load(path)
    means = plot(frame, options.target)
    print(f"{len(frame):,} plies of {frame['number'].nunique():,} games, plotted in {options.target}")
    print(means.head(8).round(2).to_string())
    return means


if __name__ == "__main__":
    main()
