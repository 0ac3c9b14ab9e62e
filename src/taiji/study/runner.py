"""Run a study: play the games that its journal lacks, on processes, on Ray or in JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from taiji.arena.journal import JsonJournal
from taiji.arena.pool import WorkerPool
from taiji.study.rows import GameRow
from taiji.study.selfplay import Chunk, play_chunk
from taiji.study.spec import Cell, Study

JOURNAL_NAME = "games.jsonl"
PLAYOUTS_PER_CHUNK = 2_000_000
"""Playouts of one task: about two seconds."""
PLIES_PER_GAME = 40
MAX_GAMES_PER_CHUNK = 50
OnRows = Callable[[list[GameRow]], None]


def open_journal(study: Study, folder: Path) -> JsonJournal[GameRow]:
    """Open the journal of a study; raise `JournalError` if it belongs to another one."""
    return JsonJournal(folder / JOURNAL_NAME, study.fingerprint(), "study", GameRow.from_json)


def missing_games(study: Study, journal: JsonJournal[GameRow]) -> list[tuple[Cell, list[int]]]:
    """Return for each cell the numbers of the games that are not played yet."""
    return [
        (cell, [i for i in range(cell.games) if f"{cell.key} #{i}" not in journal.results])
        for cell in study.cells()
    ]


def run_games(study: Study, pool: WorkerPool, journal: JsonJournal[GameRow], on_rows: OnRows) -> None:
    """Play all missing games; each is on disk before it counts."""
    missing = missing_games(study, journal)
    pooled = [(cell, indices) for cell, indices in missing if not cell.strength.is_batched]
    batched = [(cell, indices) for cell, indices in missing if cell.strength.is_batched and indices]
    play_batches = _load_batches() if batched else None  # first, so that a missing package is named at once
    for _, rows in pool.run(play_chunk, _chunks(study, pooled)):
        on_rows(journal.add_all(rows))
    if play_batches is not None:
        for rows in play_batches(study, batched):
            on_rows(journal.add_all(rows))


def _load_batches() -> Callable[[Study, Sequence[tuple[Cell, list[int]]]], Iterator[list[GameRow]]]:
    from taiji.study.batched import play_batches

    return play_batches


def study_rows(study: Study, rows: Iterable[GameRow]) -> dict[str, list[GameRow]]:
    """Return the rows of each cell in the order of their numbers; rows beyond the study are left out."""
    counts = {cell.key: cell.games for cell in study.cells()}
    by_cell: dict[str, list[GameRow]] = {key: [] for key in counts}
    for row in rows:
        if row.index < counts.get(row.cell, 0):
            by_cell[row.cell].append(row)
    return {key: sorted(played, key=lambda row: row.index) for key, played in by_cell.items()}


def chunk_size(cell: Cell) -> int:
    """Return the number of games of one task."""
    size = PLAYOUTS_PER_CHUNK // (PLIES_PER_GAME * cell.strength.playouts)
    return max(1, min(MAX_GAMES_PER_CHUNK, size))


def _chunks(study: Study, missing: Iterable[tuple[Cell, list[int]]]) -> Iterator[Chunk]:
    for cell, indices in missing:
        size = chunk_size(cell)
        for start in range(0, len(indices), size):
            yield Chunk(cell, study.seed, tuple(indices[start : start + size]), study.random_plies)
