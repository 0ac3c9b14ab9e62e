"""Laws that every game keeps, whatever is played: random games from fixed seeds."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from taiji.rules import Game, Placement, Seat, State, parse_game
from tests.rules.helpers import symbols_text, totals
from tests.rules.plans import BOARD_5

COLOURED = [
    "taiji:size=5",
    "taiji:size=4,score=omega",
    "taiji:size=5,groups=2,score=squares,diagonal=yes",
    "taiji:size=6,groups=3,score=product",
    "tailits",
    "tailits:score=second,set=free",
]
WITH_SYMBOLS = [f"battle-of-lits:symbols={BOARD_5}", "battle-of-lits:board=3,swap=no"]
DOUBLES = ["tailits+taiji", "taiji+battle-of-lits:size=5"]
ALL = [*COLOURED, *WITH_SYMBOLS, *DOUBLES]
Face = tuple[int, int, int, int]


def random_game(text: str, seed: int) -> list[State]:
    """Every state of one random game; a swap is taken every other time."""
    dice = random.Random(f"{text} {seed}")
    states = [parse_game(text).start()]
    while not states[-1].is_over:
        moves = states[-1].legal()
        swap = states[-1].can_swap and dice.random() < 0.5
        states.append(states[-1].play(moves[-1] if swap else dice.choice(moves)))
    return states


def moves_between(states: list[State]) -> list[int]:
    """The action numbers that lead from each state to the next."""
    numbers = []
    for before, after in pairwise(states):
        new = set(sum(after.placed, ())) - set(sum(before.placed, ()))
        assert len(new) <= 1
        assert before.game.swap is not None or new
        numbers.append(new.pop() if new else before.game.swap.action)  # type: ignore[union-attr]
    return numbers


def faces(game: Game) -> dict[Face, Placement]:
    """The placements of a game by what they look like."""
    return {(move.stage_index, move.cells, move.light, move.dark): move for move in game.placements}


def moved(mask: int, image: tuple[int, ...]) -> int:
    """Map a mask through a symmetry."""
    return sum(1 << image[cell] for cell in range(len(image)) if mask >> cell & 1)


def turned_game(game: Game, image: tuple[int, ...]) -> Game:
    """The same game with its symbols, where it has any, turned along with the board."""
    symbols = game.stages[0].symbols
    if symbols is None:
        return game
    swap = "yes" if game.stages[0].swap else "no"
    rows = symbols_text(game.stages[0].board, moved(symbols.light, image), moved(symbols.dark, image))
    return parse_game(f"battle-of-lits:symbols={rows},swap={swap}")


def mirror(state: State, number: int, known: dict[Face, Placement], image: tuple[int, ...] | None) -> int:
    """The action that looks like this one turned by a symmetry; without one, with its colours exchanged."""
    move = state.game.move(number)
    if not isinstance(move, Placement):
        return number
    if image is None:
        return known[move.stage_index, move.cells, move.dark, move.light].action
    return known[
        move.stage_index, moved(move.cells, image), moved(move.light, image), moved(move.dark, image)
    ].action


def check_alike(
    state: State, other: State, known: dict[Face, Placement], image: tuple[int, ...] | None
) -> None:
    """Hold a state against its image: the same choices and, seat by seat, the same scores."""
    here = {mirror(state, move.action, known, image) for move in state.legal()}
    assert here == {move.action for move in other.legal()}
    expected = totals(state) if image is not None else totals(state)[::-1]
    assert totals(other) == expected


@pytest.mark.parametrize("text", ALL)
def test_the_eight_symmetries_keep_choices_and_scores(text: str) -> None:
    game = parse_game(text)
    images = game.stages[0].board.symmetries
    assert len(images) == 8
    for turn, image in enumerate(images):
        states = random_game(text, turn)
        other = turned_game(game, image).start()
        known = faces(other.game)
        for state, number in zip(states, moves_between(states), strict=False):
            if state.ply % 3 == 0:
                check_alike(state, other, known, image)
            other = other.play(other.game.move(mirror(state, number, known, image)))
        check_alike(states[-1], other, known, image)


@pytest.mark.parametrize("text", COLOURED)
def test_exchanged_colours_exchange_the_scores(text: str) -> None:
    for seed in range(3):
        states = random_game(text, seed)
        other = states[0]
        known = faces(other.game)
        for state, number in zip(states, moves_between(states), strict=False):
            check_alike(state, other, known, None)
            other = other.play(other.game.move(mirror(state, number, known, None)))
        check_alike(states[-1], other, known, None)


@pytest.mark.parametrize("text", WITH_SYMBOLS)
def test_exchanged_symbols_exchange_the_scores(text: str) -> None:
    states = random_game(text, 5)
    exchange = str.maketrans("xo", "ox")
    symbols = states[0].symbols
    assert symbols is not None
    rows = symbols_text(states[0].board, symbols.light, symbols.dark).translate(exchange)
    swap = "yes" if states[0].current_stage.swap else "no"
    other = parse_game(f"battle-of-lits:symbols={rows},swap={swap}").start()
    for state, number in zip(states, moves_between(states), strict=False):
        assert totals(other) == totals(state)[::-1]
        other = other.play(other.game.move(number))
    assert totals(other) == totals(states[-1])[::-1]


@pytest.mark.parametrize("text", ALL)
def test_what_is_placed_and_what_is_left_make_the_whole_supply(text: str) -> None:
    for seed in range(2):
        for state in random_game(text, seed):
            used = Counter(state.game.placements[number].stock for number in state.placed[state.stage_index])
            assert all(left >= 0 for left in state.supply)
            whole = tuple(left + used[slot] for slot, left in enumerate(state.supply))
            assert whole == tuple(slot.count for slot in state.current_stage.stocks)


@pytest.mark.parametrize("text", ALL)
def test_covered_cells_are_those_of_the_pieces_placed(text: str) -> None:
    for state in random_game(text, 1):
        placed = [state.game.placements[number] for number in state.placed[state.stage_index]]
        assert sum(move.cells for move in placed) == state.covered
        assert sum(move.light for move in placed) == state.light
        assert sum(move.dark for move in placed) == state.dark
        assert state.ply == sum(map(len, state.placed)) + state.swapped


@pytest.mark.parametrize("text", ALL)
def test_replaying_the_moves_gives_equal_states_with_equal_hashes(text: str) -> None:
    states = random_game(text, 2)
    replayed = parse_game(text).start()
    for state, number in zip(states, moves_between(states), strict=False):
        assert replayed == state
        assert hash(replayed) == hash(state)
        replayed = replayed.play(replayed.game.move(number))
    assert replayed == states[-1]
    assert len(set(states)) == len(states)


@pytest.mark.parametrize("text", ALL)
def test_a_state_is_restored_from_what_was_placed(text: str) -> None:
    for seed in range(3):
        for state in random_game(text, seed)[seed::4]:
            restored = State.restore(state.game, state.placed, state.swapped)
            assert restored == state
            assert hash(restored) == hash(state)


@pytest.mark.parametrize("text", ["taiji:size=5", "taiji:size=6,diagonal=yes"])
def test_the_order_of_a_players_moves_leaves_no_trace(text: str) -> None:
    states = random_game(text, 4)
    numbers = moves_between(states)[:6]
    dice = random.Random(9)
    light, dark = numbers[0::2], numbers[1::2]
    dice.shuffle(light)
    dice.shuffle(dark)
    other = states[0]
    for one, two in zip(light, dark, strict=True):
        other = other.play(other.game.move(one)).play(other.game.move(two))
    assert other == states[6]
    assert hash(other) == hash(states[6])


def test_tetrominoes_laid_in_another_order_give_an_equal_state() -> None:
    found = 0
    for seed in range(6):
        states = random_game("tailits", seed)
        _, two, three, four = moves_between(states)[:4]
        other = states[1]
        for number in (four, three, two):
            move = other.game.move(number)
            if not other.is_legal(move):
                break
            other = other.play(move)
        else:
            found += 1
            assert other == states[4]
            assert hash(other) == hash(states[4])
    assert found > 0


@pytest.mark.parametrize("text", ALL)
def test_the_mover_is_the_seat_that_holds_the_colour_to_move(text: str) -> None:
    for state in random_game(text, 3):
        assert state.colour_of(state.seat_to_move) == state.colour_to_move
        for seat in Seat:
            assert state.seat_of(state.colour_of(seat)) is seat


@pytest.mark.parametrize("text", ALL)
def test_legal_moves_come_sorted_and_exactly_they_are_accepted(text: str) -> None:
    states = random_game(text, 6)
    for state in states[:: max(1, len(states) // 4)]:
        numbers = [move.action for move in state.legal()]
        assert numbers == sorted(set(numbers))
        every = [state.game.move(number) for number in range(state.game.action_count)]
        assert [move.action for move in every if state.illegal_reason(move) is None] == numbers
