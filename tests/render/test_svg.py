"""SVG documents: well formed for every game and theme, and equal to the golden ones."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from taiji import render
from taiji.render import THEMES, Arrow, Ghost, Note
from taiji.render.description import make_tile
from taiji.rules import Placement, parse_game
from tests.render.golden import FOLDER, GOLDEN, drawn
from tests.render.scenes import GAMES, moments, played

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_piece_is_drawn(text: str, theme: str) -> None:
    for state, move in moments(text):
        root = parsed(render.svg(state, theme=theme, last=move, groups=True))
        pieces = root.findall(f"{SVG}use[@class='piece']")
        assert len(pieces) == len(state.placed[-1])
        defined = {group.get("id") for group in root.iter(f"{SVG}g") if group.get("id")}
        used = {(use.get("href") or "").removeprefix("#") for use in root.iter(f"{SVG}use")}
        assert used == defined
        numbers = re.findall(r'[dxy]="([^"]*)"', ET.tostring(root, "unicode"))
        assert not any("nan" in number or "inf" in number for number in numbers)


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    expected = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert drawn(name) == expected, "look at the difference, then: python -m tests.render.golden"


def test_the_same_id_means_the_same_drawing() -> None:
    seen: dict[str, str] = {}
    for theme in THEMES:
        for text in ("taiji:size=4", "battle-of-lits", "taiji+battle-of-lits:size=4"):
            root = parsed(render.svg(played(text)[1][-1], theme=theme))
            for group in root.iter(f"{SVG}g"):
                key = group.get("id")
                if key:
                    assert seen.setdefault(key, ET.tostring(group, "unicode")) == ET.tostring(
                        group, "unicode"
                    )


def test_texts_are_escaped() -> None:
    state = parse_game("taiji:size=3").start()
    root = parsed(render.svg(state, caption="<A & B>", notes=[Note(0, "<&>")]))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert "<A & B>" in texts
    assert "<&>" in texts


def test_coordinates_can_be_left_out() -> None:
    state = parse_game("taiji:size=3").start()
    with_them, without = (parsed(render.svg(state, coordinates=shown)) for shown in (True, False))
    assert [text.text for text in with_them.iter(f"{SVG}text")] == [*"abc", *"123"]
    assert not list(without.iter(f"{SVG}text"))
    assert float(without.get("width", "0")) < float(with_them.get("width", "0"))


def test_what_is_pointed_out_is_drawn() -> None:
    state, move = moments("taiji:size=4")[-2]
    placement = state.legal()[0]
    assert isinstance(placement, Placement)
    ghost = Ghost(make_tile(state.game, placement), allowed=False)
    plain = render.svg(state)
    shown = render.svg(
        state, last=move, ghosts=[ghost], arrows=[Arrow(0, 5), Arrow(3, 3)], notes=[Note(1, "A")]
    )
    for name in ("ghost", "arrow", "note"):
        assert f'class="{name}"' in shown
        assert f'class="{name}"' not in plain
    assert shown.count("stroke-dasharray") == 1, "a ghost that may not be laid has a broken line"


def test_a_group_is_one_path_with_one_badge() -> None:
    state = played("taiji:size=5")[1][-1] if "taiji:size=5" in GAMES else played("taiji:size=4")[1][-1]
    root = parsed(render.svg(state, groups=True))
    groups = root.findall(f"{SVG}g[@class='count']")
    assert len(groups) == sum(
        len(state.scoring_groups(colour)) for colour in state.game.stages[0].first_colour.__class__
    )
    for group in groups:
        assert len({path.get("d") for path in group.findall(f"{SVG}path")}) == 1
        assert len(group.findall(f"{SVG}circle")) == 1


def test_the_width_is_the_users() -> None:
    root = parsed(render.svg(parse_game("taiji:size=3"), width=300))
    assert root.get("width") == "300"


def test_an_unknown_theme_names_the_choices() -> None:
    with pytest.raises(ValueError, match="paper, night, patterns, print"):
        render.svg(parse_game("taiji:size=3"), theme="neon")
