"""Write the golden pictures again."""

from __future__ import annotations

from tests.render.golden import FOLDER, GOLDEN, drawn

for name in GOLDEN:
    path = FOLDER / f"{name}.svg"
    path.write_text(drawn(name), encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size} bytes")
