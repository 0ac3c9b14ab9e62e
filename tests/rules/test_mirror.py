"""The mirror theorem (docs/studies/mirror.md): who can answer with the half turn never loses on points."""

from __future__ import annotations

from random import Random

import pytest

from taiji.rules import Game, Placement, Seat, State, parse_game

SCORES = ["", ",groups=3", ",score=omega", ",score=squares", ",score=product"]


def image(game: Game, move: Placement) -> Placement:
    """Return the half turn of a placement with its colours exchanged."""
    last = game.stages[0].board.width * game.stages[0].board.height - 1

    def turn(mask: int) -> int:
        return sum(1 << (last - cell) for cell in range(last + 1) if mask >> cell & 1)

    return game.placement(0, turn(move.cells), turn(move.dark), turn(move.light))


def play(game: Game, mirroring: Seat, opening: list[Placement], random: Random) -> State:
    """Play a game: one seat answers with the image, the other plays at random."""
    state = game.start()
    for move in opening:
        state = state.play(move)
    while not state.is_over:
        assert state.seat_to_move is not mirroring
        move = random.choice(state.legal())
        assert isinstance(move, Placement)
        state = state.play(move)
        state = state.play(image(game, move))  # always legal: `play` would raise
    return state


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_dark_ties_every_even_board(size: int, score: str) -> None:
    game = parse_game(f"taiji:size={size}{score}")
    random = Random(size)
    for _ in range(4):
        final = play(game, Seat.SECOND, [], random)
        assert final.scores().first == final.scores().second
        outcome = final.outcome()
        assert outcome is not None
        assert outcome.winner is Seat.SECOND


def even_by_odd(width: int, height: int) -> Game:
    """Return TAIJI on a board with an even and an odd side, which only a declaration has."""
    from taiji.rules import game_from_dict

    return game_from_dict(
        {
            "name": "oblong",
            "board": ["." * width] * height,
            "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": width * height // 2}],
            "tie": "dark",
        }
    )


@pytest.mark.parametrize(("width", "height"), [(4, 3), (6, 5), (5, 4), (2, 7)])
def test_light_never_loses_points_on_even_by_odd_boards(width: int, height: int) -> None:
    game = even_by_odd(width, height)
    cells = width * height
    centre = sum(1 << cell for cell in range(cells) if cell in central_pair(width, height))
    first = next(
        move for move in game.start().legal() if isinstance(move, Placement) and move.cells == centre
    )
    assert image(game, first) == first
    random = Random(cells)
    for _ in range(6):
        final = play(game, Seat.FIRST, [first], random)
        assert final.scores().first == final.scores().second


def central_pair(width: int, height: int) -> set[int]:
    """Return the two cells around the centre of a board with one even side."""
    if width % 2 == 0:
        row = height // 2
        return {row * width + width // 2 - 1, row * width + width // 2}
    column = width // 2
    return {(height // 2 - 1) * width + column, (height // 2) * width + column}


def test_corner_contact_breaks_the_mirror() -> None:
    """With `diagonal=yes` a taijitu across the centre covers its own image: no answer is left."""
    game = parse_game("taiji:size=4,diagonal=yes")
    own = [
        move
        for move in game.start().legal()
        if isinstance(move, Placement) and image(game, move).cells == move.cells
    ]
    assert {str(move) for move in own} == {"b2/c3", "c3/b2", "b3/c2", "c2/b3"}
    after = game.start().play(own[0])
    assert own[0] not in after.legal()
