"""The page's engine was built from the present sources of the core, and is small."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest
from tools import wasm

MAX_GZIP_BYTES = 220_000


def test_the_engine_was_built_from_these_sources() -> None:
    assert wasm.is_current(), "core/ has changed: run make wasm and commit web/src/engine/built"


@pytest.mark.parametrize("name", wasm.MODULES)
def test_the_engine_is_small(name: str) -> None:
    assert len(gzip.compress((wasm.OUT / name).read_bytes(), 9)) <= MAX_GZIP_BYTES


def test_a_changed_source_flag_or_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core, built = tmp_path / "core", tmp_path / "built"
    shutil.copytree(wasm.CORE, core)
    shutil.copytree(wasm.OUT, built)
    monkeypatch.setattr(wasm, "CORE", core)
    monkeypatch.setattr(wasm, "OUT", built)
    source = core / "position.hpp"
    text = source.read_text()
    source.write_text(text + "\n")
    assert not wasm.is_current()
    source.write_text(text)
    known = json.loads((built / "built.json").read_text())
    (built / "built.json").write_text(json.dumps({**known, "zig": "0.0.0"}))
    assert not wasm.is_current()
    (built / "built.json").write_text(json.dumps(known))
    (built / "taiji.wasm").write_bytes(b"")
    assert not wasm.is_current()
