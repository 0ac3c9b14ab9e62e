"""The tables of planes in docs/environments.md are those of the code.

`python -m tests.envs.test_documents` updates them.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from taiji.envs.planes import Planes
from taiji.rules import GAMES, parse_game

PAGE = Path(__file__).parent.parent.parent / "docs" / "environments.md"
SECTION = re.compile(r"(<!-- tables: .*? -->\n).*?(<!-- end of tables -->)", re.DOTALL)
SERIES = {
    "left": "the share that is left of the pieces",
    "kind": "squares under the pieces of this stage of kind",
}


def table(name: str) -> str:
    """The planes of a game, those of a series in one line."""
    game = parse_game(name)
    planes = Planes(game)
    _, rows, columns = planes.shape
    lines = [
        f"### `{name}`: {len(planes.planes)} planes of {columns}×{rows}, {game.action_count:,} actions\n"
    ]
    lines += ["| plane | name | holds |", "|---|---|---|"]
    numbered = enumerate(planes.planes)
    for series, found in groupby(
        numbered, lambda item: item[1].name.split()[0] in SERIES and item[1].name.split()[0]
    ):
        members = list(found)
        if series:
            names = ", ".join(f"`{plane.name.partition(' ')[2]}`" for _, plane in members)
            lines.append(f"| {members[0][0]}–{members[-1][0]} | `{series} …` | {SERIES[series]} {names} |")
        else:
            lines += [f"| {number} | `{plane.name}` | {plane.meaning} |" for number, plane in members]
    return "\n".join(lines) + "\n"


def rewritten(page: str) -> str:
    """The page with the tables as they are now."""
    tables = "\n".join(table(name) for name in GAMES)
    return SECTION.sub(lambda match: f"{match[1]}\n{tables}\n{match[2]}", page)


def test_the_tables_of_planes_are_true() -> None:
    page = PAGE.read_text()
    assert SECTION.search(page)
    assert rewritten(page) == page, "python -m tests.envs.test_documents"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text()))
