"""A checkpoint is whole or refused, and writing one never harms the one before."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from taiji.training import checkpoint
from taiji.training.checkpoint import CheckpointError

TREE = {"params": {"stem": {"w": np.arange(6.0).reshape(2, 3)}}, "mean": np.ones(2, np.float32)}


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "one.tjc"
    checkpoint.save(path, TREE, {"step": 3})
    tree, facts = checkpoint.load(path)
    assert facts == {"step": 3}
    assert np.array_equal(tree["params"]["stem"]["w"], TREE["params"]["stem"]["w"])
    assert tree["mean"].dtype == np.float32
    assert [found.name for found in tmp_path.iterdir()] == ["one.tjc"]


def test_no_part_of_a_checkpoint_is_taken_for_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "one.tjc"
    checkpoint.save(path, TREE, {})
    whole = path.read_bytes()
    for length in (0, 5, 60, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError, match=r"one\.tjc"):
            checkpoint.load(path)
    path.write_bytes(whole[:-9] + b"x" + whole[-8:])
    with pytest.raises(CheckpointError, match="damaged"):
        checkpoint.load(path)


def test_a_change_of_the_facts_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "one.tjc"
    checkpoint.save(path, TREE, {"step": 3})
    path.write_bytes(path.read_bytes().replace(b"step", b"stop"))
    with pytest.raises(CheckpointError, match=r"one\.tjc: damaged"):
        checkpoint.load(path)


def test_a_file_of_the_first_format_is_read_and_a_part_of_it_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.tjc"
    stored = gzip.decompress((Path(__file__).parent / "first-format.tjc.gz").read_bytes())
    path.write_bytes(stored)
    tree, facts = checkpoint.load(path)
    assert facts["name"] == "smallest"
    assert set(tree) == {"params", "first", "second", "mean", "best"}
    for length in (len(checkpoint.MAGIC_1), 60, len(stored) // 2, len(stored) - 1):
        path.write_bytes(stored[:length])
        with pytest.raises(CheckpointError, match=r"one\.tjc: damaged or cut short"):
            checkpoint.load(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"something else")
    with pytest.raises(CheckpointError, match="not a taiji checkpoint"):
        checkpoint.load(tmp_path / "net.onnx")
    np.savez(tmp_path / "arrays.npz", one=np.ones(3))
    with pytest.raises(CheckpointError, match=r"arrays\.npz: not a taiji checkpoint"):
        checkpoint.load(tmp_path / "arrays.npz")
    save_file({"one": np.ones(3)}, tmp_path / "other.safetensors")
    with pytest.raises(CheckpointError, match="a safetensors file, but not a taiji checkpoint"):
        checkpoint.load(tmp_path / "other.safetensors")
    with pytest.raises(CheckpointError, match="missing"):
        checkpoint.load(tmp_path / "missing")


def test_a_failed_write_leaves_the_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.tjc"
    checkpoint.save(path, TREE, {"step": 1})

    def refuse(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(checkpoint.os, "fsync", refuse)
    with pytest.raises(OSError, match="disk full"):
        checkpoint.save(path, TREE, {"step": 2})
    assert checkpoint.load(path)[1] == {"step": 1}
