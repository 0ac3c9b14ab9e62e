"""Nets for the web app: `python -m taiji.nets.page FOLDER` writes each bundled net as one small file.

A file is compressed by gzip, because not every web host compresses. It is the length of a header (4 bytes,
little-endian), the header as JSON, the high bytes of all tensors as float16, and their low bytes: signs and
exponents, which compress well, lie together. The header holds the shapes of the tensors and, for each game
that the net supports, what `NetEncoderSpec` says in the compiled core, so that the page needs no code for
policy layouts. The page finds a game by the hash of its compiled stage without the printed symbols and the
swap.
"""

from __future__ import annotations

import gzip
import json
import struct
import sys
from math import prod
from pathlib import Path
from typing import Any

from taiji.nets.net import Net, bundled_nets, open_net
from taiji.nets.net_file import Tensor, read_net_file
from taiji.rules import Game, bits
from taiji.rules.program_json import program_to_json

SUFFIX = ".net"
_FNV_STARTS = (2166136261, 0x9747B28C)


def stage_key(stage: dict[str, Any]) -> str:
    """Return the hash by which the page finds a stage; `stageKey` of the web app computes the same."""
    rules = {name: value for name, value in stage.items() if name not in {"name", "symbols", "swap_after"}}
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return "".join(f"{_fnv(start, text):08x}" for start in _FNV_STARTS)


def _fnv(state: int, text: bytes) -> int:
    """Return the 32-bit FNV-1a hash; a page without encryption has no stronger one."""
    for byte in text:
        state = (state ^ byte) * 16777619 & 0xFFFFFFFF
    return state


def write_page_net(path: Path, target: Path) -> None:
    """Write a net for the page."""
    net, tensors = open_net(path), read_net_file(path).tensors
    games = [_game(net, game) for game in net.games]
    # Games that differ in scoring only share their policy index.
    indexes = list(dict.fromkeys(game["policy_index"] for game in games))
    header = {
        "name": net.name,
        "value_logit_scale": net.value_logit_scale,
        "tensors": [[name, list(tensor.shape)] for name, tensor in sorted(tensors.items())],
        "policy_indexes": indexes,
        "games": [{**game, "policy_index": indexes.index(game["policy_index"])} for game in games],
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    halves = b"".join(_float16(tensor) for _, tensor in sorted(tensors.items()))
    content = len(text).to_bytes(4, "little") + text + halves[1::2] + halves[::2]
    target.write_bytes(gzip.compress(content, 9, mtime=0))


def _float16(tensor: Tensor) -> bytes:
    values = memoryview(tensor).cast("B").cast("f")
    return struct.pack(f"<{prod(tensor.shape)}e", *values)


def _game(net: Net, game: Game) -> dict[str, Any]:
    program, board = program_to_json(game.compiled), game.stages[0].board
    spec = net.encoder_spec(game)
    names = ("planes", "globals", "kinds", "rule", "rules", "depth", "groups", "ratio", "policy", "swap")
    lists = ("policy_index", "slot_order", "slot_counts")
    return {
        "game": str(game),
        "stage": stage_key(program["stages"][0]),
        "tie_rule": program["tie_rule"],
        "swap_after": program["stages"][0]["swap_after"],
        "board": list(bits(board.cells)),
        **{name: getattr(spec, name) for name in names},
        **{name: tuple(getattr(spec, name)) for name in lists},
    }


def main() -> None:
    """Write every bundled net into the folder that the command line names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for path in bundled_nets():
        write_page_net(path, folder / f"{path.stem}{SUFFIX}")


if __name__ == "__main__":
    main()
