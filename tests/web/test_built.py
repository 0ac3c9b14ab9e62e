"""What is built: small enough, and without a word of where its packages came from."""

from __future__ import annotations

import gzip

from tests.web.browser import ROOT

MOST_JAVASCRIPT = 80_000


def test_the_scripts_stay_small() -> None:
    scripts = list((ROOT / "src/taiji/server/static/assets").glob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= MOST_JAVASCRIPT


def test_the_lock_file_names_no_address() -> None:
    assert '"resolved"' not in (ROOT / "web/package-lock.json").read_text()
