"""The piece in the hand: moved, turned, flipped, recoloured, always on the board."""

from __future__ import annotations

import random

import pytest

from taiji.rules import parse_game
from taiji.terminal.hand import Hand
from tests.notation.games import TEXTS, game, random_game


def held(text: str, kind: str | None = None) -> Hand:
    hand = Hand.take(game(text).start(), kind)
    assert hand is not None
    return hand


def text_of(hand: Hand) -> str:
    return str(hand.placement)


def test_a_domino_turns_about_the_cursor() -> None:
    hand = held("taiji:size=3")
    seen = []
    for _ in range(4):
        seen.append(text_of(hand))
        hand = hand.rotate()
    assert len(set(seen)) == 4
    assert text_of(hand) == seen[0]
    assert hand.rotate(-1) == hand.rotate(3)


def test_it_stays_on_the_board() -> None:
    hand = held("taiji:size=3")
    for _ in range(5):
        hand = hand.move(1, 0)
    assert hand.placement.cells & (0b100100100), "it is at the right edge"
    assert hand.move(1, 0).placement == hand.placement


def test_flipping_a_domino_changes_its_halves() -> None:
    hand = held("taiji:size=3")
    for turned in (hand, hand.rotate()):
        flipped = turned.flip()
        assert flipped.placement != turned.placement
        assert flipped.flip().placement == turned.placement


def test_kinds_and_faces() -> None:
    hand = held("tailits")
    assert [hand.of_kind(kind).placement.kind for kind in "LITS"] == list("LITS")
    assert hand.next_kind().placement.kind == "I"
    assert hand.next_kind(-1).placement.kind == "S"
    faces = {hand.placement}
    for _ in range(6):
        hand = hand.recolour()
        faces.add(hand.placement)
    assert len(faces) == 6, "an L has six faces on its cells"
    assert len({face.cells for face in faces}) == 1


@pytest.mark.parametrize("text", TEXTS)
def test_any_sequence_of_keys_keeps_a_placement(text: str) -> None:
    chance = random.Random(5)
    _, states = random_game(text, 3)
    hand = held(text)
    for state in states[: -1 : max(1, len(states) // 4)]:
        found = hand.for_state(state)
        assert found is not None
        hand = found.snap_to_legal()
        assert hand.reason is None, "it begins where it may be laid"
        for _ in range(30):
            match chance.randrange(6):
                case 0:
                    hand = hand.move(chance.randint(-2, 2), chance.randint(-2, 2))
                case 1:
                    hand = hand.rotate(chance.randint(-1, 2))
                case 2:
                    hand = hand.flip()
                case 3:
                    hand = hand.recolour()
                case 4:
                    hand = hand.next_kind(chance.choice((1, -1)))
                case _:
                    hand = hand.move_to(
                        chance.choice([c for c in range(state.board.size) if state.board.cells >> c & 1])
                    )
            assert state.game.placements[hand.placement.action] is hand.placement
            assert hand.placement.cells >> hand.cursor & 1, "the cursor is on the piece"
            assert (hand.reason is None) == (hand.placement in state.legal())


def test_nothing_is_held_when_nothing_is_left() -> None:
    end = random_game("taiji:size=4", 1)[1][-1]
    assert parse_game("taiji:size=4").start().supply
    assert Hand.take(end) is None or end.supply[0] > 0
