"""Draw a card: a board beside a few words, in the shape that link previews have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.render.description import describe
from taiji.render.picture import Picture, Style, compose
from taiji.render.shapes import Circle, Group, Path, Text, rectangle
from taiji.render.theme import Theme, theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.render.shapes import Point, Shape
    from taiji.rules import Move, State

WIDTH_PX, HEIGHT_PX = 1200, 630
"""The size that the sites which show previews recommend."""
MARGIN = 32.0
GAP = 44.0
MAX_ROWS = 3
CHARACTER_WIDTH = 0.56
"""Average width of a character, relative to the size of its font; wide ones are cut by the size instead."""


@dataclass(frozen=True, slots=True)
class CardText:
    """The words of a card: a title, up to three rows with a name and a number, and a note."""

    title: str
    rows: tuple[tuple[str, str], ...] = ()
    note: str = ""


def card(
    state: State, text: CardText, *, last: Move | None = None, style: str = "paper", seats: bool = False
) -> Picture:
    """Return the card of a position; `seats` marks the first two rows with the colours of the game."""
    colours = theme(style)
    board = compose(describe(state, last=last, groups=True), Style(style))
    high = HEIGHT_PX - 2 * MARGIN
    scale = min(high / board.height, high / board.width)
    left = MARGIN + high + GAP
    shapes: list[Shape] = [
        Group(
            board.shapes,
            move=(MARGIN + (high - board.width * scale) / 2, MARGIN + (high - board.height * scale) / 2),
            scale=scale,
        ),
        *_words(text, colours, left, WIDTH_PX - MARGIN - left, seats=seats),
        *_brand(colours, (left, HEIGHT_PX - MARGIN - 58)),
    ]
    return Picture(WIDTH_PX, HEIGHT_PX, tuple(shapes), colours, board.alt_text)


def _words(text: CardText, colours: Theme, left: float, room: float, *, seats: bool) -> Iterator[Shape]:
    y = 118.0
    for part in _wrap(text.title, room, 58):
        yield Text((left, y), part, _size(part, room, 58), colours["ink"], "start", bold=True)
        y += 66
    y += 26
    for index, (name, number) in enumerate(text.rows[:MAX_ROWS]):
        at = left
        if seats and index < 2:
            fill, rim = (("ivory", "ivory_rim"), ("sumi", "sumi_rim"))[index]
            yield Circle((left + 15, y - 13), 15, colours[fill], colours[rim], 2)
            at += 48
        space = room - (at - left) - (len(number) * 0.6 * 42 + 18 if number else 0)
        yield Text((at, y), name, _size(name, space, 42), colours["ink"], "start")
        if number:
            yield Text((left + room, y), number, 42, colours["ink"], "end", bold=True)
        y += 68
    if text.note:
        yield Text((left, y + 4), text.note, _size(text.note, room, 32), colours["text"], "start")


def _brand(colours: Theme, at: Point) -> Iterator[Shape]:
    """Draw the sign of the app: a red seal with a piece of two squares, and the name."""
    x, y = at
    yield Path(rectangle(x, y, 58, 58, 13), fill=colours["seal"])
    yield Path(rectangle(x + 13, y + 11, 32, 36, 5), fill=colours["sumi"])
    yield Path(rectangle(x + 13, y + 11, 16, 36, 5), fill=colours["ivory"])
    yield Text((x + 76, y + 41), "TAIJI", 36, colours["ink"], "start", bold=True)


def _size(text: str, room: float, largest: float) -> float:
    """Return the font size at which a line fits."""
    wide = sum(1.0 if character < "\u1100" else 1.8 for character in text) * CHARACTER_WIDTH
    return min(largest, room / max(wide, 1.0))


def _wrap(text: str, room: float, size: float) -> list[str]:
    """Break a title into at most two lines, at a space."""
    if len(text) * CHARACTER_WIDTH * size <= room or " " not in text:
        return [text]
    middle = len(text) / 2
    spaces = [index for index, character in enumerate(text) if character == " "]
    at = min(spaces, key=lambda index: abs(index - middle))
    return [text[:at], text[at + 1 :]]
