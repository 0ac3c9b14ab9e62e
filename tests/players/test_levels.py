"""The levels: their table, how they choose, and that nothing above level 3 plays at random."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest

from taiji.players import CandidateMove, Limit, PlayerError, make_player
from taiji.players.level_table import (
    MAX_LEVEL,
    MAX_RANDOM_LEVEL,
    Level,
    get_level,
    get_levels,
    parse_table,
)
from taiji.players.levels import LevelPlayer, choose_candidate
from taiji.players.searching import MAX_CANDIDATES
from taiji.rules import Game, State, parse_game

TABLES = (
    "taiji:size=7",
    "taiji:size=9",
    "taiji:size=11",
    "tailits",
    "battle-of-lits",
    "tailits+taiji",
    "taiji+battle-of-lits",
)
"""A game for each table of levels."""


def candidates(game: Game, *visits: int) -> list[CandidateMove]:
    return [CandidateMove(game.move(i), 0.0, visits=count) for i, count in enumerate(visits)]


def after(text: str, plies: int, seed: int) -> State:
    random, state = Random(seed), parse_game(text).start()
    for _ in range(plies):
        state = state.play(random.choice(state.legal()))
    return state


@pytest.mark.parametrize("text", TABLES)
def test_each_level_searches_more_and_errs_less_than_the_one_below(text: str) -> None:
    rows = get_levels(parse_game(text))
    assert len(rows) == MAX_LEVEL
    for lower, upper in pairwise(rows):
        assert upper.blunder_rate <= lower.blunder_rate
        assert upper.elo is None or (lower.elo is not None and upper.elo > lower.elo)
        assert bool(upper.evaluations) >= bool(lower.evaluations), "the net plays the upper levels"
        if bool(upper.evaluations) == bool(lower.evaluations):
            assert upper.search_playouts >= lower.search_playouts
            assert upper.temperature <= lower.temperature
            assert upper != lower
    assert rows[0].elo == 0
    assert rows[-1].evaluations
    assert rows[-1].temperature == rows[-1].blunder_rate == 0


@pytest.mark.parametrize("text", TABLES)
def test_the_measured_steps_are_even(text: str) -> None:
    elos = [level.elo for level in get_levels(parse_game(text)) if level.elo is not None]
    steps = [upper - lower for lower, upper in pairwise(elos)]
    assert all(150 <= step <= 450 for step in steps)


@pytest.mark.parametrize("number", range(MAX_RANDOM_LEVEL + 1, MAX_LEVEL))
@pytest.mark.parametrize(
    ("text", "plies"), [("taiji:size=7", 6), ("taiji:size=9", 12), ("battle-of-lits", 3)]
)
def test_above_level_3_the_move_is_one_that_the_search_has_tried(text: str, plies: int, number: int) -> None:
    assert get_level(parse_game(text), number).blunder_rate == 0
    for seed in range(4):
        state = after(text, plies, seed)
        move, info = make_player(f"level:{number}", seed=seed).choose(state, Limit())
        tried = [entry.move for entry in info.candidates[:MAX_CANDIDATES] if entry.visits]
        assert move in (tried or info.pv[:1])


def test_a_level_is_the_same_for_the_same_seed_and_varies_with_it() -> None:
    state = after("taiji:size=9", 10, 1)
    for number in (2, 5, 8):
        chosen = [
            make_player(f"level:{number}", seed=seed).choose(state, Limit())[0] for seed in (4, 4, 5, 6, 7, 8)
        ]
        assert chosen[0] == chosen[1]
        assert len(set(chosen)) > 1


def test_candidates_are_chosen_in_proportion_to_their_visits() -> None:
    game = parse_game("taiji:size=7")
    entries, random = candidates(game, 60, 30, 10, 0), Random(1)
    counts = [0] * len(entries)
    for _ in range(4000):
        counts[choose_candidate(entries, 1.0, random).move.action] += 1
    assert counts[3] == 0
    assert [count / 4000 for count in counts[:3]] == pytest.approx([0.6, 0.3, 0.1], abs=0.03)


def test_a_low_temperature_plays_the_best_and_a_high_one_any_candidate() -> None:
    game = parse_game("taiji:size=7")
    entries, random = candidates(game, 60, 50, 1), Random(2)
    assert {choose_candidate(entries, 0.01, random).move.action for _ in range(200)} == {0}
    hot = [choose_candidate(entries, 100.0, random).move.action for _ in range(600)]
    assert min(hot.count(action) for action in range(3)) > 140


def test_candidates_without_visits_leave_the_first() -> None:
    game = parse_game("taiji:size=7")
    assert choose_candidate(candidates(game, 0, 0), 1.0, Random(1)).move.action == 0


def test_boards_between_the_measured_ones_use_the_nearest() -> None:
    by_size = {size: get_levels(parse_game(f"taiji:size={size}")) for size in range(2, 12)}
    assert by_size[2] == by_size[7] == by_size[8] != by_size[9]
    assert by_size[9] == by_size[10] != by_size[11]
    assert get_levels(parse_game("taiji:size=11,score=omega")) == by_size[11]


def test_a_level_without_a_net_for_its_game_plays_with_the_tree_search() -> None:
    state = parse_game("taiji:size=7,score=product").start()
    level = get_level(state.game, MAX_LEVEL - 1)
    _, info = make_player(f"level:{MAX_LEVEL - 1}", seed=1).choose(state, Limit())
    assert info.playouts >= level.search_playouts > level.evaluations


def test_a_custom_level_takes_evaluations_or_playouts() -> None:
    state = after("taiji:size=7", 4, 1)
    for text in (
        "evaluations=6,temperature=0.5",
        "playouts=40",
        "playouts=40,temperature=2,blunder_rate=0.5",
    ):
        move, _ = make_player(f"level:{text}", seed=1).choose(state, Limit())
        assert state.is_legal(move)
    with pytest.raises(PlayerError, match="beside evaluations"):
        make_player("level:playouts=3,evaluations=4")


def test_one_player_serves_games_with_and_without_a_net() -> None:
    player = LevelPlayer("custom", Level(evaluations=4), 1)
    for text in ("taiji:size=7", "taiji:size=4", "taiji:size=9"):
        state = parse_game(text).start()
        assert state.is_legal(player.choose(state, Limit())[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"playouts": 0}, "playouts=0"),
        ({"temperature": -1}, "temperature=-1"),
        ({"blunder_rate": 2}, "blunder_rate=2"),
        ({"wibble": 1}, "wibble"),
        ({"playouts": "many"}, "playouts"),
    ],
)
def test_a_bad_row_of_the_table_is_named(change: dict[str, object], message: str) -> None:
    rows = [{"playouts": 30, **(change if number == 4 else {})} for number in range(1, MAX_LEVEL + 1)]
    with pytest.raises(PlayerError, match=rf"taiji 9, level 4: .*{message}"):
        parse_table(json.dumps({"taiji": {"9": rows}}))


def test_a_table_needs_ten_levels_and_no_random_move_above_level_3() -> None:
    with pytest.raises(PlayerError, match="taiji 9: 9 levels"):
        parse_table(json.dumps({"taiji": {"9": [{"playouts": 30}] * 9}}))
    with pytest.raises(PlayerError, match=r"level 4: .*random"):
        parse_table(json.dumps({"taiji": {"9": [{"playouts": 30, "blunder_rate": 0.1}] * 10}}))
