"""PDF documents: pages, text, and the same bytes every time."""

from __future__ import annotations

import re
import subprocess

import pytest

from taiji import render
from taiji.rules import parse_game
from tests.render.scenes import GAMES, played, record


def pages(data: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", data))


def text_of(data: bytes) -> str:
    """Return the text of a document as a reader sees it."""
    found = subprocess.run(["pdftotext", "-layout", "-", "-"], input=data, capture_output=True, check=True)
    return found.stdout.decode()


@pytest.mark.parametrize("text", GAMES)
def test_a_position_is_one_page(text: str) -> None:
    data = render.pdf(played(text)[1][-1], groups=True)
    assert data.startswith(b"%PDF-")
    assert pages(data) == 1


def test_text_is_text() -> None:
    said = text_of(render.pdf(parse_game("taiji:size=3"), caption="Zoë – Łukasz", theme="patterns"))
    assert "Zoë – Łukasz" in said
    assert said.split()[:1] == ["3"]
    assert "a" in said


def test_the_same_picture_is_the_same_file() -> None:
    state = played("taiji:size=4")[1][-1]
    assert render.pdf(state, theme="patterns") == render.pdf(state, theme="patterns")


def test_a_record_has_six_diagrams_a_page() -> None:
    game = record("taiji:size=4")
    data = render.record_pdf(game)
    assert pages(data) == -(-(len(game.moves) + 1) // 6)
    assert f"{len(game.moves)}. {game.moves[-1]}" in text_of(data)
