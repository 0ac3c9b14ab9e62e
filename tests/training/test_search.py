"""The search on the device finds won endings, spends simulations as planned, plays no illegal moves."""

from __future__ import annotations

import random

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from taiji.envs.batched import BatchedEnv  # noqa: E402
from taiji.rules import State, parse_game  # noqa: E402
from taiji.training.search import MASKED_LOGIT, halving_schedule, largest, search  # noqa: E402

pytestmark = pytest.mark.slow

GAME = parse_game("taiji:size=4")


def wins(state: State) -> bool:
    """Return whether the seat to move can win."""
    if state.is_over:
        outcome = state.outcome()
        return outcome is not None and outcome.winner is state.seat_to_move
    return any(not wins(state.play(move)) for move in state.legal())


def endings(count: int) -> list[State]:
    """Draw positions with few moves left, some of which win and some lose."""
    draw, found = random.Random(5), []
    while len(found) < count:
        state = GAME.start()
        while not state.is_over and len(state.legal()) > 10:
            state = state.play(draw.choice(state.legal()))
        if not state.is_over:
            results = [wins(state.play(move)) for move in state.legal()]
            if any(results) and not all(results):
                found.append(state)
    return found


def test_the_search_finds_won_endings_without_any_knowledge() -> None:
    env = BatchedEnv(GAME)
    states = endings(24)
    action_of = {int(number): action for action, number in enumerate(env.game_actions[0]) if number >= 0}
    step, start = jax.jit(env.step), jax.jit(env.reset)(jnp.int32(0))
    batch = []
    for state in states:
        one = start
        for number in state.placed[0]:
            one = step(one, jnp.int32(action_of[number]))
        batch.append(one)
    together = jax.tree.map(lambda *parts: jnp.stack(parts), *batch)

    def ignorant(batch):
        legal = jax.vmap(env.legal)(batch)
        prior = -jnp.log(jnp.maximum(legal.sum(-1, keepdims=True), 1).astype(jnp.float32))
        return jnp.where(legal, prior, MASKED_LOGIT), jnp.zeros(legal.shape[0])

    run = jax.jit(lambda batch, key: search(env, ignorant, batch, key, simulations=400, candidates=16))
    found = run(together, jax.random.key(1))
    chosen = [
        state.play(GAME.move(int(env.game_actions[0][action])))
        for state, action in zip(states, np.asarray(found.action), strict=True)
    ]
    assert sum(not wins(state) for state in chosen) == len(states)
    legal = np.asarray(jax.jit(jax.vmap(env.legal))(together))
    policy = np.asarray(found.policy)
    assert np.allclose(policy.sum(1), 1, atol=1e-4)
    assert not policy[~legal].any()
    assert (np.abs(np.asarray(found.value)) <= 1).all()


def test_halving_gives_every_candidate_a_first_visit_and_the_best_most() -> None:
    table = halving_schedule(16, 32)
    assert table[16].tolist() == [0] * 16 + [1] * 8 + [2] * 4 + [3] * 4
    assert table[1].tolist() == list(range(32))
    for count in range(2, 17):
        assert table[count][:count].tolist() == [0] * count


def test_the_largest_of_long_rows_are_found_in_parts() -> None:
    values = jax.random.normal(jax.random.key(0), (4, 5000))
    for one, two in zip(largest(values, 16), jax.lax.top_k(values, 16), strict=True):
        assert np.array_equal(one, two)
