"""The built app: its size, and a lock file that works on every system."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

from tests.web.browser import ROOT

STATIC = ROOT / "src/taiji/server/static"
MAX_FIRST_PAGE_BYTES = 80_000
IMPORTED = re.compile(r"""(?:from|import)\s*["']\./([^"']+\.js)["']""")


def gzipped(scripts: set[Path]) -> int:
    return sum(len(gzip.compress(script.read_bytes())) for script in scripts)


def test_the_first_page_needs_few_scripts() -> None:
    """The page's script and all it imports at once; other screens are fetched when they are opened."""
    entry = re.findall(r'src="/(assets/[^"]+\.js)"', (STATIC / "index.html").read_text())
    todo, seen = [STATIC / name for name in entry], set()
    while todo:
        script = todo.pop()
        if script not in seen:
            seen.add(script)
            todo += [script.parent / name for name in IMPORTED.findall(script.read_text())]
    assert seen
    assert gzipped(seen) <= MAX_FIRST_PAGE_BYTES
    assert gzipped(set((STATIC / "assets").glob("*.js")) - seen) > 0


def test_the_lock_file_names_no_address() -> None:
    assert '"resolved"' not in (ROOT / "web/package-lock.json").read_text()


def test_the_lock_file_is_whole() -> None:
    """Without a build tool's binary for another system, `npm ci` fails there."""
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    wanted = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert not {name for name in wanted if f"node_modules/{name}" not in packages}
