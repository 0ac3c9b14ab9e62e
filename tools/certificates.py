"""Write and check a certificate of every TAIJI board of up to 20 squares: `make certificates`.

Certificates go into a folder, one file per board and way to score; they are read back before the check.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from taiji.analysis.certificates import check_certificate, make_certificate, read_certificate
from taiji.rules import game_from_dict

SCORES: dict[str, dict[str, Any]] = {
    **{f"sum{n}": {"rule": "largest", "groups": n} for n in (1, 2, 3)},
    "omega": {"rule": "omega"},
}


def board(width: int, height: int, score: str) -> dict[str, Any]:
    """Return the definition of a board with one taijitu for every two squares."""
    return {
        "name": f"taiji-{width}x{height}-{score}",
        "board": ["." * width] * height,
        "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
        "score": SCORES[score],
        "tie": "dark",
    }


def main() -> None:
    """Write and check them, smallest boards first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=20, help="squares of the largest board")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    sizes = sorted((w * h, h, w) for h in range(2, 11) for w in range(h, 11) if w * h <= given.most)
    for _, height, width in sizes:
        for score in SCORES:
            definition = board(width, height, score)
            file = given.folder / f"{definition['name']}.proof"
            made = make_certificate(game_from_dict(definition), definition)
            file.write_text("\n".join(made.lines()) + "\n")
            began = time.process_time()
            with file.open() as lines:
                positions = check_certificate(read_certificate(lines))
            spent = time.process_time() - began
            print(
                f"{file.name}: {made.margin:+g}, {positions:,} positions checked in {spent:.1f} s", flush=True
            )


if __name__ == "__main__":
    main()
