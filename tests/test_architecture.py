"""The architecture page is true: its files exist, a path enters each layer once, the picture is complete."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest

from tests.test_layers import LAYERS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text()
HOP = re.compile(r"^\| `([a-z/]+)` \| `([^`]+)` \|", re.MULTILINE)
PATHS = ["A move, from click to screen", "An analysis", "A proof", "A record", "A training run", "A study"]


def sections() -> dict[str, str]:
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def tables(section: str) -> list[list[tuple[str, str]]]:
    """The hops of each table of a section: layer and file."""
    blocks = section.split("\n\n")
    return [hops for block in blocks if (hops := HOP.findall(block))]


def owner(file: str) -> str:
    """The layer of a file; a package of the server is a layer of its own."""
    parts = Path(file).parts
    if parts[:2] != ("src", "taiji"):
        return parts[0]
    return "/".join(parts[2:4]) if parts[2] == "server" else parts[2]


@pytest.mark.parametrize("title", PATHS)
def test_every_hop_is_in_the_layer_that_it_names(title: str) -> None:
    hops = [hop for table in tables(sections()[title]) for hop in table]
    assert len(hops) > 5
    assert [file for layer, file in hops if not (ROOT / file).is_file()] == []
    assert [hop for hop in hops if owner(hop[1]) != hop[0]] == []


@pytest.mark.parametrize("title", PATHS)
def test_a_path_enters_each_layer_once(title: str) -> None:
    for table in tables(sections()[title]):
        entered = [layer for layer, _ in groupby(layer for layer, _ in table)]
        assert len(entered) == len(set(entered)), entered


def test_every_file_that_the_page_names_exists() -> None:
    files = re.findall(r"`((?:src|web|core|tests)/[\w./-]+\.\w+)`", PAGE)
    assert len(files) > 40
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_the_picture_shows_every_layer_from_top_to_bottom() -> None:
    picture = (ROOT / "docs" / "layers.svg").read_text()
    drawn = re.findall(r'class="layer">.*?font-weight="bold"[^>]*>(\w+)<', picture)
    assert tuple(reversed(drawn)) == LAYERS
    alt = re.search(r"!\[(.+)\]\(layers\.svg\)", PAGE)
    assert alt is not None
    assert [layer for layer in LAYERS if layer not in alt[1]] == []
