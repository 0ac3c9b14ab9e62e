"""The worked example of the nestorgames rulebook: a finished 9×9 game, 6 + 7 = 13 to 5 + 5 = 10."""

from __future__ import annotations

from taiji.rules import Colour, Scores, Seat, State, parse_game

ROWS = (
    "DL.LD.DL.",
    "DLDL.LDDL",
    "LLDDDL.LL",
    "LDLDLLDDD",
    "DDLL.LLD.",
    ".DLDDD.LL",
    "LLLDLLDDD",
    "DDDLLDLD.",
    ".LDDLDLLD",
)
"""The picture, top row first."""


def cells(letter: str) -> list[int]:
    flat = "".join(reversed(ROWS))
    return [cell for cell, content in enumerate(flat) if content == letter]


def pair(light: list[int], dark: list[int]) -> dict[int, int]:
    """Match every light cell with an adjacent dark one: taijitus that make the picture (augmenting paths)."""
    board = parse_game("taiji").stages[0].board
    partner: dict[int, int] = {}

    def augment(cell: int, seen: set[int]) -> bool:
        for other in dark:
            if other not in seen and board.edge_neighbours[cell] >> other & 1:
                seen.add(other)
                if other not in partner or augment(partner[other], seen):
                    partner[other] = cell
                    return True
        return False

    assert all(augment(cell, set()) for cell in light), "the picture is one of taijitus"
    return partner


def final_position() -> State:
    game = parse_game("taiji")
    state = game.start()
    for dark, light in pair(cells("L"), cells("D")).items():
        move = game.placement(0, 1 << light | 1 << dark, 1 << light, 1 << dark)
        assert move is not None
        state = state.play(move)
    return state


def test_the_worked_example_of_the_rulebook() -> None:
    state = final_position()
    assert state.is_over
    sizes = {colour: [group.bit_count() for group in state.scoring_groups(colour)] for colour in Colour}
    assert sizes == {Colour.LIGHT: [7, 6], Colour.DARK: [5, 5]}
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.winner) == (Scores(13, 10), Seat.FIRST)
