"""The batched environment on rules that nobody designed it for: it plays as `State` does, or refuses by name.

`make soak` sets TAIJI_SOAK=1 and plays thousands of generated games.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from taiji.envs.batched import BatchedEnv  # noqa: E402
from taiji.rules import (  # noqa: E402
    Adjacency,
    Colour,
    Game,
    GameError,
    GroupProduct,
    LargestGroups,
    State,
    Unsupported,
    parse_game,
)
from taiji.rules.placing import DeclaredTests, FirstMustCover, NoFullBlock  # noqa: E402
from taiji.rules.program import Around, Counts, Plane, Source, Test, Why  # noqa: E402
from tests.generated_rules import random_game  # noqa: E402
from tests.quick_compiling import quick_compiling  # noqa: E402
from tests.rules.plans import FAIR_STARTS  # noqa: E402
from tests.rules.test_invented_rules import INVENTED, InventedScore, NoCrowd, OddGroups, with_stage  # noqa: E402

__all__ = ["quick_compiling"]

SOAKING = os.environ.get("TAIJI_SOAK") == "1"
RULES = 2_000 if SOAKING else 10
GAMES_PER_RULE = 30
"""Games that are played at once with the rules of one generated game."""
REFUSED = {"last-placement-bonus", "pieces"}
"""Why a generated game of one stage is refused, besides REFUSED_DETAILS."""
REFUSED_DETAILS = {"groups of symbols", "a komi beside scores of more than 29 bits"}
GROUPS_OF_SYMBOLS = InventedScore(changes=(("source", Source.SYMBOLS),))


def play_random_games(env: BatchedEnv, which: np.ndarray, plies: int, seed: int):
    """Return the views of each ply of random games and the actions played: [ply, game, …]."""

    def turn(batch, key):
        views = tuple(jax.vmap(see)(batch) for see in (env.legal, env.scores, env.winner, env.seat_to_move))
        action = jax.vmap(env.random_action)(jax.random.bits(key, which.shape), views[0])
        return jax.vmap(env.step)(batch, action), (*views, batch.done, action)

    @jax.jit
    def play(which, key):
        return jax.lax.scan(turn, jax.vmap(env.reset)(which), jax.random.split(key, plies + 1))[1]

    return map(np.asarray, play(jnp.asarray(which), jax.random.key(seed)))


def compare(games: list[Game], count: int, seed: int = 1) -> list[State]:
    """Play random games and hold every ply against `State`; return how the games ended."""
    env = BatchedEnv(games)
    which = np.arange(count) % len(games)
    choices = max(game.stages[0].swap + bool(game.komi_names) for game in games)
    plies = min(max(sum(game.stages[0].supply) for game in games), env.cells) + choices
    legal, scores, winner, mover, done, actions = play_random_games(env, which, plies, seed)
    states = [games[index].start() for index in which]
    for ply in range(plies + 1):
        for index, state in enumerate(states):
            of_game = env.game_actions[which[index]]
            assert sorted(of_game[legal[ply, index]]) == [move.action for move in state.legal()]
            by_seat = state.stage_scores()
            assert scores[ply, index].tolist() == [by_seat[state.seat_of(colour)] for colour in Colour]
            assert done[ply, index] == state.is_over
            outcome = state.outcome()
            if outcome is None:
                assert mover[ply, index] == state.seat_to_move
                states[index] = state.play(state.game.move(int(of_game[actions[ply, index]])))
            else:
                assert winner[ply, index] == (-1 if outcome.winner is None else outcome.winner)
    assert all(state.is_over for state in states)
    return states


def refusal(game: Game) -> Unsupported | None:
    """Return why the environment refuses a game, or None."""
    try:
        BatchedEnv(game)
    except Unsupported as error:
        return error
    return None


def supported_game(seed: int) -> Game:
    """Return a generated game of one stage without what the environment refuses."""
    dice = Random(seed)
    while True:
        game = random_game(dice, max_stages=1)
        game = replace(game, stages=(replace(game.stages[0], last_placement_bonus=0),))
        if refusal(game) is None:
            return game


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(RULES))
def test_generated_rules_are_played_as_the_state_plays_them(seed: int) -> None:
    compare([supported_game(seed)], GAMES_PER_RULE, seed)


def test_the_share_of_generated_rules_that_is_refused() -> None:
    games = [random_game(Random(seed)) for seed in range(300)]
    refused = 0
    for game in games:
        error = refusal(game)
        if error is None:
            assert len(game.stages) == 1
            continue
        assert error.engine == "batched"
        assert (error.rule == "stages") == (len(game.stages) > 1)
        is_too_large = error.rule == "tally" and error.detail.endswith("more than 31 bits")
        assert error.rule in {"stages", *REFUSED} or error.detail in REFUSED_DETAILS or is_too_large
        refused += error.rule != "stages"
    single = sum(len(game.stages) == 1 for game in games)
    assert 0.4 <= refused / single <= 0.7, "half of the generated stages have a bonus"


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("text", [text for text in FAIR_STARTS if len(parse_game(text).stages) == 1])
def test_fair_starts_are_played_as_the_state_plays_them(text: str) -> None:
    compare([parse_game(text)], 1_000 if SOAKING else 12)


def test_games_with_different_openings_share_a_batch() -> None:
    games = [
        parse_game(text) for text in ("taiji:size=7,opening=1", "taiji:size=7,opening=2", "taiji:size=7")
    ]
    env = BatchedEnv(games)
    placed = jax.vmap(env.reset)(jnp.arange(3)).placed
    assert placed.tolist() == [len(game.opening) for game in games]
    compare(games, 9)


def test_games_with_different_komis_to_name_do_not() -> None:
    game = parse_game("taiji:size=4,komi=choose")
    with pytest.raises(GameError, match="differ in more than board and scoring"):
        BatchedEnv([game, replace(game, komi_names=(-1, 0, 1))])


def test_a_rule_and_a_scoring_defined_in_a_test_are_played() -> None:
    compare([with_stage(constraints=(NoCrowd(1),), scoring=OddGroups())], 8)


def test_group_tie_breaks_of_symbols_are_counted() -> None:
    game = parse_game("battle-of-lits:symbols=x.x.x|ooo..|ooo..|x...x|..x..")
    tiebreak = (LargestGroups(1), LargestGroups(2, Adjacency.KING))
    game = replace(game, stages=(replace(game.stages[0], tiebreak=tiebreak),))
    ended = compare([game], 64)
    tied = [state for state in ended if len(set(state.scores())) == 1]
    decided = [
        state
        for state in tied
        if len({game.stages[0].tallies[1].score(state.board, state.scoring_cells(c)) for c in Colour}) == 2
    ]
    assert decided, "some tie is broken by the largest group"


def test_tie_breaks_may_join_squares_differently_than_the_score() -> None:
    compare([with_stage(tiebreak=(LargestGroups(1, Adjacency.KING), GroupProduct()))], 16)


def test_a_supply_beyond_int8_is_played() -> None:
    stage = parse_game("taiji:size=3").stages[0]
    stocks = tuple(replace(stock, count=300) for stock in stage.stocks)
    game = with_stage("taiji:size=3", stocks=stocks)
    states = compare([game], 4)
    assert all(state.supply[0] == 300 - len(state.placed[0]) for state in states)


@pytest.mark.parametrize(
    ("game", "rule", "detail"),
    [
        (parse_game("tailits+taiji"), "stages", "tailits+taiji has 2 stages (expected one)"),
        (with_stage(last_placement_bonus=1), "last-placement-bonus", "invented gives points for the last"),
        (with_stage("battle-of-lits", scoring=GROUPS_OF_SYMBOLS), "invented-score", "groups of symbols"),
        *INVENTED,
    ],
)
def test_what_the_environment_does_not_play_is_refused_by_name(game: Game, rule: str, detail: str) -> None:
    with pytest.raises(Unsupported) as error:
        BatchedEnv(game)
    assert (error.value.engine, error.value.rule) == ("batched", rule)
    assert error.value.detail.startswith(detail)


def test_scores_of_more_than_31_bits_are_refused() -> None:
    squares = tuple(size**2 for size in range(122))

    class Power(OddGroups):
        key = "power"

        def lower(self, board, source):
            return replace(GroupProduct().lower(board, source), rule=self.key, value=squares)

    BatchedEnv(with_stage("taiji:size=5", scoring=Power()))
    with pytest.raises(Unsupported, match="batched does not support the rule power: scores from 0 to"):
        BatchedEnv(with_stage("taiji:size=11", scoring=Power()))
    omega = BatchedEnv(parse_game("taiji:size=11,score=omega"))
    scores = jax.eval_shape(lambda game: omega.scores(omega.reset(game)), jnp.int32(0))
    assert scores.dtype == np.uint32, "3²⁰ needs the 32nd bit"


def test_boards_on_which_a_rule_means_something_else_are_not_mixed() -> None:
    blocks = [with_stage(f"taiji:size={size}", constraints=(NoFullBlock(2, 2),)) for size in (4, 3)]
    compare(blocks, 8)
    corner = [with_stage(f"taiji:size={size}", constraints=(FirstMustCover(1),)) for size in (4, 3)]
    compare(corner, 8)
    far = with_stage("taiji:size=3", constraints=(FirstMustCover(2),))
    with pytest.raises(GameError, match="differ in more than board and scoring"):
        BatchedEnv([corner[0], far])
    enclosed = DeclaredTests(
        (Test("enclosed", Plane.COVERED, Around(), Counts(((0, -2),)), Why("enclosed", "no")),)
    )
    edges = [with_stage(f"taiji:size={size}", constraints=(enclosed,)) for size in (4, 3)]
    with pytest.raises(GameError, match="differ in more than board and scoring"):
        BatchedEnv(edges)
