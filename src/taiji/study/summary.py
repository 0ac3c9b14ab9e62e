"""The result of a study as data: `summary.json`, which the page and the web app show."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taiji import __version__
from taiji.rules import Colour, parse_game
from taiji.study.estimates import Estimate, difference
from taiji.study.measures import ESTIMATES, CellSummary, summarise
from taiji.study.rows import GameRow
from taiji.study.runner import study_rows
from taiji.study.spec import StudiedGame, Study

SUMMARY_NAME = "summary.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game of the study with its cells, weakest strength first."""

    entry: StudiedGame
    light: str
    dark: str
    starts: str
    """The colour that moves first, `light` or `dark`."""
    has_swap: bool
    cells: tuple[CellSummary, ...]

    @property
    def strongest(self) -> CellSummary:
        """The cell with the most playouts."""
        return max(self.cells, key=lambda cell: cell.playouts)

    def to_json(self) -> dict[str, Any]:
        """Return the game as JSON."""
        entry = self.entry
        return {
            "game": entry.game,
            "label": entry.name,
            "boards": entry.boards,
            "winner": entry.winner,
            "note": entry.note,
            "light": self.light,
            "dark": self.dark,
            "starts": self.starts,
            "swap": self.has_swap,
            "cells": [cell.to_json() for cell in self.cells],
        }


@dataclass(frozen=True, slots=True)
class StudySummary:
    """All games of a study."""

    study: Study
    games: tuple[GameSummary, ...]
    openings: tuple[dict[str, Any], ...] = ()
    """The lines of the list of openings."""

    @property
    def played(self) -> int:
        """The number of games played."""
        return sum(cell.games for game in self.games for cell in game.cells)

    @property
    def is_complete(self) -> bool:
        """Whether every game of the study is played."""
        return self.played == self.study.total() or self.study.kind == "openings"

    def differences(self) -> list[dict[str, Any]]:
        """Return the second game minus the first at each strength, for a comparison."""
        if self.study.kind != "compare" or len(self.games) != 2:
            return []
        first, second = self.games
        rows = []
        for a, b in zip(first.cells, second.cells, strict=False):
            values: dict[str, Estimate | None] = {}
            for name in ESTIMATES:
                one, two = a.estimates[name], b.estimates[name]
                values[name] = None if one is None or two is None else difference(two, one)
            rows.append(
                {
                    "strength": a.strength,
                    "playouts": a.playouts,
                    **{name: None if value is None else value.to_json() for name, value in values.items()},
                }
            )
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return the summary as JSON."""
        study = self.study
        return {
            "taiji-study-summary": VERSION,
            "program": __version__,
            "kind": study.kind,
            "title": study.title,
            "seed": study.seed,
            "random_plies": study.random_plies,
            "played": self.played,
            "complete": self.is_complete,
            "strengths": [{"player": s.player, "playouts": s.playouts} for s in study.strengths],
            "games": [game.to_json() for game in self.games],
            **({"differences": lines} if (lines := self.differences()) else {}),
            **({"openings": list(self.openings)} if self.openings else {}),
        }


def summarise_study(
    study: Study, rows: Iterable[GameRow], openings: Iterable[dict[str, Any]] = ()
) -> StudySummary:
    """Return the summary of the games played so far; cells without a game are left out."""
    by_cell = study_rows(study, rows)
    games = []
    for entry in study.games:
        cells = [cell for cell in study.cells() if cell.game == entry]
        summaries = [
            summarise(
                entry.game,
                cell.strength.player,
                cell.strength.playouts,
                by_cell[cell.key],
                cell.game_seed(study.seed, 0),
            )
            for cell in cells
            if by_cell[cell.key]
        ]
        if summaries:
            game = parse_game(entry.board_game(0))
            starts = game.stages[0].first_colour
            games.append(
                GameSummary(
                    entry,
                    game.colour_names.of(Colour.LIGHT),
                    game.colour_names.of(Colour.DARK),
                    "light" if starts is Colour.LIGHT else "dark",
                    game.swap is not None,
                    tuple(summaries),
                )
            )
    return StudySummary(study, tuple(games), tuple(openings))


def write_summary(summary: StudySummary, folder: Path) -> Path:
    """Write `summary.json`: one line per cell, so that two runs can be compared line by line."""
    path = folder / SUMMARY_NAME
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(summary.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)
    return path
