"""Thinking until `stop`: what ends a search, and what it answers."""

from __future__ import annotations

import pytest

from taiji.players import Info, Limit, make_player
from taiji.players.open_ended import SearchWatch
from taiji.rules import parse_game

STATE = parse_game("taiji:size=5").start()
LINE = Info(pv=(STATE.legal()[0],))


@pytest.mark.parametrize(
    ("limit", "is_stopped", "ends"),
    [
        (Limit(infinite=True), False, False),
        (Limit(infinite=True), True, True),
        (Limit(depth=2), False, False),
        (Limit(depth=1), False, True),
    ],
)
def test_a_depth_or_an_early_stop_ends_a_search(limit: Limit, is_stopped: bool, ends: bool) -> None:
    """A search that is only starting may miss `stop`: the watch repeats it."""
    stops: list[bool] = []
    watch = SearchWatch(limit, None, lambda: stops.append(True), lambda: is_stopped)
    watch(LINE)
    assert stops == [True] * ends


@pytest.mark.parametrize("name", ["mcts", "neural"])
def test_a_proof_by_the_solver_ends_the_search(name: str) -> None:
    player = make_player(name, seed=1)
    move, info = player.choose(parse_game("taiji:size=3").start(), Limit(infinite=True))
    assert info.exact
    assert info.pv[0] == move
    player.close()
