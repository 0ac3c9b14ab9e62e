"""Generated games: `State`, a player of the JSON and an oracle of the declared rules agree at every ply.

By default 300 games; `make soak` sets TAIJI_SOAK=1 and plays 50,000.
"""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taiji.rules import Board, Footprint, Game, Move, NameKomi, Placement, Seat, State
from taiji.rules.program import Source
from taiji.rules.program_json import layout_to_json, program_to_json
from taiji.rules.traits import score_bits, score_bounds
from tests.generated_rules import games, random_game
from tests.oracle_cells import Colouring, Refusal, cells_of
from tests.oracle_rules import RulesOracle
from tests.rules.json_player import JsonGame

SOAKING = os.environ.get("TAIJI_SOAK") == "1"
SHARDS = 50
GAMES_PER_SHARD = 1_000 if SOAKING else 4
SHRUNK_GAMES = 100


def colouring(move: Move, board: Board) -> Colouring | None:
    """Return a move as the oracle names it."""
    if not isinstance(move, Placement):
        return None
    light, dark = cells_of(move.light, board), cells_of(move.dark, board)
    return cells_of(move.cells, board), light, dark


def compare_position(state: State, oracle: RulesOracle, other: JsonGame) -> None:
    """Compare the legal moves, the scores and the player to move."""
    legal = state.legal()
    if oracle.must_name_komi:
        named = [move.half_points for move in legal if isinstance(move, NameKomi)]
        assert named == list(oracle.game.komi_names)
        assert len(named) == len(legal)
    else:
        told = set(oracle.choices) | ({None} if oracle.can_swap else set())
        assert {colouring(move, state.board) for move in legal} == told
    assert {move.action for move in legal} == other.actions()
    assert list(state.scores()) == oracle.totals()
    assert [2 * points for points in state.scores()] == other.half_points()
    assert state.is_over == (not oracle.choices)
    if not state.is_over:
        assert state.seat_to_move == oracle.seat_to_move


def compare_reasons(state: State, footprints: list[Footprint], oracle: RulesOracle, other: JsonGame) -> None:
    """Compare why some footprints are refused."""
    rows = other.layouts[state.stage_index]
    for footprint in footprints:
        reason = state.footprint_illegal_reason(footprint)
        told = oracle.refusal(footprint.kind, cells_of(footprint.cells, state.board))
        assert (reason is None) == (told is None)
        assert not (reason is not None and state.live >> footprint.index & 1)
        if reason is not None:
            names = tuple(state.board.cell(name) for name in reason.cells)
            cells = tuple((cell % state.board.width, cell // state.board.width) for cell in names)
            assert Refusal(reason.code, cells, reason.kind) == told
            assert (reason.code, reason.cells, reason.kind) == other.refusal(rows[footprint.index])


def compare_bounds(state: State) -> None:
    """Hold every tally to the bounds that follow from the number of cells."""
    for tally in state.compiled_stage.tallies:
        for seat in Seat:
            cells = state.scoring_cells(state.colour_of(seat), tally)
            score, count = tally.score(state.board, cells), cells.bit_count()
            low, high = score_bounds(tally, count, min(count, 1))
            assert low <= score <= high
            assert score.bit_length() <= score_bits(tally, count)


def compare_game(game: Game, dice: Random) -> int:
    """Play one random game on all three and return how many plies it had."""
    program = program_to_json(game.compiled)
    other = JsonGame(program, [layout_to_json(layout) for layout in game.layouts])
    state, oracle = game.start(), RulesOracle(game)
    plies = 0
    while True:
        compare_position(state, oracle, other)
        footprints = game.layouts[state.stage_index].footprints
        compare_reasons(state, dice.sample(footprints, min(len(footprints), 12)), oracle, other)
        compare_bounds(state)
        if state.is_over:
            break
        if dice.random() < 0.2:
            named = state.komi if game.komi_names else None
            assert State.restore(game, state.placed, state.swapped, named) == state
        move = dice.choice(state.legal())
        if isinstance(move, NameKomi):
            oracle.name_komi(move.half_points / 2)
        else:
            oracle.play(colouring(move, state.board))
        other.play(move.action)
        state = state.play(move)
        plies += 1
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winner == oracle.winner() == other.winner()
    return plies


@settings(max_examples=SHRUNK_GAMES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(games(), st.integers(0, 2**32))
def test_a_generated_game_agrees_with_its_oracle(game: Game, seed: int) -> None:
    compare_game(game, Random(seed))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shard", range(SHARDS))
def test_generated_games_agree_with_their_oracle(shard: int) -> None:
    for number in range(GAMES_PER_SHARD):
        seed = f"{shard}-{number}"
        compare_game(random_game(Random(seed)), Random(seed))


def test_generated_games_are_of_every_kind_and_most_are_played() -> None:
    made = [random_game(Random(f"0-{number}")) for number in range(300)]
    stages = [stage for game in made for stage in game.compiled.stages]
    assert {len(game.stages) for game in made} == {1, 2, 3}
    assert {game.tie_rule.value for game in made} == {"light", "dark", "last", "draw"}
    assert {len(stage.tests) for stage in stages} >= {1, 2, 3, 4}
    assert {stage.score.source for stage in stages} == set(Source)
    assert {stage.traits.order_free for stage in stages} == {True, False}
    assert {stage.swap_after for stage in stages} == {None, 0, 1, 2, 3}
    assert {game.komi for game in made} >= {0, 1, -3, 4}
    assert any(game.komi_names for game in made)
    assert any(game.opening for game in made)
    plies = [compare_plies(game) for game in made[:100]]
    assert sum(count >= 2 for count in plies) >= 50


def compare_plies(game: Game) -> int:
    """Play a random game and return how many plies it had."""
    dice, state = Random(1), game.start()
    while not state.is_over:
        state = state.play(dice.choice(state.legal()))
    return state.ply
