"""A study from its folder to its report: start or resume it, play what is missing, write data and page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from taiji.arena.pool import WorkerPool
from taiji.study.markdown import study_markdown
from taiji.study.openings import OpeningStudy, read_openings, write_openings
from taiji.study.page import write_page
from taiji.study.rows import GameRow
from taiji.study.runner import open_journal, run_games, study_rows
from taiji.study.spec import Study
from taiji.study.spec_file import SPEC_NAME, read_study, write_study
from taiji.study.summary import StudySummary, summarise_study, write_summary

MARKDOWN_NAME = "report.md"
OnStep = Callable[[str, int, int], None]
"""Receives what is being done, how many are done, and how many there are."""


def stored_study(study: Study, folder: Path, *, keep_count: bool) -> Study | None:
    """Return the study of a folder if it is this one, else None.

    With `keep_count` the number of games does not matter, and that of the folder counts.
    """
    path = folder / SPEC_NAME
    if not path.is_file():
        return None
    stored = read_study(path)
    wanted = replace(study, count=stored.count) if keep_count else study
    return stored if stored == wanted else None


def run_study(study: Study, folder: Path, pool: WorkerPool, on_step: OnStep) -> StudySummary:
    """Play the missing games of a study; the folder may hold an earlier, interrupted run."""
    folder.mkdir(parents=True, exist_ok=True)
    journal = open_journal(study, folder)
    try:
        write_study(study, folder)
        if study.kind == "openings":
            openings = OpeningStudy(study, folder)
            try:
                write_openings(openings.run(pool, journal, on_step), folder)
            finally:
                openings.close()
        else:
            total = study.total()
            done = sum(len(rows) for rows in study_rows(study, journal.results.values()).values())
            on_step("playing", done, total)

            def on_rows(rows: list[GameRow]) -> None:
                nonlocal done
                done += len(rows)
                on_step("playing", done, total)

            run_games(study, pool, journal, on_rows)
        return summarise_study(study, journal.results.values(), read_openings(folder))
    finally:
        journal.close()


def load_summary(folder: Path) -> StudySummary:
    """Return the summary of the games in a study's folder; raise `SpecError` if it is not one."""
    study = read_study(folder / SPEC_NAME)
    journal = open_journal(study, folder)
    journal.close()
    return summarise_study(study, journal.results.values(), read_openings(folder))


def write_reports(summary: StudySummary, folder: Path, command: str = "") -> list[Path]:
    """Write `summary.json`, `index.html` and `report.md`; return their paths."""
    markdown = folder / MARKDOWN_NAME
    markdown.write_text(study_markdown(summary), encoding="utf-8")
    return [write_summary(summary, folder), write_page(summary, folder, command), markdown]


def write_parquet(summary: StudySummary, folder: Path, path: Path) -> None:
    """Write the games of a study as Parquet, one row per game; this needs pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    journal = open_journal(summary.study, folder)
    journal.close()
    by_cell = study_rows(summary.study, journal.results.values())
    rows = [row.to_json() for played in by_cell.values() for row in played] or [
        row.to_json() for row in journal.results.values()
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
