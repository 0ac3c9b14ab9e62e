"""Look for balanced openings: screen many with a short search, confirm the best with a long one and games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from taiji.analysis.explorer.keys import get_keys, key_of
from taiji.arena.custom_game import register_declaration
from taiji.arena.journal import JsonJournal
from taiji.arena.pool import WorkerPool
from taiji.kernel import Search, SearchLimits, get_kernel
from taiji.players.presets import search_preset
from taiji.rules import Game, Seat, parse_game
from taiji.study.estimates import share
from taiji.study.rows import GameRow
from taiji.study.runner import chunk_size
from taiji.study.selfplay import Chunk, play_chunk
from taiji.study.spec import Cell, StudiedGame, Study

SCREEN_NAME = "screening.jsonl"
LIST_NAME = "openings.jsonl"
MAX_SEARCH_BYTES = 256 << 20
BYTES_PER_PLAYOUT = 4096
TRIES_PER_CANDIDATE = 20


@dataclass(frozen=True, slots=True)
class OpeningTask:
    """An opening to search with a number of playouts."""

    game: StudiedGame
    actions: tuple[int, ...]
    playouts: int
    seed: int


@dataclass(frozen=True, slots=True)
class OpeningValue:
    """The result of searching an opening: win probability and margin of seat FIRST, who began as Light."""

    key: str
    actions: tuple[int, ...]
    playouts: int
    win_prob: float
    margin: float

    def to_json(self) -> dict[str, Any]:
        """Return the value as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> OpeningValue:
        """Parse what `to_json` wrote."""
        return cls(**{**data, "actions": tuple(data["actions"])})


def value_key(actions: tuple[int, ...], playouts: int) -> str:
    """Return what identifies a searched opening in the journal."""
    return f"{' '.join(map(str, actions))} {playouts}"


def search_opening(task: OpeningTask) -> OpeningValue:
    """Search the position after an opening; the work of one task."""
    register_declaration(task.game.declaration, task.game.game)
    kernel = get_kernel(parse_game(task.game.game))
    position = kernel.start()
    for action in task.actions:
        position.play(action)
    memory = min(MAX_SEARCH_BYTES, max(8 << 20, task.playouts * BYTES_PER_PLAYOUT))
    search = Search(kernel, replace(search_preset(kernel.game), seed=task.seed, memory=memory))
    result = search.run(position, SearchLimits(playouts=task.playouts))
    sign = 1 if position.seat_to_move is Seat.FIRST else -1
    win_prob = result.win_prob if sign > 0 else 1 - result.win_prob
    key = value_key(task.actions, task.playouts)
    return OpeningValue(key, task.actions, task.playouts, round(win_prob, 5), round(sign * result.margin, 4))


