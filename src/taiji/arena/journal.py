"""The journal of a contest or a study: one line per finished game, on disk before it counts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any, Generic, Protocol, TypeVar

from taiji.arena.game_task import GameResult

VERSION = 1


class JournalError(ValueError):
    """A file that is not a journal, or the journal of another contest."""


class Keyed(Protocol):
    """A result with a key that identifies its game."""

    @property
    def key(self) -> str:
        """The key of the game."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        ...


ResultT = TypeVar("ResultT", bound=Keyed)


class JsonJournal(Generic[ResultT]):
    """A file of JSON lines: the fingerprint of what is played, then each result once.

    An incomplete last line was being written when the process was killed; it is removed, and its game is
    played again.
    """

    def __init__(
        self, path: Path, fingerprint: dict[str, Any], kind: str, parse: Callable[[dict[str, Any]], ResultT]
    ) -> None:
        self.path = path
        self.results: dict[str, ResultT] = {}
        self._kind, self._parse = kind, parse
        head = {f"taiji-{kind}": VERSION, **fingerprint}
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
            results = [self._parse(line) for line in rest]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise JournalError(f"{self.path}: not a journal of games: {error}") from error
        if lines and first != json.loads(json.dumps(head)):
            known = first if isinstance(first, dict) else {}
            differs = sorted(key for key in {*head, *known} if known.get(key) != head.get(key))
            raise JournalError(
                f"{self.path}: journal of another {self._kind} "
                f"(different {', '.join(differs)}); choose another"
            )
        for result in results:
            self.results.setdefault(result.key, result)
        if len(complete) < len(raw):
            with self.path.open("r+b") as file:
                file.truncate(len(complete))
        if not lines:
            with self.path.open("a", encoding="utf-8") as file:
                _write_lines(file, head)

    def add(self, result: ResultT) -> bool:
        """Append a result unless its game is already there; return whether it was added."""
        return bool(self.add_all([result]))

    def add_all(self, results: Iterable[ResultT]) -> list[ResultT]:
        """Append the results whose games are not there yet, with one write to the disk; return them."""
        new = {result.key: result for result in results if result.key not in self.results}
        if new:
            self._write(*(result.to_json() for result in new.values()))
            self.results |= new
        return list(new.values())

    def _write(self, *lines: dict[str, Any]) -> None:
        _write_lines(self._file, *lines)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Journal(JsonJournal[GameResult]):
    """The journal of a contest."""

    def __init__(self, path: Path, fingerprint: dict[str, Any]) -> None:
        super().__init__(path, fingerprint, "contest", GameResult.from_json)


def _write_lines(file: IO[str], *lines: dict[str, Any]) -> None:
    file.write("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    file.flush()
    os.fsync(file.fileno())
