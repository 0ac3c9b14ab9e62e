"""Find what a net's logits of winning are to be multiplied by to come true, from its games with itself.

    python benchmarks/neural.py --folder strength --only selfplay
    python benchmarks/neural_sharpness.py --folder strength            print errors by sharpness
    python benchmarks/neural_sharpness.py --folder strength --write taiji=1.4

The games are split in two halves: a sharpness that only one of them likes is chance.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import neural_games as games
from neural_report import mean_error, reliability

from taiji.nets.net import FOLDER
from taiji.training.pack import set_value_scale

SHARPNESSES = (0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2.0, 2.2, 2.4, 2.6)


def error(lines: list[dict], sharpness: float) -> float:
    """Return the mean error in points if chances are sharpened by so much."""
    pairs = [(chance, line["first"]) for line in lines for chance in line["thoughts"]]
    sharp = [(1 / (1 + ((1 - c) / c) ** sharpness) if 0 < c < 1 else c, result) for c, result in pairs]
    return mean_error(reliability(sharp))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, required=True, help="where neural.py keeps its games")
    parser.add_argument("--write", action="append", default=[], help="NET=SHARPNESS, into the net's card")
    given = parser.parse_args()
    for net in sorted({games.net_of(text).name for text in games.SELF}):
        lines = [
            line
            for text in games.SELF
            if games.net_of(text).name == net
            for line in games.read_lines(given.folder / "selfplay" / f"{text.replace(':', '-')}.jsonl")
        ]
        for sharpness in SHARPNESSES if lines else ():
            errors = [error(part, sharpness) for part in (lines, lines[::2], lines[1::2])]
            print(f"{net} {sharpness}: {errors[0]:.1f} points, halves {errors[1]:.1f} and {errors[2]:.1f}")
    for text in given.write:
        net, _, sharpness = text.partition("=")
        set_value_scale(FOLDER / f"{net}.safetensors", float(sharpness))


if __name__ == "__main__":
    main()
