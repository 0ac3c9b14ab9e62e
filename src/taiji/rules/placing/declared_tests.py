"""Declared tests: rules of placing in the compiled form itself, so that a declaration can add a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from taiji.rules.errors import GameError
from taiji.rules.geometry import Adjacency, Board, UnknownCell
from taiji.rules.placing.base import PlacingRule, placing_rule
from taiji.rules.program import (
    Around,
    Cells,
    Counts,
    Each,
    Fixed,
    Pick,
    Plane,
    Region,
    Test,
    Under,
    When,
    Why,
)
from taiji.rules.tables import TomlTable, check_keys, read_choice, read_enum, read_typed

MAX_TESTS = 16
MAX_SETS = 256
MAX_TEXT_CHARS = 200
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_WHY_KEYS = {"text", "names", "pick", "word", "mark"}
_KEYS = {"name", "plane", "region", "adjacency", "cells", "sets", "blocks", "counts", "when", *_WHY_KEYS}


@placing_rule
@dataclass(frozen=True)
class DeclaredTests(PlacingRule):
    """Tests as they were declared."""

    key = "test"

    tests: tuple[Test, ...]

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        """Read the tables of `[[rules.test]]`."""
        if not isinstance(value, list) or len(value) > MAX_TESTS:
            raise GameError(f"test: invalid (expected a list of at most {MAX_TESTS} tables)")
        return cls(tuple(_read_test(table, board) for table in value))

    def lower(self, board: Board) -> tuple[Test, ...]:
        """Return the tests."""
        return self.tests


def _read_test(table: object, board: Board) -> Test:
    if not isinstance(table, Mapping):
        raise GameError(f"test: invalid (expected a list of at most {MAX_TESTS} tables)")
    check_keys(table, _KEYS, "test")
    name = read_typed(table, "name", str)
    if not _NAME.fullmatch(name):
        raise GameError(
            f"name {name[:40]!r}: invalid "
            "(expected at most 40 lower-case letters, digits and -, a letter first)"
        )
    return Test(
        name,
        read_enum(table, "plane", Plane),
        _read_region(table, board),
        _read_counts(read_typed(table, "counts", list)),
        _read_why(table, name),
        read_enum(table, "when", When, When.ALWAYS),
    )


def _read_region(table: TomlTable, board: Board) -> Region:
    region = read_choice(table, "region", ("under", "around", "fixed", "each"))
    if region == "under":
        return Under()
    if region == "around":
        return Around(read_enum(table, "adjacency", Adjacency, Adjacency.EDGE))
    if region == "fixed":
        return Fixed(_read_cells("cells", read_typed(table, "cells", list), board))
    sets = [_read_cells("sets", cells, board) for cells in read_typed(table, "sets", list, [])]
    if "blocks" in table:
        width, height = _read_integers("blocks", table["blocks"], 2)
        if min(width, height) < 1:
            raise GameError("blocks: invalid (expected a width and a height, such as [2, 2])")
        sets += board.blocks(width, height)
    if not 1 <= len(sets) <= MAX_SETS:
        raise GameError(f"sets: invalid (expected 1 to {MAX_SETS} lists of cells, or blocks = [wide, high])")
    return Each(tuple(sets))


def _read_cells(key: str, names: object, board: Board) -> int:
    if not isinstance(names, list):
        raise GameError(f"{key}: invalid (expected lists of cells)")
    try:
        return board.mask(map(str, names))
    except UnknownCell as error:
        raise GameError(f"{key}: {error}") from error


def _read_counts(pairs: list[object]) -> Counts:
    if not pairs:
        raise GameError("counts: invalid (expected ranges, such as [[1, -1]])")
    return Counts(tuple((low, high) for low, high in (_read_integers("counts", pair, 2) for pair in pairs)))


def _read_integers(key: str, value: object, count: int) -> list[int]:
    if isinstance(value, list) and len(value) == count and all(type(number) is int for number in value):
        return value
    raise GameError(f"{key}: invalid (expected {count} integers, such as {list(range(1, count + 1))})")


def _read_why(table: TomlTable, name: str) -> Why:
    text = read_typed(table, "text", str, f"is forbidden by the rule {name}")
    word = read_typed(table, "word", str, "")
    if max(len(text), len(word)) > MAX_TEXT_CHARS:
        raise GameError(f"text and word: invalid (expected at most {MAX_TEXT_CHARS} characters)")
    cells = read_enum(table, "names", Cells, Cells.HITS)
    pick = read_enum(table, "pick", Pick, Pick.ALL)
    return Why(name, text, cells, pick, word, read_enum(table, "mark", Cells, cells))
