"""The compiled core shows a net what `planes.Encoder`, the reference, shows."""

from __future__ import annotations

import random

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

from taiji.kernel import Puct, get_kernel  # noqa: E402
from taiji.nets.net import bundled_nets, open_net  # noqa: E402
from taiji.nets.planes import Encoder  # noqa: E402
from taiji.rules import parse_game  # noqa: E402

NETS = {path.stem: path for path in bundled_nets()}
GAMES = [
    *[("taiji", str(game)) for game in open_net(NETS["taiji"]).games],
    *[("tailits", str(game)) for game in open_net(NETS["tailits"]).games],
    *[("battle-of-lits", f"battle-of-lits:board={seed}") for seed in (1, 2)],
    ("tailits", "tailits:pie=1"),
    ("taiji", "taiji:size=7,pie=3"),
]


@pytest.mark.parametrize(("name", "text"), GAMES)
def test_the_core_sees_what_the_reference_sees(name: str, text: str) -> None:
    net, game, draw = open_net(NETS[name]), parse_game(text), random.Random(text)
    assert net.supports(game)
    encoder = Encoder(game, net.rules, sees_swap=net.swap)
    search = Puct(get_kernel(game), net.encoder_spec(game))
    board = game.stages[0].board
    planes = np.ones((net.planes, board.height, board.width), np.float32)
    numbers = np.ones(net.globals, np.float32)
    for _ in range(2):
        state = game.start()
        while not state.is_over:
            symmetry = draw.randrange(len(game.symmetries))
            search.encode(state, symmetry, planes, numbers)
            seen, told = encoder.encode(state)
            moved = np.zeros((net.planes, board.size), np.float32)
            moved[:, list(game.symmetries[symmetry])] = seen.reshape(net.planes, -1)
            assert np.array_equal(planes.reshape(net.planes, -1), moved)
            assert np.allclose(numbers, told, atol=1e-6)
            assert numbers[1] == (net.swap and state.can_swap), "only a net that chose swaps sees one"
            state = state.play(draw.choice(state.legal()))


def test_a_wrong_buffer_is_refused() -> None:
    net, game = open_net(NETS["taiji"]), parse_game("taiji:size=5")
    search = Puct(get_kernel(game), net.encoder_spec(game))
    with pytest.raises(ValueError, match="buffers"):
        search.encode(game.start(), 0, np.zeros((8, 4, 5), np.float32), np.zeros(9, np.float32))
    with pytest.raises(ValueError, match="symmetry"):
        search.encode(game.start(), 8, np.zeros((8, 5, 5), np.float32), np.zeros(9, np.float32))


@pytest.mark.parametrize(
    "text",
    ["taiji:size=4", "taiji:score=product", "tailits:set=free", "tailits+taiji", "battle-of-lits:size=8"],
)
def test_games_that_no_net_has_learnt(text: str) -> None:
    assert not any(open_net(path).supports(parse_game(text)) for path in bundled_nets())
