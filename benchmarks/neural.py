"""The proof of `neural`: play, measure, and write docs/strength.md.

    python benchmarks/neural.py --folder strength            everything, about six hours of one core
    python benchmarks/neural.py --folder strength --only matches --minutes 30
    python benchmarks/neural.py --folder strength --only matches --choose t9 --choose bol --workers 2
    python benchmarks/neural.py --folder strength --only report

What was played is kept in the folder; the same command goes on where it was stopped, and the report says how
many games there are. Times are only true where no more processes run than there are cores.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import neural_games as games
import neural_report as report

PARTS = ("speed", "matches", "tables", "selfplay", "report")
TARGET = Path(__file__).parent.parent / "docs" / "strength.md"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, required=True, help="where games and measurements are kept")
    parser.add_argument("--only", choices=PARTS, action="append", help="parts of the work; may be repeated")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop playing after so long")
    parser.add_argument("--choose", action="append", help="a match, table or game; may be repeated")
    parser.add_argument("--workers", type=int, default=1, help="games played at once")
    parser.add_argument("--rounds", type=int, default=10, help="pairs of games of each pairing of a table")
    parser.add_argument("--games", type=int, default=100, help="games of self-play for each game")
    parser.add_argument("--target", type=Path, default=TARGET, help="the report")
    given = parser.parse_args()
    parts = given.only or PARTS
    until = time.monotonic() + given.minutes * 60

    def wanted(name: str) -> bool:
        return not given.choose or name in given.choose

    given.folder.mkdir(parents=True, exist_ok=True)
    if "speed" in parts:
        games.measure_speed(given.folder)
    if "matches" in parts:
        for name, contest in (games.matches() | games.counted()).items():
            if wanted(name):
                games.play(contest, given.folder / "matches" / name, until, given.workers)
    if "tables" in parts:
        for name, contest in games.tables(given.rounds).items():
            if wanted(name):
                games.play(contest, given.folder / "tables" / name, until, given.workers)
    if "selfplay" in parts:
        chosen = [text for text in games.SELF if wanted(text)]
        games.play_itself(given.folder / "selfplay", chosen, given.games, until)
    if "report" in parts:
        report.write(given.folder, given.target)
        print(given.target)


if __name__ == "__main__":
    main()
