"""Every game of the catalogue ships with its page, its perft table and a playthrough."""

from __future__ import annotations

from pathlib import Path

import pytest

from taiji.notation import open_records, read_records
from taiji.rules import EDITIONS, GAMES, parse_game

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_a_page(name: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text()
    declaration = GAMES[name]
    assert page.startswith(f"# {declaration.title}\n")
    assert declaration.designer in page
    assert declaration.rulebook in page
    for option in declaration.options:
        assert f"`{option.name}`" in page
    assert "**Our ruling" in page, "what the rulebook leaves open is flagged as ours"
    assert f"(rules/{name}.md)" in (ROOT / "docs" / "README.md").read_text()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_a_perft_table(name: str) -> None:
    assert (ROOT / "tests" / "perft" / f"{name}.txt").read_text().strip()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_a_playthrough(name: str) -> None:
    assert (ROOT / "tests" / "playthroughs" / f"{name}.txt").read_text().strip()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_a_whole_game_as_an_example(name: str) -> None:
    with open_records(ROOT / "docs" / "rules" / "examples" / f"{name}.tji") as file:
        (record,) = read_records(file)
    replay = record.replay()
    assert str(record.game).partition(":")[0] == name
    assert replay.last.is_over
    assert replay.problems == ()


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_is_on_the_page_of_its_game(name: str) -> None:
    game = str(parse_game(EDITIONS[name].game)).partition(":")[0]
    assert f"`{name}`" in (ROOT / "docs" / "rules" / f"{game}.md").read_text()
