"""The PUCT search, with evaluators that return what a test needs."""

from __future__ import annotations

import threading
import time

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

from taiji.kernel import Puct, PuctLimits, PuctOptions, Solver, get_kernel  # noqa: E402
from taiji.nets.net import bundled_nets, open_net  # noqa: E402
from taiji.nets.planes import MARGIN_BINS, MARGIN_LIMIT  # noqa: E402
from taiji.rules import MatchContext, Seat, parse_game  # noqa: E402

NET = next(path for path in bundled_nets() if path.stem == "taiji")


class Scripted:
    """Says the same of every position; counts what it was asked, and may be slow or fail."""

    def __init__(self, game, *, batch=1, value=0.0, margin=0, pause=0.0, fails_at=None):
        net, board = open_net(NET), game.stages[0].board
        self.planes = np.zeros((batch, net.planes, board.height, board.width), np.float32)
        self.globals = np.zeros((batch, net.globals), np.float32)
        self.asked = 0
        self._value, self._margin, self._pause, self._fails_at = value, margin, pause, fails_at
        self._cells = board.size

    def evaluate(self, count):
        self.asked += count
        time.sleep(self._pause)
        if self._fails_at is not None and self.asked >= self._fails_at:
            raise RuntimeError("the net broke")
        margin = np.full((count, MARGIN_BINS), -20, np.float32)
        margin[:, MARGIN_LIMIT + self._margin] = 20
        policy = np.zeros((count, 4 * self._cells), np.float32)
        return policy, None, np.full((count, 1), self._value, np.float32), margin


def search_of(text, **options):
    game = parse_game(text)
    return game, Puct(get_kernel(game), open_net(NET).encoder_spec(game), PuctOptions(**options))


def test_limits_of_descents_and_of_evaluations():
    game, search = search_of("taiji:size=5")
    judge = Scripted(game)
    result = search.run(game.start(), PuctLimits(playouts=50), [judge])
    assert result.playouts == 50
    assert result.evaluations == judge.asked < 50
    search.reset()
    result = search.run(game.start(), PuctLimits(evaluations=20), [judge])
    assert result.evaluations == 20
    assert sum(move.visits for move in result.moves) == result.playouts - 1


def test_images_of_a_position_are_judged_once():
    game, search = search_of("taiji:size=5")
    judge = Scripted(game)
    seen = []
    real = judge.evaluate
    judge.evaluate = lambda count: seen.append(judge.planes[0].copy()) or real(count)
    result = search.run(game.start(), PuctLimits(playouts=200), [judge])
    images = [
        {
            np.ascontiguousarray(np.rot90(side, turn, (1, 2))).tobytes()
            for turn in range(4)
            for side in (p, p[:, ::-1])
        }
        for p in seen
    ]
    assert result.cache_hits + len(seen) <= result.playouts
    assert result.cache_hits > 50
    for index, one in enumerate(images):
        assert all(one.isdisjoint(other) for other in images[:index])


def test_a_search_is_the_same_every_time_and_the_seed_matters():
    game = parse_game("taiji:size=7")
    net = open_net(NET)
    found = []
    for seed in (1, 1, 2):
        search = Puct(get_kernel(game), net.encoder_spec(game), PuctOptions(seed=seed))
        result = search.run(game.start(), PuctLimits(playouts=150), [net.evaluator(game, 1)])
        found.append([(move.action, move.visits, move.win_prob) for move in result.moves])
    assert found[0] == found[1] != found[2]


def test_the_tree_is_kept_when_a_move_is_played():
    game, search = search_of("taiji:size=6")
    judge = Scripted(game)
    first = search.run(game.start(), PuctLimits(playouts=400), [judge])
    after = game.start().play(game.move(first.action))
    kept = search.run(after, PuctLimits(playouts=1), [judge])
    assert sum(move.visits for move in kept.moves) > 1
    _, fresh = search_of("taiji:size=6")
    assert sum(m.visits for m in fresh.run(after, PuctLimits(playouts=2), [judge]).moves) == 1


