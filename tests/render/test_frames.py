"""Records as animated GIF and SVG: every ply is there, and the end looks like a picture of the end."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from taiji import render
from taiji.render.frames import frames
from taiji.render.raster import svg_to_png
from taiji.rules import Seat
from tests.render.scenes import record


def difference(one: Image.Image, two: Image.Image) -> float:
    """Return the mean difference of two pictures, 0 to 255."""
    gap = ImageChops.difference(one.convert("RGB"), two.convert("RGB")).convert("L")
    return sum(gap.tobytes()) / (gap.width * gap.height)


def still(text: str, width: int, ply: int, *, groups: bool) -> Image.Image:
    frame = frames(record(text))[ply]
    data = render.png(frame.state, last=frame.move, groups=groups, caption=frame.caption, width=width)
    return Image.open(BytesIO(data))


@pytest.mark.parametrize(
    "text", ["taiji:size=4", "taiji+battle-of-lits:size=4", "battle-of-lits:board=7,size=8,swap=no"]
)
def test_a_gif_shows_every_ply(text: str) -> None:
    film = Image.open(BytesIO(render.gif(record(text), width=240, delay=100)))
    plies = len(record(text).moves)
    assert film.n_frames == plies + 1  # type: ignore[attr-defined]
    for ply in {0, plies // 2, plies}:
        film.seek(ply)
        assert difference(film, still(text, 240, ply, groups=ply == plies)) < 3
    film.seek(0)
    assert film.info["duration"] == 100
    assert film.info["loop"] == 0


def test_a_gif_of_some_plies() -> None:
    film = Image.open(BytesIO(render.gif(record("taiji:size=4"), plies=(2, 5), width=120)))
    assert film.n_frames == 4  # type: ignore[attr-defined]


def test_a_gif_of_one_ply() -> None:
    film = Image.open(BytesIO(render.gif(record("taiji:size=4"), plies=(0, 0), width=120)))
    assert getattr(film, "n_frames", 1) == 1


@pytest.mark.parametrize("plies", [(3, 2), (0, 99), (-1, 2)])
def test_plies_that_are_not_there_are_named(plies: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"out of range \(expected 0 to \d+\)"):
        render.gif(record("taiji:size=4"), plies=plies)


@pytest.mark.parametrize("text", ["taiji:size=4", "taiji+battle-of-lits:size=4"])
def test_without_motion_an_animated_svg_shows_the_end(text: str) -> None:
    svg = render.animated_svg(record(text), width=300)
    unmoved = Image.open(BytesIO(svg_to_png(re.sub(r"<style>.*?</style>", "", svg))))
    assert difference(unmoved, still(text, 300, len(record(text).moves), groups=True)) < 1


def test_an_animated_svg_moves_by_style_alone_and_heeds_the_reader() -> None:
    svg = render.animated_svg(record("taiji:size=4"), delay=500)
    assert "<script" not in svg
    assert "prefers-reduced-motion" in svg
    assert f"animation:{500 * (len(record('taiji:size=4').moves) + 1) + 4000}ms" in svg
    named = set(re.findall(r"@keyframes (f[\d-]+)", svg))
    assert named == set(re.findall(r'class="t (f[\d-]+)"', svg)), "what is timed has a time"


def test_captions_tell_the_move_the_names_and_the_winner() -> None:
    film = frames(record("taiji:size=4"))
    assert film[0].caption.startswith("taiji:size=4 · Ann (Light) 0 · Zoë (Dark) 0")
    assert film[1].caption.startswith(f"1. {record('taiji:size=4').moves[0]} · ")
    winner = film[-1].state.outcome().winner  # type: ignore[union-attr]
    assert film[-1].caption.endswith("Light wins" if winner is Seat.FIRST else "Dark wins")
