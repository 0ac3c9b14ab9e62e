"""In Chromium the engine's random games, searches and solutions equal those of the native core.

Node.js runs the same comparison in web/test/core.test.ts, with the other tests.
"""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pytest
from tools import wasm
from web.test.native import GAMES, native

from tests.web.browser import ROOT, PageUser


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Bundle the comparison for a page."""
    target = tmp_path_factory.mktemp("compare") / "compare.js"
    bundler = ROOT / "web/node_modules/.bin/rolldown"
    command = [bundler, "test/chromium.ts", "--platform", "browser", "--format", "iife", "--file", target]
    subprocess.run(command, cwd=ROOT / "web", check=True, stdout=subprocess.DEVNULL)
    return Path(target).read_text()


@pytest.mark.slow
def test_random_games_and_searches_are_equal(user: PageUser, script: str) -> None:
    expected = json.loads(json.dumps([native(text) for text in GAMES]))
    assert sum(len(one["searches"]) for one in expected) >= 100
    assert all(one["random_games"] >= 1000 for one in expected)
    user.page.evaluate(script)
    module = base64.b64encode((wasm.OUT / "taiji-simd.wasm").read_bytes()).decode()
    found = user.page.evaluate("([wasm, native]) => compare(wasm, native)", [module, expected])
    for ours, theirs in zip(expected, found, strict=True):
        assert theirs == ours
