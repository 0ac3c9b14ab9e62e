"""Examples of the commands that print JSON, run when the reference is written."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from tests.server.inside import Inside
from tools.site import DOCS, ROOT

from taiji.cli import program

EXAMPLES = {
    "games": "games --json",
    "players": "players --json",
    "show": "show taiji.tji --ply 6 --json",
    "replay": "replay taiji.tji --json",
    "convert": "convert taiji.tji games.jsonl --json",
    "perft": "perft taiji:size=4 3 --json",
    "solve": "solve taiji:size=3 --json",
    "analyse": "analyse taiji:size=5 --player mcts --playouts 300 --json",
    "review": "review taiji-tie.tji --player mcts --playouts 50 --json",
    "arena": "arena greedy random --game taiji:size=4 --pairs 2 --json",
    "tournament new": "tournament new club.tour --name Club --game taiji:size=7 --json",
    "tournament join": "tournament join club.tour Ann Bob --json",
    "tournament pair": "tournament pair club.tour --json",
    "tournament result": "tournament result club.tour 1 13-12 11-14 --json",
    "tournament standings": "tournament standings club.tour --json",
    "tournament withdraw": "tournament withdraw club.tour Bob --json",
    "tournament log": "tournament log club.tour --json",
    "tournament import": "tournament import copy.tour club.trf --game taiji:size=7 --json",
    "tournament run": "tournament run engines.toml --json",
    "explore position": "explore position taiji:size=7 --book books/taiji-7.book --limit 2 --json",
    "puzzle list": "puzzle list --json",
    "puzzle show": "puzzle show taiji-7-1-2 --json",
    "puzzle check": "puzzle check puzzles.jsonl --json",
    "study balance": "study balance taiji:size=3 --games 4 --playouts 20 --workers 1 -o fair --json",
    "study compare": "study compare taiji:size=3 taiji:size=4 --games 4 --playouts 20"
    " --workers 1 -o two --json",
    "study openings": "study openings taiji:size=4 --plies 1 --candidates 2 --screen 20 --confirm 40 --keep 2"
    " --games 2 --playouts 20 --workers 1 -o openings --json",
    "study run": "study run fair/study.toml -o again --workers 1 --json",
    "study report": "study report fair --json",
    "admin list": "admin list --json",
    "admin log": "admin log --json",
    "admin reports": "admin reports --json",
    "bench": "bench --json",
    "bench puct": "bench puct --json",
    "bench search": "bench search taiji:size=7 --playouts 2000 --json",
    "bench playouts": "bench playouts taiji:size=7 --seconds 0.05 --json",
}
"""A quick run of each command with JSON, in this order, in a folder with the examples of the rules."""
PREPARATIONS = {
    "tournament import": "tournament export club.tour club.trf",
    "explore position": "explore build taiji.tji -o books --min-games 1",
}
"""What has to run before an example."""
ENGINES = """\
game = "taiji:size=4"
format = "match"

[[player]]
player = "greedy"

[[player]]
player = "random"
"""


def outputs() -> dict[str, Any]:
    """Run the examples; return the last JSON value that each prints."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), _database(Path(folder)):
        for path in (DOCS / "rules" / "examples").iterdir():
            shutil.copy(path, Path(folder))
        Path("engines.toml").write_text(ENGINES)
        puzzles = ROOT / "src/taiji/analysis/puzzles/sets/taiji-7.jsonl"
        Path("puzzles.jsonl").write_text("".join(puzzles.read_text().splitlines(keepends=True)[:2]))
        for name, line in EXAMPLES.items():
            if name in PREPARATIONS:
                _run(PREPARATIONS[name])
            found[name] = json.loads(_run(line).splitlines()[-1])
    return found


@contextlib.contextmanager
def _database(folder: Path) -> Iterator[None]:
    """Let `taiji admin` find a database with two players, one of whom has reported the other."""
    url = f"sqlite:///{folder}/games.sqlite"
    with Inside(url).running() as server:
        ann, bob = server.browser(), server.browser()
        ann.register("Ann"), bob.register("Bob")
        ann.post("/api/reports", {"player": "Bob", "reason": "stalling"})
    before = os.environ.get("TAIJI_DATABASE_URL")
    os.environ["TAIJI_DATABASE_URL"] = url
    try:
        yield
    finally:
        os.environ.pop("TAIJI_DATABASE_URL")
        if before is not None:
            os.environ["TAIJI_DATABASE_URL"] = before


def _run(line: str) -> str:
    result = CliRunner().invoke(program, line.split(), prog_name="taiji", catch_exceptions=False)
    if result.exit_code:
        raise ValueError(f"taiji {line}: exit status {result.exit_code}: {result.stderr.strip()}")
    return result.stdout