def test_small_ends_are_proven_and_equal_the_solver():
    game = parse_game("taiji:size=5")
    state = game.start()
    while len(state.legal()) > 10:
        state = state.play(state.legal()[len(state.legal()) // 3])
    _, search = search_of("taiji:size=5")
    result = search.run(state, PuctLimits(playouts=100_000), [Scripted(game)])
    exact = Solver(get_kernel(game)).solve(state, all_best=True)
    assert result.proven
    assert result.win_prob == {None: 0.5, state.seat_to_move: 1.0}.get(exact.winner, 0.0)


LEADS = [
    (0, None, 1),
    (-2, None, 1),
    (-3, None, 0.5),
    (-3, Seat.FIRST, 1),
    (-3, Seat.SECOND, 0),
    (-4, None, 0),
]


@pytest.mark.parametrize(("lead", "tie", "win"), LEADS)
def test_a_lead_asks_the_margin_head(lead, tie, win):
    """The net is sure that the first seat, to move, wins by three."""
    game, search = search_of("taiji:size=9")
    result = search.run(
        game.start(),
        PuctLimits(playouts=1),
        [Scripted(game, value=-9, margin=3)],
        match=MatchContext(lead, tie),
    )
    assert result.win_prob == pytest.approx(win, abs=1e-3)
    search.reset()
    assert search.run(game.start(), PuctLimits(playouts=1), [Scripted(game, value=-9)]).win_prob < 0.01


def test_two_threads_share_a_tree():
    game, search = search_of("taiji:size=7")
    judges = [Scripted(game, batch=2, pause=0.001) for _ in range(2)]
    result = search.run(game.start(), PuctLimits(playouts=300), judges)
    assert all(judge.asked > 5 for judge in judges)
    assert 300 <= result.playouts <= 304
    assert sum(move.visits for move in result.moves) == result.playouts - 1


def test_stop_comes_through_and_time_is_kept():
    """Neither search would end by itself within the limit of a test."""
    game, search = search_of("taiji:size=9")
    threading.Timer(0.1, search.stop).start()
    search.run(game.start(), PuctLimits(seconds=3600), [Scripted(game, pause=0.001)])
    search.run(game.start(), PuctLimits(seconds=0.1), [Scripted(game, pause=0.001)])


def test_memory_is_bounded():
    game, search = search_of("taiji:size=6", memory=4 << 20)
    result = search.run(game.start(), PuctLimits(playouts=30_000), [Scripted(game, batch=8)])
    assert result.playouts == 30_000
    assert result.memory <= 4 << 20
    assert game.start().is_legal(game.move(result.action))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_net_that_fails_is_heard_of_and_can_be_used_again(threads):
    game, search = search_of("taiji:size=6")
    with pytest.raises(RuntimeError, match="the net broke"):
        search.run(
            game.start(), PuctLimits(playouts=200), [Scripted(game, fails_at=9) for _ in range(threads)]
        )
    result = search.run(game.start(), PuctLimits(playouts=20), [Scripted(game)])
    assert sum(move.visits for move in result.moves) >= 19


def test_a_game_that_is_over_is_refused():
    game = parse_game("taiji:size=5")
    state = game.start()
    while not state.is_over:
        state = state.play(state.legal()[0])
    _, search = search_of("taiji:size=5")
    with pytest.raises(ValueError, match="over"):
        search.run(state, PuctLimits(playouts=1), [Scripted(game)])


@pytest.mark.parametrize(
    "options",
    [{"memory": 1}, {"cpuct": 0.0}, {"fpu_reduction": 2.0}, {"policy_temperature": 0.0}, {"cpuct_base": 0.0}],
)
def test_options_that_cannot_be(options):
    with pytest.raises(ValueError, match=r"memory|cpuct|fpu_reduction"):
        search_of("taiji:size=5", **options)
