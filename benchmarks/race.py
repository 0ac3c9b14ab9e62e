"""Races the kernel's random playouts against a yardstick program, in one run, and prints the ratios.

    python benchmarks/race.py --yardstick playouts.cpp --rounds 5

The yardstick is a C++ file whose program prints `size=N groups=K playouts_per_s=X` for each TAIJI board.
Rounds alternate between the two, and each side's best round counts: the least disturbed one.
Without a yardstick only the kernel's own figures are printed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from taiji.kernel.bench import bench_playouts
from taiji.rules import parse_game

LINE = re.compile(r"size=(\d+) groups=(\d+) playouts_per_s=([\d.]+)")
OTHERS = ("tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits")
FLAGS = ("-O3", "-march=native", "-std=c++17")


def build(source: Path, folder: Path, compiler: str) -> Path:
    program = folder / "yardstick"
    subprocess.run([compiler, *FLAGS, "-o", program, source], check=True)
    return program


def yardstick_round(program: Path) -> dict[str, float]:
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {f"taiji:size={size},groups={groups}": float(rate) for size, groups, rate in LINE.findall(text)}


def kernel_round(game: str, seconds: float, threads: int = 1) -> float:
    return float(bench_playouts(parse_game(game), seconds, threads)["playouts_per_s"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--yardstick", type=Path, help="a C++ file to build and race")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.7, help="of one measurement of the kernel")
    arguments = parser.parse_args()

    games = ["taiji:size=7,groups=1", "taiji:size=9,groups=2", "taiji:size=11,groups=3"]
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        program = (
            build(arguments.yardstick, Path(folder), arguments.compiler) if arguments.yardstick else None
        )
        for _ in range(arguments.rounds):
            for game, rate in (yardstick_round(program) if program else {}).items():
                theirs[game] = max(rate, theirs.get(game, 0.0))
            for game in [*games, *OTHERS]:
                ours[game] = max(kernel_round(game, arguments.seconds), ours.get(game, 0.0))
            double = kernel_round("taiji", arguments.seconds, threads=2)
            ours["two threads"] = max(double, ours.get("two threads", 0.0))
    print(f"{'game':24} {'playouts/s':>12} {'yardstick':>12} {'ratio':>6}")
    for game in [*games, *OTHERS]:
        other = f"{theirs[game]:12,.0f} {ours[game] / theirs[game]:6.2f}" if game in theirs else ""
        print(f"{game:24} {ours[game]:12,.0f} {other}")
    print(f"two threads against one on taiji: {ours['two threads'] / ours[games[1]]:.2f}")


if __name__ == "__main__":
    main()
