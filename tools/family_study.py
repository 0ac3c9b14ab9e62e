"""Put the study of the family into the app: `python tools/family_study.py FOLDER` of `taiji study run`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from taiji.study.studies import load_summary
from taiji.study.summary import StudySummary

ROOT = Path(__file__).parent.parent
APP_DATA = ROOT / "src" / "taiji" / "study" / "family.json"
SHOWN = ("starter", "ties", "komi", "length", "branching")


def app_data(summary: StudySummary) -> str:
    """Return what the page `/studies` shows: one line per game, so that changes can be read."""
    games = []
    for game in summary.to_json()["games"]:
        cells = [{name: cell[name] for name in ("playouts", "games", *SHOWN)} for cell in game["cells"]]
        games.append({**{name: game[name] for name in ("game", "boards", "winner")}, "cells": cells})
    head = {
        "played": summary.played,
        "seed": summary.study.seed,
        "playouts": [strength.playouts for strength in summary.study.strengths],
    }
    lines = ",\n    ".join(json.dumps(game) for game in games)
    start = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    return f'{{\n  {start},\n  "games": [\n    {lines}\n  ]\n}}\n'


def main(folder: Path) -> None:
    """Write the data of the app."""
    APP_DATA.write_text(app_data(load_summary(folder)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
