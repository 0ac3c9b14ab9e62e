"""The journal of a contest: one line per finished game, on disk before it counts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, Any

from taiji.arena.game_task import GameResult

VERSION = 1


class JournalError(ValueError):
    """A file that is not a journal, or the journal of another contest."""


class Journal:
    """A file of JSON lines: the fingerprint of the contest, then each result once.

    An incomplete last line was being written when the process was killed; it is removed, and its game is
    played again.
    """

    def __init__(self, path: Path, fingerprint: dict[str, Any]) -> None:
        self.path = path
        self.results: dict[str, GameResult] = {}
        head = {"taiji-contest": VERSION, **fingerprint}
        if path.exists() and path.stat().st_size:
            self._load(head)
            self._file = path.open("a", encoding="utf-8")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8")
            self._write(head)

    def _load(self, head: dict[str, Any]) -> None:
        raw = self.path.read_bytes()
        complete = raw[: raw.rfind(b"\n") + 1]
        try:
            lines = [json.loads(line) for line in complete.decode("utf-8").splitlines()]
            first, *rest = lines or [None]
            results = [GameResult.from_json(line) for line in rest]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise JournalError(f"{self.path}: not a journal of games: {error}") from error
        if lines and first != json.loads(json.dumps(head)):
            differs = sorted(
                key for key in head if not isinstance(first, dict) or first.get(key) != head[key]
            )
            raise JournalError(
                f"{self.path}: journal of another contest (different {', '.join(differs)}); choose another"
            )
        for result in results:
            self.results.setdefault(result.key, result)
        if len(complete) < len(raw):
            with self.path.open("r+b") as file:
                file.truncate(len(complete))
        if not lines:
            with self.path.open("a", encoding="utf-8") as file:
                _write_line(file, head)

    def add(self, result: GameResult) -> bool:
        """Append a result unless its game is already there; return whether it was added."""
        if result.key in self.results:
            return False
        self._write(result.to_json())
        self.results[result.key] = result
        return True

    def _write(self, line: dict[str, Any]) -> None:
        _write_line(self._file, line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _write_line(file: IO[str], line: dict[str, Any]) -> None:
    file.write(json.dumps(line, separators=(",", ":")) + "\n")
    file.flush()
    os.fsync(file.fileno())
