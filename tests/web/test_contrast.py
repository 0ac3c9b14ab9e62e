"""Every mark on the board stands out at 3:1 or more, measured from the pixels in every theme and pattern."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image

from tests.render.test_theme import contrast
from tests.web.browser import PageUser
from tests.web.conftest import Guests
from tests.web.game_places import hot_seat

MIN_CONTRAST = 3.0
MIN_SHARE = 0.2
"""The share of the changed pixels that must have the contrast: the core of a mark, or its rim."""
NOISE = 12

Pixel = tuple[int, int, int]


def picture(user: PageUser, clip: dict[str, float]) -> Image.Image:
    return Image.open(io.BytesIO(user.page.screenshot(clip=clip))).convert("RGB")  # type: ignore[arg-type]


def share(user: PageUser, mark: str) -> float:
    """Return the share of a mark's pixels that contrast with what is there without the mark."""
    box = user.page.locator(mark).first.bounding_box()
    assert box is not None, mark
    clip = {"x": box["x"] - 3, "y": box["y"] - 3, "width": box["width"] + 6, "height": box["height"] + 6}
    drawn = picture(user, clip)
    marks = user.page.locator(mark)
    marks.evaluate_all("all => all.forEach(one => one.style.visibility = 'hidden')")
    bare = picture(user, clip)
    marks.evaluate_all("all => all.forEach(one => one.style.visibility = '')")
    pairs: dict[tuple[Pixel, Pixel], int] = {}
    for pair in zip(pixels(drawn), pixels(bare), strict=True):
        if max(abs(a - b) for a, b in zip(*pair, strict=True)) > NOISE:
            pairs[pair] = pairs.get(pair, 0) + 1
    assert pairs, f"{mark} changes nothing"
    clear = sum(
        number for (one, two), number in pairs.items() if contrast(name(one), name(two)) >= MIN_CONTRAST
    )
    return clear / sum(pairs.values())


def pixels(image: Image.Image) -> list[Pixel]:
    data = image.tobytes()
    return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]


def name(pixel: Pixel) -> str:
    return "#" + bytes(pixel).hex()


def hold_badly(user: PageUser) -> None:
    hot_seat("tailits", 7)(user)
    user.wait_for_turn()
    user.hover("a1")


def hold_well(user: PageUser) -> None:
    hot_seat("tailits", 0)(user)
    user.wait_for_turn()
    user.hover("f6")


def by_keyboard(user: PageUser) -> None:
    hot_seat("taiji", 20)(user)
    user.wait_for_turn()
    user.surface.focus()
    user.page.keyboard.press("ArrowUp")


MARKS: tuple[tuple[Callable[[PageUser], None], tuple[str, ...]], ...] = (
    (
        hot_seat("battle-of-lits", 6),
        (".surface :is(.symbol-x, .symbol-x-rim)", ".surface :is(.symbol-o, .symbol-o-rim)", ".last"),
    ),
    (hot_seat("battle-of-lits", 6), tuple(f".surface .shape-{kind} .rim" for kind in "LTS")),
    (hot_seat("tailits", 0), (".must-cover", ".must-cover-dot")),
    (hold_well, (".ghost-line",)),
    (hold_badly, (".ghost-line", ".ghost :is(.line-rim, .violation)")),
    (
        by_keyboard,
        (
            ".cursor",
            ".group.of-light",
            ".group.of-dark",
            ".badge",
            ".surface .dot.on-light",
            ".surface .dot.on-dark",
        ),
    ),
    (hot_seat("tailits+taiji", 30), (".surface .piece:not(.lower)", ".group.of-light", ".group.of-dark")),
    (hot_seat("taiji+battle-of-lits", 62), (".surface .piece:not(.lower) .rim", ".surface .lower .dot")),
)


@pytest.mark.slow
@pytest.mark.parametrize("patterns", [False, True])
def test_every_mark(guest: Guests, patterns: bool) -> None:
    user = guest(device_scale_factor=2)
    user.settings(patterns=patterns)
    found = {}
    for place, (show, marks) in enumerate(MARKS):
        show(user)
        for theme in ("light", "dark"):
            user.page.emulate_media(color_scheme=theme)
            for mark in marks:
                found[place, theme, mark] = round(share(user, mark), 2)
    faint = {mark: part for mark, part in found.items() if part < MIN_SHARE}
    assert not faint, str(faint)
