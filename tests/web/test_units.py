"""The web app's own tests: its rules against ours, its catalogues, its parts; and how large it is."""

from __future__ import annotations

import gzip
import re
import subprocess

from tests.web.browser import ROOT


def test_vitest() -> None:
    done = subprocess.run(
        ["npm", "--prefix", "web", "test", "--silent"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"Tests\D+\d+ passed", re.sub(r"\x1b\[\d+m", "", done.stdout))


def test_the_scripts_stay_small() -> None:
    scripts = list((ROOT / "src/taiji/server/static/assets").glob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= 80_000


def test_the_lock_file_names_no_address() -> None:
    assert '"resolved"' not in (ROOT / "web/package-lock.json").read_text()
