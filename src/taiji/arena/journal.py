"""The journal of a contest: a line a finished game, on disk before it counts, so a kill loses nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, Any

from taiji.arena.game_task import GameResult

VERSION = 1


class JournalError(ValueError):
    """A journal that belongs to another contest or is no journal."""


class Journal:
    """A file of JSON lines: first what the contest is, then each result once.

    A last line without its end was being written when the process died: it is cut off, its game played again.
    """

    def __init__(self, path: Path, contest: dict[str, Any]) -> None:
        self.path = path
        self.results: dict[str, GameResult] = {}
        head = {"taiji-contest": VERSION, **contest}
        if path.exists() and path.stat().st_size:
            self._load(head)
            self._file = path.open("a", encoding="utf-8")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8")
            self._write(head)

    def _load(self, head: dict[str, Any]) -> None:
        raw = self.path.read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        try:
            lines = [json.loads(line) for line in whole.decode("utf-8").splitlines()]
            found, *rest = lines or [None]
            results = [GameResult.from_json(line) for line in rest]
        except (ValueError, TypeError, KeyError) as error:
            raise JournalError(f"{self.path} is no journal of games: {error}") from error
        if lines and found != json.loads(json.dumps(head)):
            differs = sorted(
                key for key in head if not isinstance(found, dict) or found.get(key) != head[key]
            )
            raise JournalError(
                f"{self.path} holds another contest (it differs in {', '.join(differs)}); give another file"
            )
        for result in results:
            self.results.setdefault(result.key, result)
        if len(whole) < len(raw):
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        if not lines:
            with self.path.open("a", encoding="utf-8") as file:
                _write_line(file, head)

    def add(self, result: GameResult) -> bool:
        """Write a result down, unless its game is there already; tell whether it counted."""
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
