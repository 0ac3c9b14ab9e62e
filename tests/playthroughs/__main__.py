"""Writes all playthroughs anew."""

from __future__ import annotations

from tests.playthroughs import FOLDER, PLAYED, playthrough

for name, (text, seed) in PLAYED.items():
    path = FOLDER / f"{name}.txt"
    path.write_text(playthrough(text, seed), encoding="utf-8")
    print(f"{path.name}: {text}, seed {seed}")
