"""The batched environment plays every single-stage game as `State` does, ply by ply."""

from __future__ import annotations

import os

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from taiji.envs.batched import BatchedEnv  # noqa: E402
from taiji.kernel import Kernel  # noqa: E402
from taiji.rules import Colour, GameError, parse_game  # noqa: E402
from tests.quick_compiling import quick_compiling  # noqa: E402

__all__ = ["quick_compiling"]

GAMES = 1000 if os.environ.get("TAIJI_SOAK") else 14

FAMILIES = {
    "sums and products": (
        "taiji:size=5",
        "taiji:size=7",
        "taiji:size=6,groups=2",
        "taiji:size=6,groups=3",
        "taiji:size=7,score=omega",
        "taiji:size=5,score=squares",
        "taiji:size=5,groups=2,score=product",
    ),
    "diagonal": ("taiji:size=6,diagonal=yes",),
    "six": ("tailits", "tailits:score=second"),
    "free": ("tailits:set=free",),
    "symbols": ("battle-of-lits", "battle-of-lits:board=7", "battle-of-lits:size=8"),
    "no swap": ("battle-of-lits:size=7,swap=no",),
}
SOAKED = ("diagonal", "free", "no swap")
"""Families that add little to the others: left to the long tests."""


class Batch:
    """Games of one family side by side: in the environment, and as states."""

    def __init__(self, texts: tuple[str, ...], count: int) -> None:
        games = [parse_game(text) for text in texts]
        self.env = env = BatchedEnv(games)
        self.which = np.arange(count) % len(games)
        self.states = [games[index].start() for index in self.which]
        self.batch = jax.jit(jax.vmap(env.reset))(jnp.asarray(self.which))
        self.key = jax.random.key(7)

        @jax.jit
        def look(batch):
            return tuple(
                jax.vmap(see)(batch) for see in (env.legal, env.scores, env.winner, env.seat_to_move)
            )

        @jax.jit
        def advance(batch, key):
            legal = jax.vmap(env.legal)(batch)
            action = jax.vmap(env.random_action)(jax.random.bits(key, (count,)), legal)
            return jax.vmap(env.step)(batch, action), action

        self.look, self.advance = look, advance

    def compare(self) -> None:
        legal, scores, winner, mover = map(np.asarray, self.look(self.batch))
        done = np.asarray(self.batch.done)
        for index, state in enumerate(self.states):
            numbers = self.env.game_actions[self.which[index]]
            assert sorted(numbers[legal[index]]) == [move.action for move in state.legal()]
            by_seat = state.stage_scores()
            assert scores[index].tolist() == [by_seat[state.seat_of(colour)] for colour in Colour]
            assert done[index] == state.is_over
            outcome = state.outcome()
            if outcome is None:
                assert mover[index] == state.seat_to_move
            else:
                assert winner[index] == (-1 if outcome.winner is None else outcome.winner)

    def play(self) -> None:
        self.key, key = jax.random.split(self.key)
        self.batch, actions = self.advance(self.batch, key)
        for index, action in enumerate(np.asarray(actions)):
            state = self.states[index]
            if not state.is_over:
                number = self.env.game_actions[self.which[index]][action]
                self.states[index] = state.play(state.game.move(int(number)))

    @property
    def over(self) -> bool:
        return all(state.is_over for state in self.states)


@pytest.mark.parametrize(
    "family",
    [
        pytest.param(name, marks=pytest.mark.skipif(name in SOAKED and GAMES < 1000, reason="a long test"))
        for name in FAMILIES
    ],
)
def test_the_environment_plays_as_the_state_does(family: str) -> None:
    texts = FAMILIES[family]
    batch = Batch(texts, GAMES * len(texts) if GAMES == 1000 else GAMES)
    batch.compare()
    while not batch.over:
        batch.play()
        batch.compare()


@pytest.mark.skipif(GAMES < 1000, reason="a long test")
def test_ten_thousand_games_on_the_largest_board_are_those_of_the_kernel() -> None:
    """The kernel, which other tests hold to the state, is quick enough to follow that many games."""
    game, count = parse_game("taiji:size=11"), 2000
    kernel, numbers = Kernel(game), BatchedEnv(game).game_actions[0]
    batch = Batch(("taiji:size=11",), count)
    start = batch.batch
    for _ in range(10_000 // count):
        batch.batch, positions = start, [kernel.start() for _ in range(count)]
        while not all(position.is_over for position in positions):
            batch.key, key = jax.random.split(batch.key)
            batch.batch, actions = batch.advance(batch.batch, key)
            for position, action in zip(positions, np.asarray(actions), strict=True):
                if not position.is_over:
                    position.play(int(numbers[action]))
            legal, scores, winner, _ = map(np.asarray, batch.look(batch.batch))
            done = np.asarray(batch.batch.done)
            for index, position in enumerate(positions):
                assert sorted(numbers[legal[index]].tolist()) == position.legal()
                assert scores[index].tolist() == list(position.scores())
                assert done[index] == position.is_over
                assert not position.is_over or winner[index] == position.winner()


def test_a_finished_game_stays_as_it_is() -> None:
    env = BatchedEnv(parse_game("taiji:size=2"))
    step = jax.jit(lambda state: env.step(state, jnp.argmax(env.legal(state))))
    state = jax.jit(env.reset)(jnp.int32(0))
    for _ in range(3):
        before, state = state, step(state)
    assert state.done
    assert all(np.array_equal(one, two) for one, two in zip(before, state, strict=True))


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        (("tailits+taiji",), "batched does not support the rule stages"),
        (("taiji", "tailits"), "differ in more than board and scoring"),
        ((), "at least one game"),
    ],
)
def test_games_that_share_no_environment_are_refused(texts: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(GameError, match=complaint):
        BatchedEnv([parse_game(text) for text in texts])


def test_every_move_has_one_action() -> None:
    for text in ("taiji:size=5", "tailits", "battle-of-lits"):
        game = parse_game(text)
        numbers = BatchedEnv(game).game_actions[0]
        assert sorted(numbers[numbers >= 0]) == list(range(game.action_count))


def test_random_actions_are_spread_evenly() -> None:
    env = BatchedEnv(parse_game("taiji:size=3"))
    legal = jax.jit(lambda: env.legal(env.reset(jnp.int32(0))))()
    words = jax.random.bits(jax.random.key(3), (24_000,))
    draw = jax.jit(jax.vmap(env.random_action, (0, None)))
    counts = np.bincount(draw(words, legal), minlength=env.actions)
    assert not counts[~np.asarray(legal)].any()
    assert abs(counts[np.asarray(legal)] - 1000).max() < 200
