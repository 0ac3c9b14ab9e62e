"""Boards: names, neighbours, blocks, groups and symmetries."""

from __future__ import annotations

import pytest

from taiji.rules import Adjacency, Board, UnknownCell, bits, mask_of
from taiji.rules.regions import Around

SQUARE = Board(3, 3)
WIDE = Board(4, 2)
HOLED = Board(3, 3, holes=1 << 4)


def test_cells_are_numbered_row_by_row_from_the_bottom_left() -> None:
    assert [SQUARE.name(cell) for cell in range(9)] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    assert Board(11, 11).name(120) == "k11"


@pytest.mark.parametrize("board", [SQUARE, WIDE, Board(26, 4), Board(1, 128), Board(11, 11)])
def test_names_round_trip_in_any_case(board: Board) -> None:
    for cell in bits(board.cells):
        assert board.cell(board.name(cell)) == board.cell(board.name(cell).upper()) == cell


@pytest.mark.parametrize(
    "name",
    ["", "a", "1", "a0", "a4", "d1", "z1", "a01", "a1 ", " a1", "a-1", "a²", "a١", "ä1", "a1111", "aa1"],
)
def test_what_names_no_cell_is_refused(name: str) -> None:
    with pytest.raises(UnknownCell, match="is not on the board"):
        SQUARE.cell(name)


def test_a_hole_is_no_cell() -> None:
    assert HOLED.cells.bit_count() == 8
    assert HOLED.cell_at(1, 1) is None
    with pytest.raises(UnknownCell, match="b2 is not on the board"):
        HOLED.cell("b2")
    assert HOLED.names(HOLED.edge_neighbours[HOLED.cell("b1")]) == ["a1", "c1"]
    assert HOLED.blocks(2, 2) == ()
    assert len(HOLED.blocks(3, 1)) == 2
    assert HOLED.centre == 0


def test_names_of_a_mask_are_sorted_by_column_then_row() -> None:
    assert SQUARE.names(SQUARE.mask(["c1", "a3", "a1", "b2"])) == ["a1", "a3", "b2", "c1"]
    assert list(bits(mask_of([5, 0, 3]))) == [0, 3, 5]


def test_neighbours_share_an_edge_or_also_a_corner() -> None:
    corner, middle = SQUARE.cell("a1"), SQUARE.cell("b2")
    assert SQUARE.names(SQUARE.edge_neighbours[corner]) == ["a2", "b1"]
    assert SQUARE.names(SQUARE.king_neighbours[corner]) == ["a2", "b1", "b2"]
    assert SQUARE.edge_neighbours[middle].bit_count() == 4
    assert SQUARE.king_neighbours[middle].bit_count() == 8
    assert SQUARE.names(Around().masks(SQUARE.mask(["a1", "b1"]), SQUARE)[0]) == ["a2", "b2", "c1"]


def test_groups_come_largest_first() -> None:
    mask = SQUARE.mask(["a1", "b2", "b3", "c1"])
    assert [SQUARE.names(group) for group in SQUARE.groups(mask, Adjacency.EDGE)] == [
        ["b2", "b3"],
        ["a1"],
        ["c1"],
    ]
    assert [group.bit_count() for group in SQUARE.groups(mask, Adjacency.KING)] == [4]


@pytest.mark.parametrize(
    ("board", "cells"), [(SQUARE, ["b2"]), (WIDE, ["b1", "b2", "c1", "c2"]), (Board(11, 11), ["f6"])]
)
def test_the_centre_is_the_middle(board: Board, cells: list[str]) -> None:
    assert board.names(board.centre) == cells


def test_blocks_are_whole() -> None:
    assert next(WIDE.names(block) for block in WIDE.blocks(2, 2)) == ["a1", "a2", "b1", "b2"]
    assert len(WIDE.blocks(2, 2)) == 3
    assert WIDE.blocks(2, 3) == ()


def test_a_square_has_eight_symmetries_a_rectangle_four_and_holes_may_take_some() -> None:
    assert len(SQUARE.symmetries) == len(HOLED.symmetries) == 8
    assert len(WIDE.symmetries) == 4
    assert len(Board(3, 3, holes=1).symmetries) == 2
    assert SQUARE.symmetries[0] == tuple(range(9))
    for board in (SQUARE, WIDE):
        assert len(set(board.symmetries)) == len(board.symmetries)
        for image in board.symmetries:
            assert sorted(image) == list(range(board.size))
            for cell in range(board.size):
                assert (
                    mask_of(image[near] for near in bits(board.edge_neighbours[cell]))
                    == board.edge_neighbours[image[cell]]
                )


@pytest.mark.parametrize(("width", "height"), [(0, 3), (3, 0), (27, 1), (12, 11), (-1, -1)])
def test_a_board_out_of_bounds_is_refused(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="out of bounds"):
        Board(width, height)


@pytest.mark.parametrize("holes", [-1, 1 << 9])
def test_holes_lie_on_the_board(holes: int) -> None:
    with pytest.raises(ValueError, match="holes must lie on the board"):
        Board(3, 3, holes)


def test_a_cell_off_the_board_has_no_name() -> None:
    assert Board(3, 2).name(5) == "c2"
    for cell in (-1, 6):
        with pytest.raises(UnknownCell, match=f"cell {cell} is not on the board \\(expected 0 to 5\\)"):
            Board(3, 2).name(cell)


def test_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match=r"height: invalid str \(expected an integer"):
        Board(3, "2")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"cell: invalid int \(expected a text such as 'e4'"):
        Board(3, 2).cell(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^mask: invalid list \(expected an integer\)$"):
        Board(3, 2).names(["a1"])  # type: ignore[arg-type]


@pytest.mark.parametrize("mask", [-1, 1 << 9])
def test_a_mask_off_the_board_is_refused(mask: int) -> None:
    with pytest.raises(UnknownCell, match="off the board"):
        SQUARE.names(mask)


def test_a_block_has_at_least_one_cell() -> None:
    with pytest.raises(ValueError, match="height: 0 is invalid"):
        SQUARE.blocks(1, 0)
