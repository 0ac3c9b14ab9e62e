"""The card of the dataset: what is in its files, counted from them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pyarrow.compute as pc
from tools.dataset.files import read

HEAD = """\
---
license: mit
pretty_name: Engine games of the TAIJI family
tags: [board-games, taiji, tailits, battle-of-lits, self-play]
---

# Engine games of the TAIJI family

Finished games that the engines of `taiji` played against themselves, one row per game, one Parquet file per
game definition. Every move was checked by the rules when the row was written. `docs/dataset.md` of the
repository describes the columns and how to load them. There are no games of people.

"""
NOTE = """

`different` counts games with different moves; `Light wins` is the share of the seat that began as Light.
"""
COLUMNS = ("file", "games", "different", "plies", "Light wins", "swapped", "player", "MB")


class Facts(NamedTuple):
    """What a line of the card says of a file."""

    file: str
    games: int
    different: int
    plies: float
    light_wins: float
    swapped: float
    players: str
    megabytes: float

    def line(self) -> str:
        """Return the line of the table."""
        return (
            f"| `{self.file}` | {self.games:,} | {self.different:,} | {self.plies:.1f} | "
            f"{self.light_wins:.1%} | {self.swapped:.1%} | {self.players} | {self.megabytes:.1f} |"
        )


def facts(path: Path) -> Facts:
    """Count a file."""
    table = read(path)
    different = len(table.select(["game", "moves"]).group_by(["game", "moves"]).aggregate([]))
    players = sorted(set(table["player"].unique().to_pylist()))
    return Facts(
        path.name,
        len(table),
        different,
        pc.mean(table["plies"]).as_py(),
        pc.mean(pc.equal(table["winner"], "light").cast("int8")).as_py(),
        pc.mean(table["swapped"].cast("int8")).as_py(),
        ", ".join(f"`{player}`" for player in players),
        path.stat().st_size / 1e6,
    )


def card(paths: Iterable[Path]) -> str:
    """Return the card of some files as Markdown."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    lines += [facts(path).line() for path in paths]
    return HEAD + "\n".join(lines) + NOTE
