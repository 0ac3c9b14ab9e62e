"""Strength by training time: later nets of a run against an earlier one, as a picture and a table.

    python benchmarks/training_time.py play NET REFERENCE --game taiji:size=11 --minutes 26 \\
        --reference-minutes 9.6 --pairs 100 --seconds 0.1
    python benchmarks/training_time.py draw

`play` appends one line to training_time.jsonl beside this file: NET against REFERENCE, equal limits, both
colours from the same openings (whole games on random boards in Battle of LITS).
`draw` writes docs/strength-training.svg from all lines; docs/strength.md has the same figures as a table.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure
from neural_games import play as run

from taiji.arena import Contest
from taiji.players import Limit
from taiji.rules import parse_game

RESULTS = Path(__file__).with_suffix(".jsonl")
PICTURE = Path(__file__).parent.parent / "docs" / "strength-training.svg"
PATIENT = Limit(seconds=30)


def read_results() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]


def play(given: argparse.Namespace) -> dict[str, Any]:
    own = f",evaluations={given.evaluations}" if given.evaluations else ""
    limit = PATIENT if given.evaluations else Limit(seconds=given.seconds)
    symbols = bool(parse_game(given.game).stages[0].symbols)
    contest = Contest(
        given.game,
        (f"neural:net={given.net}{own}", f"neural:net={given.reference}{own}"),
        given.pairs,
        (limit, limit),
        opening_plies=0 if symbols else 2,
        seed=given.seed,
        random_boards=symbols,
        balanced_by=given.balanced_by,
    )
    with TemporaryDirectory() as folder:
        standings = run(contest, Path(folder), float("inf"), given.workers)
    score = standings.pair_score(0, 1)
    return {
        "game": given.game,
        "minutes": given.minutes,
        "reference_minutes": given.reference_minutes,
        **({"balanced_by": given.balanced_by} if given.balanced_by else {}),
        "per_move": f"{given.evaluations} evaluations" if given.evaluations else f"{given.seconds} s",
        "games": score.games,
        "score": round(score.score, 3),
        "low": round(score.interval[0], 3),
        "high": round(score.interval[1], 3),
    }


def table() -> str:
    """Return the figures as a table in Markdown."""
    head = "| game | minutes | against the net of | each move | games | score | 95 % |"
    rows = sorted(read_results(), key=lambda row: (row["game"], row["minutes"]))
    return "\n".join([head, "|---|---|---|---|---|---|---|", *(_line(row) for row in rows)])


def _contest(row: dict[str, Any]) -> str:
    by = row.get("balanced_by")
    return f"{row['game']}, openings balanced by {by}" if by else str(row["game"])


def _line(row: dict[str, Any]) -> str:
    return (
        f"| {_contest(row)} | {row['minutes']:g} | {row['reference_minutes']:g} minutes | {row['per_move']} "
        f"| {row['games']} | **{row['score']:.1%}** | {row['low']:.1%} to {row['high']:.1%} |"
    )


def draw(target: Path = PICTURE) -> None:
    """Write the picture: a line per game from the reference, which scores one half against itself."""
    lines: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(read_results(), key=lambda row: row["minutes"]):
        lines.setdefault(_contest(row), []).append(row)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "taiji"}):
        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.subplots()
        for contest, rows in lines.items():
            minutes = [rows[0]["reference_minutes"], *(row["minutes"] for row in rows)]
            scores = [50.0, *(100 * row["score"] for row in rows)]
            below = [0.0, *(100 * (row["score"] - row["low"]) for row in rows)]
            above = [0.0, *(100 * (row["high"] - row["score"]) for row in rows)]
            axes.errorbar(minutes, scores, yerr=[below, above], marker="o", capsize=3, label=contest)
        axes.set_xlabel("minutes of training on one H200")
        axes.set_ylabel("score against the first net of the line, %")
        axes.grid(alpha=0.3)
        axes.legend(loc="upper left")
        figure.savefig(target, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    match = commands.add_parser("play", help="play a match and append its result")
    match.add_argument("net", type=Path)
    match.add_argument("reference", type=Path)
    match.add_argument("--game", default="taiji")
    match.add_argument("--minutes", type=float, required=True, help="training of NET")
    match.add_argument("--reference-minutes", type=float, required=True, help="training of REFERENCE")
    match.add_argument("--pairs", type=int, default=100)
    match.add_argument("--seconds", type=float, default=0.1, help="per move")
    match.add_argument("--evaluations", type=int, default=0, help="per move, instead of seconds")
    match.add_argument("--workers", type=int, default=1, help="games played at once")
    match.add_argument("--balanced-by", default="", help="the player that finds the openings balanced")
    match.add_argument("--seed", type=int, default=1)
    commands.add_parser("draw", help="write the picture, print the table")
    given = parser.parse_args()
    if given.command == "play":
        row = play(given)
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(row)
    else:
        draw()
        print(table())


if __name__ == "__main__":
    main()
