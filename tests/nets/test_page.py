"""Nets for the page: small, complete, and close to the bundled ones."""

from __future__ import annotations

import gzip
import json
import struct
from math import prod
from pathlib import Path

import pytest

from taiji.nets.net import bundled_nets, open_net
from taiji.nets.net_file import read_net_file
from taiji.nets.page import stage_key, write_page_net
from taiji.rules import parse_game
from taiji.rules.program_json import program_to_json

MAX_BYTES = 1_000_000
MAX_RELATIVE_ERROR = 2**-11
MIN_STEP = 2**-24


@pytest.mark.parametrize("path", bundled_nets(), ids=lambda path: path.stem)
def test_a_net_for_the_page_is_small_and_holds_every_weight(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.net"
    write_page_net(path, target)
    assert target.stat().st_size <= MAX_BYTES
    data = gzip.decompress(target.read_bytes())
    start = 4 + int.from_bytes(data[:4], "little")
    header = json.loads(data[4:start])
    count = (len(data) - start) // 2
    halves = bytearray(2 * count)
    halves[1::2], halves[::2] = data[start : start + count], data[start + count :]
    at = 0
    known = read_net_file(path).tensors
    assert {name for name, _ in header["tensors"]} == set(known)
    for name, shape in header["tensors"]:
        values = struct.unpack_from(f"<{prod(shape)}e", halves, at)
        at += 2 * prod(shape)
        exact = memoryview(known[name]).cast("B").cast("f")
        assert all(
            abs(half - full) <= MAX_RELATIVE_ERROR * abs(full) + MIN_STEP
            for half, full in zip(values, exact, strict=True)
        )
    assert at == len(halves)
    assert [game["game"] for game in header["games"]] == [str(game) for game in open_net(path).games]


def test_the_key_of_a_stage_ignores_symbols_and_nothing_else() -> None:
    def key(text: str) -> str:
        return stage_key(program_to_json(parse_game(text).compiled)["stages"][0])

    assert key("battle-of-lits") == key("battle-of-lits:board=2")
    assert key("battle-of-lits") != key("battle-of-lits:size=8")
    assert key("taiji") != key("taiji:groups=1")
