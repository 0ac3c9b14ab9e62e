"""The options of a fair start, which are ours: the winner of a tie, komi, swap and balanced openings."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from taiji.rules import (
    Colour,
    GameError,
    IllegalMove,
    NameKomi,
    NotationError,
    Seat,
    State,
    Tie,
    game_from_dict,
    parse_game,
)
from taiji.rules.openings import (
    Opening,
    OpeningList,
    draw_opening,
    list_to_source,
    opening_list,
    opening_lists,
)
from taiji.rules.openings import taiji_7 as shipped
from tests.rules.helpers import play, refusal

TINY = {
    "name": "tiny",
    "board": ["...", "..."],
    "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": 3}],
}


def test_a_swap_changes_only_the_first_stage_of_a_double_game() -> None:
    plain, fair = parse_game("tailits+taiji"), parse_game("tailits+taiji:pie=1")
    assert fair.stages == (replace(plain.stages[0], swap_after=1), plain.stages[1])


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("taiji:tie=dark,komi=0,pie=no,opening=0", "taiji"),
        ("taiji:komi=+1.50", None),
        ("taiji:komi=+1.5", "taiji:komi=1.5"),
        ("taiji:komi=2.0,tie=DRAW", "taiji:tie=draw,komi=2"),
        ("taiji:pie=3,komi=-0.5,size=7", "taiji:size=7,komi=-0.5,pie=3"),
        ("taiji:komi=Choose", "taiji:komi=choose"),
        ("tailits:tie=last", "tailits"),
        ("tailits+taiji:tie=dark,komi=0.5", "tailits+taiji:tie=dark,komi=0.5"),
        ("battle-of-lits:swap=no,komi=choose", "battle-of-lits:swap=no,komi=choose"),
    ],
)
def test_a_text_has_one_canonical_form(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(GameError, match="komi="):
            parse_game(text)
        return
    game = parse_game(text)
    assert str(game) == canonical
    assert parse_game(canonical) == game


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        ("taiji:tie=dark,komi=1.5", "tie=dark", "komi=1.5"),
        ("tailits+taiji:tie=light", "tie=light", "the half point for placing last in TAILITS"),
        ("tailits+taiji:tie=light,komi=1", "tie=light", "komi=1"),
        ("taiji:komi=choose,pie=1", "komi=choose", "pie=1"),
        ("battle-of-lits:pie=1", "pie=1", "swap"),
        ("battle-of-lits:komi=choose", "komi=choose", "swap=yes"),
        ("taiji+battle-of-lits:pie=3", "pie=3", "the swap of Battle of LITS"),
        ("taiji+battle-of-lits:komi=choose", "komi=choose", "the swap of Battle of LITS"),
        ("taiji:opening=1,pie=1", "opening=1", "pie=1"),
        ("taiji:opening=1,komi=choose", "opening=1", "komi=choose"),
    ],
)
def test_options_that_contradict_each_other_are_both_named(text: str, one: str, two: str) -> None:
    with pytest.raises(GameError) as error:
        parse_game(text)
    assert str(error.value).startswith(f"{one} and {two} contradict each other: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("taiji:komi=1000.5", "komi=1000.5: invalid (expected half points from -1000 to 1000, or choose)"),
        ("taiji:komi=1.3", "komi=1.3: invalid"),
        ("taiji:komi=", "komi=: invalid"),
        ("taiji:pie=2", "pie=2: invalid (expected one of no, 1, 3)"),
        ("taiji:opening=9999", "opening=9999: taiji has 12 balanced openings"),
        ("taiji:komi=1.5,opening=1", "opening=1: taiji:komi=1.5 has no balanced openings"),
        ("tailits:opening=1", "tailits has no option 'opening'"),
    ],
)
def test_a_bad_value_says_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(GameError) as error:
        parse_game(text)
    assert str(error.value).startswith(message)


def test_a_komi_counts_for_light_from_the_start() -> None:
    state = play("taiji:size=2,komi=0.5", "a1/a2")
    assert tuple(state.scores()) == (1.5, 1)
    assert play(state, "b1/b2").outcome().winner is Seat.FIRST  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("tie", "winner"), [("dark", Seat.SECOND), ("light", Seat.FIRST), ("last", Seat.SECOND), ("draw", None)]
)
def test_a_tie_has_the_winner_that_was_chosen(tie: str, winner: Seat | None) -> None:
    outcome = play(f"taiji:size=2,tie={tie}", "a1/a2", "b1/b2").outcome()
    assert outcome is not None
    assert outcome.winner is winner


def test_a_komi_decides_the_margins_of_the_game_without_it() -> None:
    """The same moves: with a komi of K, Light wins just if the margin was above -K."""
    dice = Random(5)
    state = parse_game("taiji:size=5").start()
    moves = []
    while not state.is_over:
        moves.append(dice.choice(state.legal()))
        state = state.play(moves[-1])
    margin = state.scores().first - state.scores().second
    for half in range(-9, 10, 2):
        other = parse_game(f"taiji:size=5,komi={half / 2}").start()
        for move in moves:
            other = other.play(other.game.move(move.action))
        outcome = other.outcome()
        assert outcome is not None
        assert (outcome.winner is Seat.FIRST) is (margin + half / 2 > 0)


@pytest.mark.parametrize(("pie", "before"), [("1", ["a1/a2"]), ("3", ["a1/a2", "b1/b2", "c1/c2"])])
def test_a_pie_lets_the_other_player_swap_once(pie: str, before: list[str]) -> None:
    state = parse_game(f"taiji:size=4,komi=1,pie={pie}").start()
    for text in before:
        assert not state.can_swap
        state = state.play(text)
    assert state.can_swap
    assert state.seat_to_move is Seat.SECOND
    swapped = state.play("swap")
    assert swapped.seat_to_move is Seat.FIRST
    assert swapped.colour_to_move is Colour.DARK
    assert swapped.scores() == state.scores()[::-1], "the komi and the squares stay with the colour"
    assert not swapped.can_swap
    assert refusal(state.play("d1/d2"), "swap").code == "no-swap"
    assert State.restore(swapped.game, swapped.placed, swapped=True) == swapped
    assert eval(repr(swapped), {"State": State, "parse_game": parse_game}) == swapped


def test_the_komi_is_named_and_then_a_colour_taken() -> None:
    start = parse_game("taiji:size=4,komi=choose").start()
    assert start.must_name_komi
    assert (start.seat_to_move, start.colour_to_move) == (Seat.SECOND, Colour.DARK)
    assert [str(move) for move in start.legal()][:3] == ["komi=-10", "komi=-9.5", "komi=-9"]
    assert refusal(start, "a1/a2").code == "komi-first"
    named = start.play("komi=1.5")
    assert (named.ply, named.komi, tuple(named.scores())) == (1, 3, (1.5, 0))
    assert named.seat_to_move is Seat.FIRST
    assert refusal(named, "komi=2").code == "no-komi"
    kept, taken = named.play("a1/a2"), named.play("swap")
    assert kept.seat_to_move is Seat.SECOND
    assert not kept.can_swap
    assert (taken.seat_to_move, taken.colour_to_move, taken.ply) == (Seat.SECOND, Colour.LIGHT, 2)
    assert tuple(taken.scores()) == (0, 1.5)
    for state in (start, named, kept, taken, taken.play("a1/a2")):
        komi = state.komi
        assert State.restore(state.game, state.placed, state.swapped, komi) == state
        assert eval(repr(state), {"State": State, "parse_game": parse_game}) == state
    with pytest.raises(IllegalMove, match="komi"):
        State.restore(start.game, start.placed, komi=99)


def test_named_komis_are_numbered_after_the_swap() -> None:
    plain, game = parse_game("taiji:size=4"), parse_game("taiji:size=4,komi=choose")
    assert game.placements == plain.placements
    assert game.swap is not None
    assert game.swap.action == plain.action_count
    assert game.action_count == plain.action_count + 1 + 41
    assert game.move(game.action_count - 1) == NameKomi(game.action_count - 1, 20)
    with pytest.raises(GameError, match="is not an action"):
        game.move(game.action_count)


@pytest.mark.parametrize("text", ["komi=1.5", "komi 1.5", "KOMI=+1.5", " komi:1.5 ", "komi1.5"])
def test_a_komi_can_be_written_in_several_ways(text: str) -> None:
    assert str(parse_game("taiji:komi=choose").start().parse(text)) == "komi=1.5"


@pytest.mark.parametrize("text", ["komi", "komi=1.3", "komi=11", "komi=x", "komi=1.5.5"])
def test_what_is_not_a_komi_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected komi=-10 to komi=10"):
        parse_game("taiji:komi=choose").start().parse(text)


def test_a_game_without_a_choice_has_no_komi_to_name() -> None:
    with pytest.raises(NotationError, match="no komi to name"):
        parse_game("taiji:komi=1.5").start().parse("komi=1.5")
    assert parse_game("taiji").start().illegal_reason(NameKomi(300, 1)).code == "no-komi"  # type: ignore[union-attr]


def test_an_opening_lies_on_the_board_and_counts_no_turn() -> None:
    game = parse_game("taiji:size=7,opening=1")
    state = game.start()
    texts = shipped.LIST.moves(1)
    assert game.opening == texts
    assert state.placed == play(replace(game, opening=()).start(), *texts).placed
    assert (state.ply, len(state.placed[0])) == (0, len(texts))
    after = state.play(state.legal()[0])
    assert after.ply == 1
    assert State.restore(game, after.placed) == after
    with pytest.raises(IllegalMove, match="opening"):
        State.restore(game, ((after.placed[0][0],),))
    with pytest.raises(IllegalMove, match="opening"):
        State.restore(game, ())


def test_every_shipped_opening_can_be_played_and_has_a_card() -> None:
    assert [known.game for known in opening_lists()] == ["taiji:size=7", "taiji", "taiji:size=11"]
    for known in opening_lists():
        text = known.game
        assert opening_list(text) is known
        assert known.game == str(parse_game(text))
        assert len(known) >= 10
        assert "balanced" in known.card
        assert len({each.moves for each in known.openings}) == len(known)
        for number, each in enumerate(known.openings, 1):
            state = parse_game(text).start()
            for move in known.moves(number):
                assert str(state.parse(move)) == move
                state = state.play(move)
            assert 0.4 < each.first_wins < 0.6


def test_a_draw_picks_openings_that_are_not_retired() -> None:
    known = OpeningList("taiji", "a card", (Opening("a1/a2", 0.5, retired=True), Opening("b1/b2", 0.5)))
    assert known.numbers_to_draw == (2,)
    assert 1 <= draw_opening("taiji", Random(1)) <= 12
    assert draw_opening("taiji:size=5", Random(1)) == 0


def test_a_list_is_written_as_the_source_of_its_module() -> None:
    known = OpeningList("taiji", "A card. " * 30, (Opening("a1/a2", 0.5, retired=True),))
    source = list_to_source(replace(known, card=known.card.strip()))
    scope: dict[str, OpeningList] = {}
    exec(source, scope)
    assert scope["LIST"] == replace(known, card=known.card.strip())
    assert max(map(len, source.splitlines())) <= 110


@pytest.mark.parametrize("swap", [True, 1, 3])
def test_a_game_of_ones_own_may_have_a_komi_and_a_swap(swap: object) -> None:
    game = game_from_dict({**TINY, "komi": -1.5, "swap": swap})
    assert (game.komi, game.stages[0].swap_after) == (-3, 1 if swap is True else swap)
    assert game_from_dict({**TINY, "tie": "draw", "komi": 2}).tie_rule is Tie.DRAW
    bonus = game_from_dict({**TINY, "tie": "draw", "komi": 0.5, "last-bonus": 0.5})
    assert bonus.komi == 1


def test_a_game_of_ones_own_may_let_a_player_name_the_komi() -> None:
    game = game_from_dict({**TINY, "komi": "choose"})
    assert game.start().must_name_komi
    with pytest.raises(GameError, match=r"komi = \"choose\" and swap contradict"):
        game_from_dict({**TINY, "komi": "choose", "swap": True})


@pytest.mark.parametrize("komi", [0.3, "much", True, 1001])
def test_a_komi_that_is_not_in_half_points_is_refused(komi: object) -> None:
    with pytest.raises(GameError, match="komi: invalid"):
        game_from_dict({**TINY, "komi": komi})


def test_a_tie_that_never_happens_is_refused_in_a_game_of_ones_own() -> None:
    with pytest.raises(GameError, match=r"tie=draw and komi=0.5 contradict"):
        game_from_dict({**TINY, "tie": "draw", "komi": 0.5})


def test_a_swap_before_the_first_piece_needs_a_named_komi() -> None:
    game = parse_game("taiji:size=4")
    early = (replace(game.stages[0], swap_after=0),)
    with pytest.raises(GameError, match="needs a komi that is named"):
        replace(game, stages=early)
    with pytest.raises(GameError, match="needs a swap after 0"):
        replace(game, komi_names=(0,))
    with pytest.raises(GameError, match="no fixed komi"):
        replace(game, stages=early, komi_names=(0,), komi=1)
    with pytest.raises(GameError, match="swap after -1"):
        replace(game.stages[0], swap_after=-1)


def test_nothing_is_named_in_a_game_that_is_over_at_once() -> None:
    game = game_from_dict({**TINY, "board": ["."], "komi": "choose"})
    state = game.start()
    assert state.is_over
    assert state.legal() == []
    assert tuple(state.scores()) == (0, 0)


@pytest.mark.parametrize("text", ["taiji", "tailits", "battle-of-lits", "tailits+taiji"])
def test_the_rulebooks_game_has_no_komi_and_no_new_actions(text: str) -> None:
    game = parse_game(text)
    assert (game.komi, game.komi_names, game.opening) == (0, (), ())
    assert game.action_count == len(game.placements) + (game.swap is not None)
