"""Writes the screens again."""

from __future__ import annotations

from tests.terminal.screens import FOLDER, SCREENS, drawn

for name in SCREENS:
    (FOLDER / f"{name}.txt").write_text(drawn(name), encoding="utf-8")
    print(name)
