"""What is built: small enough, and without a word of where its packages came from."""

from __future__ import annotations

import gzip
import json

from tests.web.browser import ROOT

MOST_JAVASCRIPT = 80_000


def test_the_scripts_stay_small() -> None:
    scripts = list((ROOT / "src/taiji/server/static/assets").glob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= MOST_JAVASCRIPT


def test_the_lock_file_names_no_address() -> None:
    assert '"resolved"' not in (ROOT / "web/package-lock.json").read_text()


def test_the_lock_file_is_whole() -> None:
    """A build tool whose binary for another system is missing from it makes `npm ci` refuse everything."""
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    wanted = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert not {name for name in wanted if f"node_modules/{name}" not in packages}
