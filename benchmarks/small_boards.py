"""Solve small TAIJI boards exactly and print the table of docs/small-boards.md.

    python benchmarks/small_boards.py --most 20 --results boards.jsonl > table.md

Every board of up to `--most` cells with sides of 2 to 11, or those of `--board`, in every way to score or
those of `--score`. Each result is added to the file of results as soon as it is known, and a board in
that file is not solved again: stop the script whenever you like, and start it again with more time or
other boards. A board that is not solved within `--seconds` is printed as open.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from taiji.kernel import Kernel, Solver
from taiji.rules import Game, Seat, game_from_dict

SCORES: dict[str, dict[str, object]] = {
    "sum 1": {"rule": "largest", "groups": 1},
    "sum 2": {"rule": "largest", "groups": 2},
    "sum 3": {"rule": "largest", "groups": 3},
    "OMEGA": {"rule": "omega"},
    "squares 2": {"rule": "squares", "groups": 2},
    "product 2": {"rule": "product", "groups": 2},
}
WINNERS = {Seat.FIRST: "Light wins", Seat.SECOND: "Dark wins", None: "open"}


def board(width: int, height: int, score: dict[str, object]) -> Game:
    return game_from_dict(
        {
            "name": f"taiji-{width}x{height}",
            "board": ["." * width] * height,
            "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
            "score": score,
            "tie": "dark",
        }
    )


def solve(width: int, height: int, score: str, options: argparse.Namespace) -> dict[str, Any]:
    game = board(width, height, SCORES[score])
    memory = options.memory if width * height > 16 else min(options.memory, 32)
    solver = Solver(Kernel(game), memory=memory, threads=options.threads)
    found = solver.solve(game.start(), seconds=options.seconds, winner_only=options.winner_only)
    row: dict[str, Any] = {"board": f"{width}×{height}", "score": score, "threads": options.threads}
    row |= {"nodes": found.nodes, "seconds": round(found.seconds, 2), "winner": WINNERS[found.winner]}
    if found.solved and found.pv:
        row |= {"margin": found.margin, "best": len(found.best), "moves": len(game.start().legal())}
    return row


def read_results(path: Path | None) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the results of earlier runs; a whole solution replaces a winner alone."""
    results: dict[tuple[str, str], dict[str, Any]] = {}
    if path is None or not path.exists():
        return results
    for line in path.read_text().splitlines():
        row = json.loads(line)
        key = row["board"], row["score"]
        if "margin" in row or "margin" not in results.get(key, {}):
            results[key] = row
    return results


def is_done(row: dict[str, Any] | None, winner_only: bool) -> bool:
    return row is not None and ("margin" in row or (winner_only and row["winner"] != "open"))


def text(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    if "margin" not in row:
        return str(row["winner"])
    value = f"**{row['margin']:+g}**" if row["margin"] else "**0**"
    return f"{value} ({row['best']}/{row['moves']})"


def table(
    names: list[str], scores: list[str], results: dict[tuple[str, str], dict[str, Any]], cell: Any
) -> str:
    lines = ["| board |" + "".join(f" {score} |" for score in scores), "|---|" + "---|" * len(scores)]
    lines += [
        f"| {name} | " + " | ".join(cell(results.get((name, score))) for score in scores) + " |"
        for name in names
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=int, default=16, help="cells of the largest board")
    parser.add_argument("--board", action="append", metavar="WxH", help="these boards only")
    parser.add_argument("--score", action="append", choices=list(SCORES), help="these scores only")
    parser.add_argument("--seconds", type=float, default=3600, help="for each entry")
    parser.add_argument("--memory", type=int, default=512, help="MiB for each entry")
    parser.add_argument("--threads", type=int, default=1, help="threads for each entry")
    parser.add_argument("--winner-only", action="store_true", help="the winner, not the margin")
    parser.add_argument("--results", type=Path, help="file of results, one per line: read, then added to")
    given = parser.parse_args()
    sizes = sorted((w * h, h, w) for h in range(2, 12) for w in range(h, 12) if w * h <= given.most)
    if given.board:
        pairs = [sorted(map(int, name.split("x"))) for name in given.board]
        sizes = sorted((w * h, h, w) for h, w in pairs)
    scores = given.score or list(SCORES)
    results = read_results(given.results)
    for _, h, w in sizes:
        for score in scores:
            if is_done(results.get((f"{w}×{h}", score)), given.winner_only):
                continue
            row = solve(w, h, score, given)
            results[row["board"], score] = row
            if given.results:
                with given.results.open("a") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{row['board']} {score}: {row['nodes']:,} positions, {row['seconds']} s", file=sys.stderr)
    names = [f"{w}×{h}" for _, h, w in sizes]
    print(table(names, scores, results, text))
    print()
    print(table(names, scores, results, lambda row: "–" if row is None else f"{row['nodes']:,}"))


if __name__ == "__main__":
    main()
