"""The page of a study: self-contained, valid, readable without colours and without sight."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from taiji.arena import InlinePool
from taiji.study import Strength, StudiedGame, Study
from taiji.study.estimates import Estimate
from taiji.study.markdown import study_markdown
from taiji.study.page import study_page
from taiji.study.plots import DotRow, bar_plot, curve_plot, dot_plot, ticks
from taiji.study.studies import run_study
from taiji.study.summary import StudySummary, summarise_study

VOID = {"meta", "br", "img"}


class Balance(HTMLParser):
    """Checks that every element is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> StudySummary:
    games = (
        StudiedGame("taiji:size=4", "4×4 & <b>", winner="dark", note="mirror theorem"),
        StudiedGame("battle-of-lits:size=5", boards=2),
    )
    study = Study("balance", games, (Strength(playouts=5), Strength(playouts=9)), count=6, title="A & B")
    return run_study(study, tmp_path_factory.mktemp("page"), InlinePool(), lambda *_: None)


def test_the_page_is_self_contained_and_closed(summary: StudySummary) -> None:
    page = study_page(summary, "taiji study run x.toml")
    parser = Balance()
    parser.feed(page.removeprefix("<!doctype html>"))
    assert parser.open == []
    assert "http" not in page
    assert "<script" not in page
    assert "prefers-color-scheme: dark" in page
    assert "taiji study run x.toml" in page
    assert "4×4 &amp; &lt;b&gt;" in page
    assert "<b>" not in page


def test_every_plot_has_a_text(summary: StudySummary) -> None:
    page = study_page(summary)
    for svg in re.findall(r"<svg [^>]*>", page):
        assert 'aria-hidden="true"' in svg or re.search(r'role="img" aria-label="[^"]{20,}"', svg)


def test_controls_show_the_error(summary: StudySummary) -> None:
    page = study_page(summary)
    assert "Controls: games whose winner is proven" in page
    assert "mirror theorem" in page
    dark = 1 - summary.games[0].cells[0].estimates["light"].value  # type: ignore[union-attr]
    assert f"{100 * (1 - dark):.1f} points" in page


def test_an_unfinished_study_says_so(summary: StudySummary) -> None:
    page = study_page(summarise_study(summary.study, []))
    assert "Not complete: 0 of 24 games" in page
    assert "Not complete" not in study_page(summary)


def test_markdown(summary: StudySummary) -> None:
    text = study_markdown(summary)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
    assert "| 4×4 & <b> | 5 | 6 |" in text


def test_plots_of_nothing_and_of_one_value() -> None:
    assert dot_plot([], [], title="x") == bar_plot([], title="x") == curve_plot([], title="x") == ""
    assert "nan" not in dot_plot([DotRow("a", (Estimate(1, 1, 1), None))], ["s", "t"], title="x")
    assert "nan" not in bar_plot([(0.0, 3)], title="x", zero=True) + curve_plot([1.0], title="x")
    assert ticks(0, 100) == [0, 20, 40, 60, 80, 100]


def test_no_study_is_too_wide_for_a_phone(tmp_path: Path, summary: StudySummary) -> None:
    # Tables and wide plots scroll in a box of their own, which the keyboard can reach.
    page = study_page(summary)
    assert page.count("<table>") == len(re.findall(r'<div class="table" tabindex="0" role="region"', page))
