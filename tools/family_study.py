"""Put studies of the family into the app: `python tools/family_study.py FOLDER…` of `taiji study run`.

Strengths that the folders do not have keep their figures, so that the games of a machine with a GPU and those
of a small one can be added apart.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from taiji.study.spec import BATCH_PLAYER
from taiji.study.studies import load_summary
from taiji.study.summary import StudySummary

ROOT = Path(__file__).parent.parent
APP_DATA = ROOT / "src" / "taiji" / "study" / "family.json"
STRENGTHS = (("mcts", 100), ("mcts", 1600), ("net", 64), ("net", 256))
"""The players and playouts per move that the page `/studies` shows, weakest first."""
MEASURES = ("starter", "ties", "komi", "length", "branching")
Cells = dict[tuple[str, int], dict[str, Any]]


def study_cells(summary: StudySummary) -> dict[str, Cells]:
    """Return the cells of each game that the page shows, by player and playouts."""
    games: dict[str, Cells] = {}
    for game in summary.to_json()["games"]:
        cells = games.setdefault(game["game"], {})
        for cell in game["cells"]:
            player = "net" if cell["strength"] == BATCH_PLAYER else cell["strength"].partition(":")[0]
            shown = {name: cell[name] for name in ("playouts", "games", *MEASURES)}
            cells[player, cell["playouts"]] = {"player": player, **shown}
    return games


def merge(data: dict[str, Any], summary: StudySummary) -> dict[str, Any]:
    """Return the data of the app with the figures of a study."""
    added = study_cells(summary)
    games = []
    for game in data["games"]:
        cells = {(cell["player"], cell["playouts"]): cell for cell in game["cells"]} | added.get(
            game["game"], {}
        )
        games.append({**game, "cells": [cells[strength] for strength in STRENGTHS if strength in cells]})
    return {**data, "games": games}


def write(data: dict[str, Any]) -> None:
    """Write the data of the app, one line per game, so that changes can be read."""
    strengths = [{"player": player, "playouts": playouts} for player, playouts in STRENGTHS]
    lines = ",\n    ".join(json.dumps(game) for game in data["games"])
    head = f'"seed": {data["seed"]},\n  "strengths": {json.dumps(strengths)}'
    APP_DATA.write_text(f'{{\n  {head},\n  "games": [\n    {lines}\n  ]\n}}\n', encoding="utf-8")


def main(folders: list[str]) -> None:
    """Add the studies of some folders."""
    data = json.loads(APP_DATA.read_text(encoding="utf-8"))
    for folder in folders:
        data = merge(data, load_summary(Path(folder)))
    write(data)


if __name__ == "__main__":
    main(sys.argv[1:])
