"""The log of a tournament: append-only, one line per event, on disk before it counts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from taiji.arena.system import lock_file
from taiji.arena.tournaments.events import Created, Event, event_from_json, event_to_json
from taiji.arena.tournaments.models import TournamentError, TournamentSettings
from taiji.arena.tournaments.tournament import Tournament

VERSION = 1


def now() -> str:
    """Return the current time as the log writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Log:
    """The file of a tournament; `tournament` is always its state after the last event.

    An exclusive lock is held while the file is open. An incomplete last line was being written when the
    program was killed and was never acknowledged; it is moved to a file `….torn`.
    """

    def __init__(self, path: Path, clock: Callable[[], str] = now) -> None:
        self.path = path
        self.events: list[Event] = []
        self.times: list[str] = []
        self._clock = clock
        self._file = path.open("r+b")
        try:
            lock_file(self._file.fileno(), wait=True)
            self._read()
        except BaseException:
            self._file.close()
            raise
        self.tournament = Tournament.of(self.events)

    @classmethod
    def create(cls, path: Path, settings: TournamentSettings, clock: Callable[[], str] = now) -> Log:
        """Create a tournament in a new file."""
        line = _line(clock(), Created(settings), {"taiji-tournament": VERSION})
        try:
            with path.open("xb") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            raise TournamentError(f"{path} exists: a tournament is never overwritten") from None
        return cls(path, clock)

    def _read(self) -> None:
        raw = self._file.read()
        end = raw.rfind(b"\n") + 1
        for number, line in enumerate(raw[:end].splitlines(), 1):
            try:
                data = json.loads(line)
                if number == 1 and data.get("taiji-tournament") != VERSION:
                    raise TournamentError("not a tournament of this version")
                self.events.append(event_from_json(data))
                self.times.append(str(data.get("at", "")))
            except (ValueError, AttributeError, RecursionError) as error:
                raise TournamentError(f"{self.path}, line {number}: {error}") from error
        if end < len(raw):
            with Path(f"{self.path}.torn").open("ab") as torn:
                torn.write(raw[end:] + b"\n")
            self._file.truncate(end)
        self._file.seek(end)

    def add(self, event: Event) -> Tournament:
        """Check an event, append it, and return the tournament after it."""
        after = self.tournament.after(event)
        at = self._clock()
        self._file.write(_line(at, event))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.events.append(event)
        self.times.append(at)
        self.tournament = after
        return after

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _line(at: str, event: Event, more: dict[str, Any] | None = None) -> bytes:
    data = {**(more or {}), "at": at, **event_to_json(event)}
    return (json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
