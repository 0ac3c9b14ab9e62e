"""Sessions for the tests of the terminal, with saves in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from taiji.rules import MatchRule
from taiji.terminal.clocks import TimeControl
from taiji.terminal.opponents import PERSON
from taiji.terminal.saves import Saves
from taiji.terminal.session import Session, Setup
from tests.notation.games import game, random_game

MOMENT = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


def session(
    text: str,
    folder: Path,
    *,
    players: tuple[str, str] = (PERSON, PERSON),
    plies: int = 0,
    seed: int = 1,
    control: TimeControl | None = None,
    match: MatchRule | None = None,
) -> Session:
    """Begin a session and play some moves at random."""
    begun = Session.begin(Setup(game(text), players, control, match), Saves(folder), MOMENT)
    moves, _ = random_game(text, seed, plies)
    for move in moves:
        begun.play(move)
    return begun


class Typist:
    """Types lines, and keeps what is written."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._lines = iter(lines)
        self.written: list[str] = []

    def read(self, prompt: str) -> str | None:
        """Type the next line."""
        self.written.append(prompt)
        return next(self._lines, None)

    def write(self, line: str) -> None:
        """Keep a line."""
        self.written.append(line)

    @property
    def text(self) -> str:
        """Everything that was written."""
        return "\n".join(self.written)
