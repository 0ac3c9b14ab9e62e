"""The core runs the package's nets as onnxruntime does, and refuses what it does not know."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

from taiji.kernel import ConvNet, CoreEvaluator, Puct, PuctLimits, get_kernel  # noqa: E402
from taiji.nets.net import OnnxEvaluator, bundled_nets, open_net  # noqa: E402
from taiji.nets.net_file import read_net_file  # noqa: E402
from taiji.nets.planes import MARGIN_BINS, Encoder  # noqa: E402
from taiji.rules import Game, State, Swap, parse_game  # noqa: E402

NETS = {path.stem: path for path in bundled_nets()}
BOARDS = [("taiji", size) for size in range(5, 12)] + [("tailits", 11), ("battle-of-lits", 10)]


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("batch", [1, 3])
def test_the_core_says_what_onnxruntime_says(name: str, size: int, batch: int) -> None:
    net = open_net(NETS[name])
    core = ConvNet(read_net_file(NETS[name]).tensors, size, size, int16=False)
    draw = np.random.default_rng(size)
    planes = draw.integers(0, 3, (batch, net.planes, size, size)).astype(np.float32)
    numbers = draw.random((batch, net.globals), np.float32)
    policy = np.zeros((batch, net.policy, size, size), np.float32)
    swap, value = np.zeros(batch, np.float32), np.zeros(batch, np.float32)
    margin = np.zeros((batch, MARGIN_BINS), np.float32)
    core.evaluate(planes, numbers, policy, swap, value, margin)
    wanted = ["policy", "value", "margin"] + (["swap"] if net.swap else [])
    said = net.session().run(wanted, {"planes": planes, "globals": numbers})
    assert np.abs(said[0] - policy).max() < 2e-3
    assert np.abs(said[1][:, 0] - value).max() < 1e-3
    assert np.abs(said[2] - margin).max() < 2e-3
    if net.swap:
        assert np.abs(said[3][:, 0] - swap).max() < 1e-3


@pytest.mark.parametrize(("name", "size"), BOARDS)
@pytest.mark.parametrize("batch", [1, 3])
def test_whole_numbers_say_what_floats_say(name: str, size: int, batch: int) -> None:
    """Random play leads to positions; chances to win and shares of the policy differ by less than a point."""
    net = open_net(NETS[name])
    game = parse_game(name if name != "taiji" else f"taiji:size={size}")
    encoder = Encoder(game, net.rules)
    exact, quick = (
        ConvNet(read_net_file(NETS[name]).tensors, size, size, int16=int16) for int16 in (False, True)
    )
    draw = Random(size)
    chances, shares = [], []
    for _ in range(30 // batch):
        states = [_reached(game, draw) for _ in range(batch)]
        planes, numbers = (np.stack(part) for part in zip(*map(encoder.encode, states), strict=True))
        said = []
        for core in (exact, quick):
            policy = np.zeros((batch, net.policy, size, size), np.float32)
            swap, value = np.zeros(batch, np.float32), np.zeros(batch, np.float32)
            core.evaluate(planes, numbers, policy, swap, value, np.zeros((batch, MARGIN_BINS), np.float32))
            said.append((1 / (1 + np.exp(-value)), policy.reshape(batch, -1)))
        chances.append(np.abs(said[0][0] - said[1][0]))
        for index, state in enumerate(states):
            legal = [
                encoder.policy_index(state, move) for move in state.legal() if not isinstance(move, Swap)
            ]
            one, two = (np.exp(policy[index, legal] - policy[index, legal].max()) for _, policy in said)
            shares.append(np.abs(one / one.sum() - two / two.sum()).max())
    assert np.max(chances) < 1e-2
    assert np.mean(chances) < 5e-4
    assert np.max(shares) < 1e-2


def tensors_of(name: str) -> dict[str, np.ndarray]:
    return {key: np.asarray(tensor) for key, tensor in read_net_file(NETS[name]).tensors.items()}


def _reached(game: Game, draw: Random) -> State:
    """Return a position of a random game that is not over."""
    state = game.start()
    for _ in range(draw.randrange(12)):
        after = state.play(draw.choice(state.legal()))
        if after.is_over:
            break
        state = after
    return state


def test_a_search_finds_the_same_with_either() -> None:
    net, game = open_net(NETS["taiji"]), parse_game("taiji:size=6")
    found = []
    for runtime in ("core-float32", "onnxruntime"):
        evaluator = net.evaluator(game, 1, runtime)
        assert isinstance(evaluator, CoreEvaluator if runtime == "core-float32" else OnnxEvaluator)
        search = Puct(get_kernel(game), net.encoder_spec(game))
        found.append(search.run(game.start(), PuctLimits(playouts=80), [evaluator]))
    assert found[0].action == found[1].action
    assert found[0].win_prob == pytest.approx(found[1].win_prob, abs=0.02)


def test_the_evaluations_of_the_core_are_deterministic() -> None:
    net, game = open_net(NETS["taiji"]), parse_game("taiji:size=7")
    found = []
    for _ in range(2):
        search = Puct(get_kernel(game), net.encoder_spec(game))
        result = search.run(game.start(), PuctLimits(evaluations=60), [net.evaluator(game, 1)])
        found.append([(move.action, move.visits, move.win_prob) for move in result.moves])
    assert found[0] == found[1]


def test_a_net_of_another_shape_is_refused_and_runs_on_onnxruntime() -> None:
    tensors = tensors_of("taiji")
    for broken in (
        {},
        {name: value for name, value in tensors.items() if name != "value_w"},
        tensors | {"stem_w": tensors["stem_w"][:, :, :1, :1].copy()},
        tensors | {"block0_one_b": tensors["block0_one_b"][:5].copy()},
        tensors | {"margin_b": tensors["margin_b"][:60].copy()},
    ):
        with pytest.raises(ValueError, match=r"missing tensor|unexpected shape"):
            ConvNet(broken, 7, 7)
    with pytest.raises(ValueError, match="board"):
        ConvNet(tensors, 12, 12)


def test_a_net_for_another_game_is_refused() -> None:
    net, game = open_net(NETS["taiji"]), parse_game("taiji:size=6")
    search = Puct(get_kernel(game), net.encoder_spec(game))
    with pytest.raises(ValueError, match="does not fit the game"):
        search.run(game.start(), PuctLimits(playouts=5), [net.evaluator(parse_game("taiji:size=7"), 1)])


def test_the_package_runs_its_nets_without_any_package(tmp_path) -> None:
    """In a process of its own, in which none of the packages of the extra `ai` can be imported."""
    program = """
import sys
sys.modules['onnxruntime'] = sys.modules['onnx'] = sys.modules['numpy'] = None
from taiji.players import Limit, PlayerError, make_player
from taiji.rules import parse_game
state = parse_game('taiji:size=5').start()
move, info = make_player('neural:evaluations=2').choose(state, Limit())
assert state.is_legal(move) and info.win_prob is not None
assert info.playouts < 100, 'the net searched, not mcts'
try:
    make_player('neural:evaluations=2,runtime=onnxruntime').choose(state, Limit())
except PlayerError as error:
    assert "pip install 'taiji[ai]'" in str(error), error
else:
    raise AssertionError('an error was due')
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
