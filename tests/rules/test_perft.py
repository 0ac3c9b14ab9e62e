"""Perft: the number of move sequences of a given length, compared with the tables in `tests/perft/`.

A table names a game, and perhaps moves to play first, and then lists depths with their counts. The oracle
finds the small ones too, and with TAIJI_SOAK=1 all of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from taiji.rules import GAMES, State, parse_game, perft
from tests.oracle import Oracle
from tests.rules.helpers import play, symbols_text

TABLES = Path(__file__).parent.parent / "perft"
SOAKING = os.environ.get("TAIJI_SOAK") == "1"


class Line(NamedTuple):
    """One line of a table: a game, moves to play first, a depth and a count."""

    game: str
    moves: tuple[str, ...]
    depth: int
    nodes: int

    def __str__(self) -> str:
        return f"{self.game} {len(self.moves)}+{self.depth}"


def read_table(path: Path) -> list[Line]:
    """Read the lines of one table."""
    found: list[Line] = []
    game, moves = "", ()  # type: tuple[str, tuple[str, ...]]
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["game"]:
            game, moves = words[1], ()
        elif words[:1] == ["after"]:
            moves = (*moves, *words[1:])
        elif words:
            found.append(Line(game, moves, int(words[0]), int(words[1])))
    return found


def is_small(line: Line) -> bool:
    """Whether the oracle counts it in no time."""
    return line.depth <= 2 and line.nodes <= 7_000


LINES = [line for path in sorted(TABLES.glob("*.txt")) for line in read_table(path)]


def count(state: State, depth: int, known: dict[tuple[State, int], int]) -> int:
    """Count like `perft`, but every position once: transpositions are equal states."""
    if depth == 1:
        return len(state.legal())
    if (state, depth) not in known:
        known[state, depth] = sum(
            count(state._play_unchecked(move), depth - 1, known) for move in state.legal()
        )
    return known[state, depth]


def count_by_oracle(oracle: Oracle, depth: int) -> int:
    """Count by the naive referee, without any short cut."""
    if depth == 1:
        return len(oracle.legal())
    return sum(count_by_oracle(oracle.after(text), depth - 1) for text in oracle.legal())


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_table_that_begins_with_its_default(name: str) -> None:
    lines = read_table(TABLES / f"{name}.txt")
    assert lines[0] == Line(name, (), 1, len(parse_game(name).start().legal()))
    assert {str(parse_game(line.game)).partition(":")[0] for line in lines} == {name}


@pytest.mark.parametrize("line", LINES, ids=str)
def test_perft_agrees_with_the_table(line: Line) -> None:
    state = play(line.game, *line.moves)
    assert count(state, line.depth, {}) == line.nodes


@pytest.mark.parametrize("line", [line for line in LINES if is_small(line)], ids=str)
def test_the_perft_of_the_package_agrees_with_the_table(line: Line) -> None:
    assert perft(play(line.game, *line.moves), line.depth) == line.nodes


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("line", [line for line in LINES if SOAKING or is_small(line)], ids=str)
def test_the_oracle_agrees_with_the_table(line: Line) -> None:
    state = parse_game(line.game).start()
    symbols = state.current_stage.symbols
    oracle = Oracle(line.game, symbols_text(state.board, symbols.light, symbols.dark) if symbols else None)
    for move in line.moves:
        oracle.play(move)
    assert count_by_oracle(oracle, line.depth) == line.nodes


def test_no_moves_at_all_is_one_sequence() -> None:
    assert perft(parse_game("taiji").start(), 0) == 1