def candidates(game: Game, plies: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Return openings of `plies` placements, one of each class up to symmetry and order of moves.

    If there are more than `most`, a random choice by the seed.
    """
    swap = None if game.swap is None else game.swap.action
    keys, kernel = get_keys(game), get_kernel(game)
    random = Random(f"{seed} openings of {game}")
    classes: dict[int, tuple[int, ...]] = {}
    for actions in _all_or_random(kernel, plies, most, swap, random):
        classes.setdefault(key_of(keys.of_actions(actions)), actions)
        if len(classes) == most:
            break
    return sorted(classes.values())


def _all_or_random(
    kernel: Any, plies: int, most: int, swap: int | None, random: Random
) -> Iterator[tuple[int, ...]]:
    """Yield all openings if they can be listed quickly, in random order; else random ones."""
    if kernel.start().perft(plies) <= most * TRIES_PER_CANDIDATE:
        every: list[tuple[int, ...]] = [()]
        for _ in range(plies):
            every = [(*line, action) for line in every for action in _placements(kernel, line, swap)]
        random.shuffle(every)
        yield from every
        return
    for _ in range(most * TRIES_PER_CANDIDATE):
        line: tuple[int, ...] = ()
        while len(line) < plies and (legal := _placements(kernel, line, swap)):
            line = (*line, random.choice(legal))
        if len(line) == plies and _placements(kernel, line, swap):
            yield line


def _placements(kernel: Any, line: tuple[int, ...], swap: int | None) -> list[int]:
    position = kernel.start()
    for action in line:
        position.play(action)
    return [action for action in position.legal() if action != swap]


class OpeningStudy:
    """A study of openings: three rounds, each resumed from its journal."""

    def __init__(self, study: Study, folder: Path) -> None:
        self.study, self.settings = study, study.openings
        self.entry = study.games[0]
        self.strength = study.strengths[-1]
        self.values: JsonJournal[OpeningValue] = JsonJournal(
            folder / SCREEN_NAME,
            {**study.fingerprint(), "game": self.entry.game, "plies": self.settings.plies},
            "openings",
            OpeningValue.from_json,
        )

    def run(
        self, pool: WorkerPool, journal: JsonJournal[GameRow], on_step: Callable[[str, int, int], None]
    ) -> list[dict[str, Any]]:
        """Screen, confirm and play; return the lines of the list, the most balanced opening first.

        Results decide the order: a search is optimistic for the side that does not win ties.
        """
        game = parse_game(self.entry.game)
        settings = self.settings
        screened = candidates(game, settings.plies, settings.candidates, self.study.seed)
        first = self._search(pool, screened, settings.screen_playouts, "screening", on_step)
        best = sorted(first, key=lambda value: (abs(value.win_prob - 0.5), value.actions))[: settings.keep]
        second = self._search(
            pool, [value.actions for value in best], settings.confirm_playouts, "confirming", on_step
        )
        cells = [Cell(self.entry, self.strength, settings.games, value.actions) for value in second]
        self._play(pool, journal, cells, on_step)
        lines = [self._line(game, value, journal) for value in second]
        return sorted(
            lines, key=lambda line: (abs(line["score"] - 0.5), abs(line["win_prob"] - 0.5), line["moves"])
        )

    def _search(
        self,
        pool: WorkerPool,
        openings: list[tuple[int, ...]],
        playouts: int,
        name: str,
        on_step: Callable[[str, int, int], None],
    ) -> list[OpeningValue]:
        known = self.values.results
        tasks = [
            OpeningTask(self.entry, actions, playouts, Random(f"{self.study.seed} {actions}").getrandbits(32))
            for actions in openings
            if value_key(actions, playouts) not in known
        ]
        done = len(openings) - len(tasks)
        on_step(name, done, len(openings))
        for _, value in pool.run(search_opening, tasks):
            self.values.add(value)
            done += 1
            on_step(name, done, len(openings))
        return [known[value_key(actions, playouts)] for actions in openings]

    def _play(
        self,
        pool: WorkerPool,
        journal: JsonJournal[GameRow],
        cells: list[Cell],
        on_step: Callable[[str, int, int], None],
    ) -> None:
        total = sum(cell.games for cell in cells)
        chunks = []
        for cell in cells:
            missing = [i for i in range(cell.games) if f"{cell.key} #{i}" not in journal.results]
            size = chunk_size(cell)
            chunks += [
                Chunk(cell, self.study.seed, tuple(missing[start : start + size]))
                for start in range(0, len(missing), size)
            ]
        done = total - sum(len(chunk.indices) for chunk in chunks)
        on_step("playing", done, total)
        for _, rows in pool.run(play_chunk, chunks):
            journal.add_all(rows)
            done += len(rows)
            on_step("playing", done, total)

    def _line(self, game: Game, value: OpeningValue, journal: JsonJournal[GameRow]) -> dict[str, Any]:
        cell = Cell(self.entry, self.strength, self.settings.games, value.actions)
        rows = [journal.results[f"{cell.key} #{i}"] for i in range(cell.games)]
        score = share(sum(row.points(Seat.FIRST) for row in rows), len(rows))
        return {
            "game": self.entry.game,
            "moves": [str(game.move(action)) for action in value.actions],
            "win_prob": round(value.win_prob, 4),
            "margin": round(value.margin, 2),
            "games": len(rows),
            "score": round(score.value, 4),
            "interval": [round(score.low, 4), round(score.high, 4)],
        }

    def close(self) -> None:
        """Close the journal."""
        self.values.close()


def write_openings(lines: list[dict[str, Any]], folder: Path) -> Path:
    """Write the list of openings: one JSON object per line."""
    path = folder / LIST_NAME
    draft = path.with_suffix(".draft")
    draft.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    draft.replace(path)
    return path


def read_openings(folder: Path) -> list[dict[str, Any]]:
    """Read the list of openings of a study; empty if there is none."""
    path = folder / LIST_NAME
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
