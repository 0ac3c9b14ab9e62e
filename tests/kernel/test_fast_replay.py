"""Replaying a record in the kernel gives exactly what the rules give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taiji.kernel import fast_replay
from taiji.kernel.fast_replay import replay_with_kernel
from taiji.notation import NotationError, Record, RecordedMove
from taiji.notation.replays import replay_record, replay_with_rules
from tests.notation.interchange.samples import cut, game_record

VALUES = ["taiji:size=6", "taiji:score=omega", "tailits", "battle-of-lits", "taiji+battle-of-lits:size=5"]


@pytest.mark.parametrize("text", VALUES)
@pytest.mark.parametrize("seed", range(2))
def test_replays_as_the_rules_do(text: str, seed: int) -> None:
    record = game_record(text, seed)
    assert replay_record(record, replay_with_kernel) == replay_record(record, replay_with_rules)
    part = cut(record, 3, None)
    assert replay_record(part, replay_with_kernel) == replay_record(part, replay_with_rules)


def test_replays_from_a_position() -> None:
    whole = game_record("taiji+battle-of-lits:size=4", 1)
    states = whole.replay().states
    for index in (1, 5, len(whole.steps)):
        part = replace(whole, start=states[index], steps=whole.steps[index:])
        assert replay_record(part, replay_with_kernel) == replay_record(part, replay_with_rules)


@pytest.mark.parametrize(
    "moves", [("a1/a2", "a1/b1"), ("a1/a2", "z9"), ("a1/c3",), ("a1/b1", "a2/b2", "a3/b3")]
)
def test_errors_are_those_of_the_rules(moves: tuple[str, ...]) -> None:
    record = Record(game_record("taiji:size=2").game, tuple(map(RecordedMove, moves)))
    errors = []
    for replayer in (replay_with_rules, replay_with_kernel):
        with pytest.raises(NotationError) as caught:
            replay_record(record, replayer)
        errors.append((str(caught.value), caught.value.ply, caught.value.reason))
    assert errors[0] == errors[1]


def test_the_move_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_replay, "MAX_CACHED_MOVES", 3)
    record = game_record("taiji:size=7", 9)
    assert replay_record(record, replay_with_kernel) == replay_record(record, replay_with_rules)


def test_scores_beyond_64_bits_are_left_to_the_rules() -> None:
    record = game_record("taiji:size=11,score=omega", 2)
    assert fast_replay._move_cache(record.game) is None
    assert replay_record(record, replay_with_kernel) == replay_record(record, replay_with_rules)
