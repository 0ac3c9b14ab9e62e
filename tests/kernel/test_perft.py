"""The kernel counts what the tables in `tests/perft/` say."""

from __future__ import annotations

import pytest

from taiji.kernel import Kernel
from taiji.rules import parse_game
from tests.rules.helpers import play
from tests.rules.test_perft import LINES, Line


@pytest.mark.parametrize("line", LINES, ids=str)
def test_perft_agrees_with_the_table(line: Line) -> None:
    position = Kernel(parse_game(line.game)).position_from_state(play(line.game, *line.moves))
    assert position.perft(line.depth) == line.nodes


def test_no_depth_is_one_node_and_less_is_refused() -> None:
    start = Kernel(parse_game("taiji")).start()
    assert start.perft(0) == 1
    with pytest.raises(ValueError, match="0 or more"):
        start.perft(-1)
