"""Unfinished games, saved after every move so that a killed process or closed terminal loses none.

A save is a file of records that `taiji replay` and `taiji render` can read: the finished games of a match
and, last, the current game. Tags hold the players and the clocks.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from taiji.arena.system import lock_file
from taiji.notation import NotationError, Record, Result, format_record, read_records
from taiji.notation.wording import counted
from taiji.rules import GameError, game_from_toml, register

SUFFIX = ".tji"
LOCK_SUFFIX = ".lock"
BROKEN_SUFFIX = ".broken"
"""The suffix added to a save that cannot be read."""
FINISHED = "games.tji"
"""The file to which finished games are appended."""
GAME_FILE = "GameFile"
"""The tag with the path of a custom game's declaration."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A save that can be resumed: its file and its records, the unfinished one last."""

    path: Path
    records: tuple[Record, ...]

    time: float
    """When it was written, in seconds since the epoch."""

    @property
    def is_over(self) -> bool:
        """Return whether the game is over: the process ended after the last move, but before it was filed."""
        record = self.records[-1]
        more = bool(record.tag("Match")) and len(self.records) == 1
        return record.result is not Result.OPEN and not more

    @property
    def title(self) -> str:
        """Return a one-line description."""
        record = self.records[-1]
        date = datetime.fromtimestamp(self.time).astimezone()
        players = f"{record.tag('Light', '?')} – {record.tag('Dark', '?')}"
        moves = counted(len(record.steps), "move")
        return f"{record.game}, {players}, {moves}, {date:%Y-%m-%d %H:%M}"


def data_folder() -> Path:
    """Return the folder for user data of this program."""
    base = os.environ.get("XDG_DATA_HOME", "")
    # The XDG standard says to ignore a path that is not absolute.
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "taiji"


@dataclass
class Saves:
    """The saves in a folder; `warnings` collects messages for the user."""

    folder: Path = field(default_factory=data_folder)
    warnings: list[str] = field(default_factory=list)
    _locks: dict[Path, int] = field(default_factory=dict)

    def new_path(self, game: str, now: datetime) -> Path:
        """Return the path for a new game that no other process uses."""
        name = "".join(c if c.isalnum() else "-" for c in game)[:40].strip("-")
        return self.folder / "saves" / f"{now:%Y%m%d-%H%M%S}-{os.getpid()}-{name}{SUFFIX}"

    def write(self, path: Path, records: list[Record]) -> bool:
        """Write a save atomically; return False, with a warning, if that fails."""
        text = "\n".join(format_record(record) for record in records)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(f".{os.getpid()}.new")
            with fresh.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except OSError as error:
            self._warn(f"The game cannot be saved in {path.parent}: {error.strerror or error}.")
            return False
        return True

    def lock(self, path: Path) -> bool:
        """Lock a save for this process; return False if another process holds the lock."""
        if path in self._locks:
            return True
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(path.with_suffix(LOCK_SUFFIX), os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return True  # nothing can be written, so there is nothing to protect
        try:
            lock_file(lock, wait=False)
        except OSError:
            os.close(lock)
            return False
        self._locks[path] = lock
        return True

    def unlock(self, path: Path) -> None:
        """Release the lock of a save."""
        lock = self._locks.pop(path, None)
        if lock is not None:
            path.with_suffix(LOCK_SUFFIX).unlink(missing_ok=True)
            os.close(lock)

    def unfinished(self) -> list[Saved]:
        """Return the saves that no process uses, newest first; set broken ones aside with a warning."""
        unfinished = []
        for path in (self.folder / "saves").glob(f"*{SUFFIX}"):
            if path in self._locks or not self.lock(path):
                continue
            saved = self.read(path)
            if saved is not None and saved.is_over:
                self.finish(path, list(saved.records))
            elif saved is not None:
                unfinished.append(saved)
            self.unlock(path)
        return sorted(unfinished, key=lambda saved: saved.time, reverse=True)

    def read(self, path: Path) -> Saved | None:
        """Read one save; return None, with a warning, if it cannot be read."""
        try:
            text = path.read_text("utf-8")
            self._register_game(text)
            records = tuple(read_records(io.StringIO(text)))
            if not records:
                raise NotationError("no games found")  # noqa: TRY301 - all errors are handled below
        except OSError as error:
            self._warn(f"The saved game {path} cannot be opened: {error.strerror or error}.")
            return None
        except (NotationError, GameError, UnicodeDecodeError) as error:
            self._set_aside(path, error)
            return None
        return Saved(path, records, path.stat().st_mtime)

    def finish(self, path: Path, records: list[Record]) -> None:
        """Append finished games to the file of finished games and remove their save."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with (self.folder / FINISHED).open("a", encoding="utf-8") as file:
                file.writelines(format_record(record) + "\n" for record in records)
            path.unlink(missing_ok=True)
        except OSError as error:
            self._warn(f"The finished game cannot be stored in {self.folder}: {error.strerror or error}.")

    def _register_game(self, text: str) -> None:
        """Register the custom game of a save, if its declaration still exists."""
        marker = f'[{GAME_FILE} "'
        for line in text.splitlines():
            if line.startswith(marker):
                path = Path(
                    line.removeprefix(marker).removesuffix('"]').replace('\\"', '"').replace("\\\\", "\\")
                )
                if path.is_file():
                    register(game_from_toml(path.read_text("utf-8-sig")))

    def _set_aside(self, path: Path, error: Exception) -> None:
        aside = path.with_name(path.name + BROKEN_SUFFIX)
        try:
            path.replace(aside)
        except OSError:
            aside = path
        self._warn(f"A saved game cannot be read and was renamed to {aside}: {error}.")

    def _warn(self, sentence: str) -> None:
        if sentence not in self.warnings:
            self.warnings.append(sentence)
