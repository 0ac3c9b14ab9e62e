"""The search in JAX on fair starts that the net was not trained on."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from tests.quick_compiling import quick_compiling  # noqa: E402

from taiji.envs.batched import BatchedEnv  # noqa: E402
from taiji.nets.planes import MARGIN_BINS, MARGIN_LIMIT  # noqa: E402
from taiji.rules import NameKomi, Unsupported, parse_game  # noqa: E402
from taiji.training import games  # noqa: E402
from taiji.training.fair_start import complete_policy, take_better_colour, win_by_margin  # noqa: E402
from taiji.training.setup import build  # noqa: E402
from taiji.training.spec import SpecError, spec_from_toml  # noqa: E402
from taiji.training.stored_net import load_stored_net  # noqa: E402

__all__ = ["quick_compiling"]


def certain(margin: int) -> jax.Array:
    """Return the logits of a net that is sure of the mover's margin."""
    return jnp.where(jnp.arange(MARGIN_BINS) == margin + MARGIN_LIMIT, 100.0, -100.0)


@pytest.mark.parametrize(
    ("text", "margin", "win"),
    [
        ("taiji:size=3,komi=0.5", 0, 1.0),
        ("taiji:size=3,komi=-0.5", 0, 0.0),
        ("taiji:size=3,komi=1.5", -1, 1.0),
        ("taiji:size=3,komi=1", -1, 0.0),
        ("taiji:size=3,komi=1,tie=light", -1, 1.0),
        ("taiji:size=3,tie=draw", 0, 0.5),
        ("taiji:size=3,tie=last", 0, 0.5),
    ],
)
def test_light_at_the_start_wins_by_margin_komi_and_tie(text: str, margin: int, win: float) -> None:
    env = BatchedEnv(text)
    start = env.reset(jnp.int32(0))
    assert float(win_by_margin(env, start, certain(margin))) == pytest.approx(win)
    after = env.step(start, jnp.argmax(env.legal(start)))
    assert float(win_by_margin(env, after, certain(-margin))) == pytest.approx(1 - win), "Dark is to move"


def test_a_mover_who_may_swap_takes_the_better_colour() -> None:
    env = BatchedEnv("taiji:size=3,pie=1")
    start = env.reset(jnp.int32(0))
    after = env.step(start, jnp.argmax(env.legal(start)))
    assert [
        round(float(take_better_colour(env, state, jnp.float32(0.2))), 3) for state in (start, after)
    ] == [
        0.2,
        0.8,
    ]
    legal = env.legal(after)
    policy = jax.nn.softmax(
        jnp.where(legal, complete_policy(env, after, legal, jnp.zeros(env.actions - 1), certain(0)), -jnp.inf)
    )
    assert float(policy[-1]) == pytest.approx(0.5), "as likely as all placements together"


def test_the_likeliest_komi_makes_the_game_even() -> None:
    env = BatchedEnv("taiji:size=3,tie=draw,komi=choose")
    start = env.reset(jnp.int32(0))._replace(komi=jnp.int32(0))
    logits = complete_policy(env, start, env.legal(start), jnp.zeros(env.tables.placement_count), certain(2))
    named = np.asarray(logits[env.tables.placement_count + 1 :])
    assert env.tables.komi_names[int(named.argmax())] == -4, "two points ahead: komi -2, in half points"


@pytest.mark.slow
@pytest.mark.parametrize("options", ["komi=choose", "pie=1", "komi=0.5", "opening=1"])
def test_whole_games_with_a_fair_start_follow_the_rules(options: str) -> None:
    game = parse_game(f"taiji:size=7,{options}")
    settings = games.PlaySettings(simulations=8, candidates=4)
    player = games.BatchPlayer(game, load_stored_net(games.find_net(game)), settings, batch=8)
    batch = player.play(seed=1, number=0)
    for actions in batch["actions"]:
        state = game.start()
        for action in actions[actions >= 0].tolist():
            move = game.move(action)
            state = state.play(move)
            if isinstance(move, NameKomi):
                assert abs(move.half_points) <= 4, "nobody names a komi that gives the game away"
        assert state.is_over


def test_ratios_cannot_be_judged_with_a_komi() -> None:
    game = parse_game("taiji:size=7,score=omega,komi=2")
    with pytest.raises(Unsupported, match="margins that are ratios"):
        games.BatchPlayer(game, load_stored_net(games.find_net(game)), games.PlaySettings(), batch=2)


def test_no_net_learns_to_name_a_komi() -> None:
    text = 'name = "named"\n[[pool]]\ngames = { "taiji:size=5,komi=choose" = 1 }\n'
    with pytest.raises(SpecError, match="cannot learn to name a komi"):
        build(spec_from_toml(text))
