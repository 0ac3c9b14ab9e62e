"""The ownership head: inputs and outputs of the net, and the reasons against a move that follow."""

from __future__ import annotations

import random

import numpy as np
import pytest

from taiji.analysis.ownership import ownership_of
from taiji.analysis.ownership_reasons import MIN_SQUARES, explain_by_ownership
from taiji.nets.net import bundled_nets, open_net
from taiji.nets.planes import Encoder
from taiji.rules import Colour, State, parse_game

GAMES = ("taiji:size=7", "tailits", "battle-of-lits:size=10,board=4")


def some_positions(game: str, seed: int = 5) -> list[State]:
    draw = random.Random(seed)
    state = parse_game(game).start()
    states = []
    while not state.is_over:
        states.append(state)
        state = state.play(draw.choice(list(state.legal())))
    return states[::4]


@pytest.mark.parametrize("text", GAMES)
def test_the_core_runs_the_ownership_head(text: str) -> None:
    """The same inputs as the reference encoder's, and the same outputs as onnxruntime's."""
    game = parse_game(text)
    net = next(net for net in map(open_net, bundled_nets()) if net.supports(game))
    encoder = Encoder(game, net.rules, sees_swap=net.swap)
    session = net.session()
    ownership = ownership_of(game)
    assert ownership is not None
    for state in some_positions(text):
        planes, numbers = encoder.encode(state)
        made = ownership.inputs(state)
        np.testing.assert_allclose(made[0], planes.ravel(), atol=1e-6)
        np.testing.assert_allclose(made[1], numbers, atol=1e-6)
        (logits,) = session.run(["owner"], {"planes": planes[None], "globals": numbers[None]})
        shares = np.exp(logits[0].reshape(5, -1))
        shares /= shares.sum(0)
        counting = ownership.counting(state)
        np.testing.assert_allclose(counting[state.colour_to_move], shares[3], atol=1e-3)
        np.testing.assert_allclose(counting[state.colour_to_move.other], shares[4], atol=1e-3)


def test_a_game_without_a_net_has_no_such_reasons() -> None:
    state = parse_game("tailits+taiji").start()
    first, second, *_ = state.legal()
    assert ownership_of(state.game) is None
    assert explain_by_ownership(state, first, second) == []


def test_a_group_given_away_is_named() -> None:
    """Dark can keep Light's two pairs apart at d3; its other half there joins them."""
    state = parse_game("taiji:size=7").start()
    for text in ("d4/e4", "g7/g6", "d2/e2", "a7/b7", "c4/c5", "a1/b1", "c2/c1", "g1/f1", "d6/e6"):
        state = state.play(state.parse(text))
    assert state.colour_to_move is Colour.DARK
    joining, cutting = state.parse("d3/e3"), state.parse("e3/d3")
    (reason,) = explain_by_ownership(state, joining, cutting)
    assert reason.code == "lets-keep"
    assert reason.params["squares"] >= MIN_SQUARES
    assert {"c2", "d2", "d3"} <= set(state.board.names(sum(1 << cell for cell in reason.cells)))
    assert reason.text.startswith("probably leaves Light about 2 more squares")
    assert explain_by_ownership(state, cutting, cutting) == []
