"""Sheets to print: true to size, within the page, with all pieces of a game."""

from __future__ import annotations

from collections import Counter

import pytest

from taiji import render
from taiji.render.shapes import Group
from taiji.render.sheet import MARGIN_MM, PAGE_MM, cell_size, cutouts, sheets
from taiji.render.theme import geometry
from taiji.rules import GAMES, parse_game
from tests.notation.games import TEXTS, game
from tests.render.test_pdf import pages, text_of


@pytest.mark.parametrize("text", TEXTS)
def test_every_piece_is_there_and_on_the_page(text: str) -> None:
    drawn = sheets(game(text))
    cell = cell_size(game(text))
    fronts = [page for page in drawn[1:] if "back" not in page.alt_text]
    placed = [shape for page in fronts for shape in page.shapes if isinstance(shape, Group)]
    needed = [piece for stage in game(text).stages for piece in cutouts(stage)]
    assert len(placed) == len(needed)
    for page in drawn[1:]:
        for shape in page.shapes:
            if isinstance(shape, Group):
                assert shape.scale == pytest.approx(cell / geometry().cell), "pieces are as large as cells"
                assert MARGIN_MM <= shape.move[0] < PAGE_MM[0] - MARGIN_MM
                assert MARGIN_MM <= shape.move[1] < PAGE_MM[1] - MARGIN_MM


def test_pieces_do_not_overlap() -> None:
    cell = cell_size(game("tailits"))
    page = sheets(game("tailits"))[1]
    corners = [shape.move for shape in page.shapes if isinstance(shape, Group)]
    assert len(corners) == len(set(corners)) == 24
    rows: dict[float, list[float]] = {}
    for x, y in corners:
        rows.setdefault(y, []).append(x)
    for row in rows.values():
        assert all(
            right - left >= 3 * cell for left, right in zip(sorted(row), sorted(row)[1:], strict=False)
        )


def test_the_tailits_set_has_six_faces_a_shape() -> None:
    made = Counter((piece.shape.kind, piece.shape) for piece in cutouts(parse_game("tailits").stages[0]))
    by_shape = Counter[str]()
    for (kind, _), count in made.items():
        by_shape[kind] += count
    assert by_shape == {"L": 6, "I": 6, "T": 6, "S": 6}
    assert sum(kind == "L" for kind, _ in made) == 6
    assert all(sum(kind == shape for kind, _ in made) == 4 for shape in "ITS")
    assert all(len(form.light) == len(form.dark) == 2 for _, form in made)


def test_backs_mirror_fronts() -> None:
    front, back = sheets(game("tailits"))[1:3]
    assert "other side" in back.alt_text
    cell = cell_size(game("tailits"))
    rights = sorted(PAGE_MM[0] - shape.move[0] for shape in back.shapes if isinstance(shape, Group))
    lefts = sorted(shape.move[0] for shape in front.shapes if isinstance(shape, Group))
    assert rights[0] > lefts[0] + cell
    assert len(rights) == len(lefts)


@pytest.mark.parametrize("text", [*GAMES])
def test_as_pdf_it_says_what_it_is(text: str) -> None:
    data = render.sheet_pdf(parse_game(text))
    assert pages(data) == len(sheets(parse_game(text)))
    said = text_of(data)
    assert GAMES[text].title in said
    assert "50 mm" in said
    assert f"A cell is {cell_size(parse_game(text)):g} mm wide" in said


def test_svg_pages_are_in_millimetres() -> None:
    from taiji.render.svg_writer import write

    svg = write(sheets(parse_game("taiji:size=7"))[0])
    assert 'width="210mm" height="297mm" viewBox="0 0 210 297"' in svg
