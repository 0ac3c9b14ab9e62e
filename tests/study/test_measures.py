"""What a study reads out of games, on games made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taiji.study.measures import (
    best_komi,
    branching_curve,
    decided_at,
    histogram,
    lead_changes,
    smoothed,
    summarise,
)
from taiji.study.rows import GameRow

ROW = GameRow(
    cell="x",
    index=0,
    game="x",
    opening=0,
    actions=(1, 2, 3),
    choices=(9, 5, 1),
    win=(600, 400, 900),
    scores=(3.0, 2.0),
    winner=0,
    starter=0,
    swapped=False,
)


def test_a_swap_exchanges_colours_but_not_seats() -> None:
    row = replace(ROW, swapped=True)
    assert (ROW.margin, row.margin) == (1, -1)
    assert (ROW.light_points, row.light_points) == (1, 0)
    assert row.starter_points == 1
    assert replace(ROW, starter=1).starter_points == 0
    assert replace(ROW, winner=None).starter_points == 0.5


def test_rows_survive_json() -> None:
    assert GameRow.from_json(ROW.to_json()) == ROW


def test_both_players_estimates_are_averaged() -> None:
    assert smoothed(ROW) == [0.5, 0.65]
    assert smoothed(replace(ROW, win=(None, 500, 700))) == [0.6]


@pytest.mark.parametrize(
    ("chances", "changes"),
    [([], 0), ([0.7, 0.3, 0.7], 2), ([0.7, 0.55, 0.45, 0.7], 0), ([0.5, 0.2], 0), ([0.61, 0.5, 0.39], 1)],
)
def test_lead_changes(chances: list[float], changes: int) -> None:
    assert lead_changes(chances) == changes


def test_decided_at() -> None:
    assert decided_at([0.5, 0.95, 0.8, 0.95], winner=0) == 0.75
    assert decided_at([0.05, 0.05], winner=1) == 0
    assert decided_at([0.6, 0.6], winner=0) == 1


def test_the_best_komi_leaves_no_tie() -> None:
    margins = [-3.0, -1.0, -1.0, 0.0, 2.0, 4.0]
    komi, light = best_komi(margins, 0.5)
    assert (komi, light.value) == (0.5, 0.5)
    assert best_komi([0.5, 1.0, -2.0], -0.5)[0] % 0.5 == 0.25


def test_histogram_counts_every_game() -> None:
    for values in ([0.0], [1.0, 2.0, 2.0], [0.5, 1.0], [float(v * v) for v in range(300)]):
        bars = histogram(values)
        assert sum(count for _, count in bars) == len(values)
        assert len(bars) <= 24
    assert histogram([1.0, 2.0, 2.0]) == [(1.0, 1), (2.0, 2)]


def test_summary_of_a_cell() -> None:
    rows = [
        ROW,
        replace(ROW, index=1, scores=(2.0, 2.0), winner=1, actions=(1, 2)),
        replace(ROW, index=2),
        replace(ROW, index=3, scores=(1.0, 4.0), winner=1),
    ]
    summary = summarise("x", "mcts", 100, rows, seed=1)
    values = {name: None if e is None else e.value for name, e in summary.estimates.items()}
    assert values["starter"] == values["light"] == 0.5
    assert (values["ties"], values["margin"], values["abs_margin"]) == (0.25, -0.25, 1.25)
    assert (values["length"], values["branching"]) == (2.75, 5)
    assert (summary.games, summary.different) == (4, 2)
    assert branching_curve(rows)[0] == 9
    swapped = summarise("x", "mcts", 100, [replace(ROW, swapped=True)], seed=1)
    assert swapped.estimates["komi"] is None
    assert swapped.to_json()["half_point_komi"] is None
