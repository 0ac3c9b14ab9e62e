"""Games, stages, pieces and states as values: equality, symmetries of a game, and what is refused."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import replace

import pytest

from taiji.rules import (
    Colour,
    Game,
    GameError,
    IllegalMove,
    IllegalReason,
    LargestGroups,
    Outcome,
    Piece,
    PieceStock,
    Scores,
    Seat,
    Stage,
    State,
    Tie,
    parse_game,
)
from taiji.rules.errors import check_callback
from taiji.rules.reasons import MESSAGES
from tests.rules.helpers import move_of, play

DOMINO = Piece("domino", ((0, 0), (1, 0)), "ld", 0)


def stage(**changes: object) -> Stage:
    """A tiny stage with some parts replaced."""
    values: dict[str, object] = {
        "name": "tiny",
        "board": parse_game("taiji:size=2").stages[0].board,
        "pieces": (DOMINO,),
        "stocks": (PieceStock("domino", "domino", 2),),
        "first_colour": Colour.LIGHT,
        "scoring": LargestGroups(),
    }
    return Stage(**(values | changes))  # type: ignore[arg-type]


def test_colours_and_seats_have_others() -> None:
    assert [colour.other for colour in Colour] == [Colour.DARK, Colour.LIGHT]
    assert [seat.other for seat in Seat] == [Seat.SECOND, Seat.FIRST]
    assert [Scores(3, 4.5).of(seat) for seat in Seat] == [3, 4.5]


@pytest.mark.parametrize("foreign", [0, 1, 7, "light", None, Seat.FIRST])
def test_a_value_that_is_no_colour_is_refused(foreign: object) -> None:
    state = parse_game("taiji:size=3").start()
    for method in (state.seat_of, state.scoring_cells, state.scoring_groups):
        with pytest.raises(TypeError, match=r"^colour: invalid \w+ \(expected a Colour\)$"):
            method(foreign)  # type: ignore[arg-type]


@pytest.mark.parametrize("foreign", [0, "first", None, Colour.LIGHT])
def test_a_value_that_is_no_seat_is_refused(foreign: object) -> None:
    state = parse_game("taiji:size=3").start()
    with pytest.raises(TypeError, match=r"^seat: invalid \w+ \(expected a Seat\)$"):
        state.colour_of(foreign)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^seat: invalid \w+ \(expected a Seat\)$"):
        state.scores().of(foreign)  # type: ignore[arg-type]


def test_an_outcome_has_a_seat_or_nobody_as_its_winner_and_scores_by_seat() -> None:
    with pytest.raises(TypeError, match=r"^winner: invalid int \(expected a Seat or None\)$"):
        Outcome(0, Scores(3, 2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^scores: invalid tuple \(expected Scores\)$"):
        Outcome(Seat.FIRST, (3, 2))  # type: ignore[arg-type]


def test_a_value_that_is_no_tally_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^tally: invalid str \(expected a Tally\)$"):
        parse_game("taiji:size=3").start().scoring_cells(Colour.LIGHT, "score")  # type: ignore[arg-type]


def test_equal_games_are_equal_and_hash_alike() -> None:
    one = Game("tiny", (stage(),), Tie.DARK)
    two = Game("tiny", (stage(),), Tie.DARK)
    assert one == two
    assert hash(one) == hash(two)
    assert one.start() == two.start()
    assert one != Game("tiny", (stage(),), Tie.LIGHT)
    assert one != "tiny"
    assert len({one, two, parse_game("taiji:size=2")}) == 2


def test_a_game_is_copied_as_itself_and_pickled_without_its_caches() -> None:
    game = parse_game("taiji:size=5")
    assert game.start().legal()
    assert deepcopy(game) is game
    written = pickle.dumps(game)
    assert pickle.loads(written) == game
    assert len(written) < 5_000


def test_a_placement_is_found_by_what_it_looks_like() -> None:
    game = parse_game("taiji+battle-of-lits:size=4")
    assert game.placement(0, 0b11, 0b01, 0b10) == move_of(game.start(), "a1/b1")
    assert game.placement(1, 0b1111, 0, 0) == move_of(game.start(), "a1b1c1d1", stage=1)
    assert game.placement(1, 0b11, 0b01, 0b10) is None
    assert game.placement(0, 0b101, 0b001, 0b100) is None


def test_a_swapped_position_is_restored() -> None:
    state = play("battle-of-lits:symbols=xxxx|....|....|oooo", "b4c3c4d4", "swap")
    assert State.restore(state.game, state.placed, swapped=True) == state
    later = play(state, "a1a2a3a4")
    restored = State.restore(later.game, later.placed, swapped=True)
    assert (restored, restored.last_seat, restored.seat_to_move) == (later, Seat.FIRST, Seat.SECOND)


def test_a_piece_comes_from_a_supply_of_its_kind() -> None:
    for slots in ((), (PieceStock("other", "other", 2),)):
        with pytest.raises(GameError, match="piece domino has no supply of its kind"):
            stage(stocks=slots)
    with pytest.raises(GameError, match="a supply cannot be negative"):
        stage(stocks=(PieceStock("domino", "domino", -1),))


@pytest.mark.parametrize(
    ("squares", "colours", "message"),
    [
        ((), "", "no squares, or one twice"),
        (((0, 0), (0, 0)), "ld", "no squares, or one twice"),
        (((0, 0), (1, 0)), "l", "2 squares, but 1 in the colours"),
        (((0, 0), (1, 0)), "l.", "colours 'l.' \\(expected l or d on each square"),
        (((0, 0), (1, 0)), "lx", "colours 'lx' \\(expected l or d on each square"),
    ],
)
def test_a_garbled_piece_is_refused(squares: tuple[tuple[int, int], ...], colours: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Piece("domino", squares, colours, 0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("taiji", 8),
        ("tailits", 8),
        ("tailits+taiji", 8),
        ("taiji+battle-of-lits:size=5", 8),
        ("battle-of-lits", 1),
        ("battle-of-lits:symbols=xxxx|....|....|oooo", 2),
        ("battle-of-lits:symbols=....|....|....|....", 8),
        ("battle-of-lits:symbols=x...|....|....|...o", 2),
    ],
)
def test_the_symmetries_of_a_game_keep_its_symbols(text: str, count: int) -> None:
    assert len(parse_game(text).symmetries) == count


def test_a_game_with_no_room_for_any_piece_is_over_at_once_and_nobodys() -> None:
    state = Game("tiny", (stage(stocks=(PieceStock("domino", "domino", 0),)),), Tie.LAST).start()
    outcome = state.outcome()
    assert state.is_over
    assert outcome is not None
    assert outcome.winner is None


def test_a_stage_without_a_place_for_its_pieces_is_passed_over() -> None:
    game = Game("tiny", (stage(stocks=(PieceStock("domino", "domino", 0),)), stage()), Tie.DARK)
    state = game.start()
    assert (state.stage_index, len(state.legal())) == (1, 8)


def test_a_position_that_no_game_reaches_is_not_restored() -> None:
    game = parse_game("tailits")
    corner = next(p for p in game.placements if p.cells & 1)
    with pytest.raises(IllegalMove, match="must cover the centre"):
        State.restore(game, ((corner.action,),))
    first = move_of(game.start(), "f5f6/f7f8")
    with pytest.raises(IllegalMove, match="already covered"):
        State.restore(game, ((first.action, first.action),))
    with pytest.raises(IllegalMove, match="touches no piece"):
        State.restore(game, ((first.action, corner.action),))


def test_restoring_finds_an_order_whatever_order_is_given() -> None:
    state = play("tailits", "f5f6/f7f8", "e9f9/f10g9", "h9i9/j9k9")
    backwards = tuple(reversed(state.placed[0]))
    assert State.restore(state.game, (backwards,)) == state


@pytest.mark.parametrize("number", [-1, 8, 1000])
def test_numbers_that_are_no_action_are_not_restored(number: int) -> None:
    with pytest.raises(GameError, match="is not an action"):
        State.restore(parse_game("taiji:size=2"), ((number,),))


def test_stages_and_swaps_that_were_not_reached_are_not_restored() -> None:
    game = parse_game("taiji+battle-of-lits:size=4")
    with pytest.raises(IllegalMove, match="another stage"):
        State.restore(game, ((), ()))
    with pytest.raises(IllegalMove, match="another stage"):
        State.restore(game, ((), (game.placements[-1].action,)))
    with pytest.raises(IllegalMove, match="a swap is only possible"):
        State.restore(game, ((),), swapped=True)
    with pytest.raises(IllegalMove, match="a swap is only possible"):
        State.restore(parse_game("taiji"), (), swapped=True)
    assert State.restore(game, ()) == game.start()


def test_a_finished_game_takes_no_more_pieces_when_restored() -> None:
    state = play("taiji:size=2", "a1/a2", "b1/b2")
    with pytest.raises(IllegalMove, match="the game is over"):
        State.restore(state.game, (*state.placed, (0,)))


def test_every_reason_has_a_sentence() -> None:
    for code in MESSAGES:
        assert IllegalReason(code, ("a1", "b2"), "T").text
    message = "{kind} at {cells}, from {first} to {last}, {other}"
    reason = IllegalReason("mine", ("d3", "d4", "e4"), "T", message)
    assert reason.text == "T at d3, d4, e4, from d3 to e4, {other}"


def test_states_are_told_apart_by_what_lies_there_and_who_sits_where() -> None:
    game = "battle-of-lits:symbols=xxxx|....|....|oooo"
    plain, swapped = play(game, "a1b1c1d1"), play(game, "a1b1c1d1", "swap")
    assert plain != swapped
    assert replace(plain, swapped=True) == swapped
    assert plain != play(game, "a4b4c4d4")


def test_what_cannot_be_called_is_refused_as_a_callback() -> None:
    check_callback("on_progress", None)
    check_callback("on_progress", print)
    with pytest.raises(TypeError, match=r"on_progress: invalid int \(expected a function or None\)"):
        check_callback("on_progress", 5)
