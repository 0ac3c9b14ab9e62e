"""Games written by a stored net: they follow the rules, continue after a stop and repeat with their seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax")

from taiji.envs.batched import BatchedEnv  # noqa: E402
from taiji.envs.batched_observe import Observer  # noqa: E402
from taiji.nets.net import FOLDER  # noqa: E402
from taiji.nets.net_file import NetError  # noqa: E402
from taiji.rules import parse_game  # noqa: E402
from taiji.training import games  # noqa: E402
from taiji.training.export import to_tensors  # noqa: E402
from taiji.training.net import fold_weights  # noqa: E402
from taiji.training.pack import read_net  # noqa: E402
from taiji.training.stored_net import load_start, load_stored_net  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["taiji", "tailits", "battle-of-lits"])
def test_a_stored_net_unfolds_into_the_params_it_was_folded_from(name: str) -> None:
    path = FOLDER / f"{name}.safetensors"
    net, file = load_stored_net(path), read_net(path)
    again = to_tensors(net.params, net.shape)
    assert again.keys() == file.tensors.keys()
    for key, tensor in file.tensors.items():
        factor = file.card.get("sharpness", 1.0) if key.startswith("value_") and len(key) == 7 else 1.0
        np.testing.assert_allclose(again[key], np.asarray(tensor) * factor, rtol=1e-5, atol=1e-6)


def test_a_run_starts_with_the_weights_of_a_net() -> None:
    path = FOLDER / "tailits.safetensors"
    file, scale = read_net(path), Observer(BatchedEnv("tailits")).scale
    shape = replace(load_stored_net(path).shape, scale=scale)
    again = to_tensors(fold_weights(load_start(path, shape)), shape)
    for key, tensor in file.tensors.items():
        np.testing.assert_allclose(again[key], np.asarray(tensor), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("change", [{"blocks": 5}, {"hidden": 32}, {"swap": True}])
def test_a_net_of_another_shape_is_refused(change: dict[str, int]) -> None:
    path = FOLDER / "tailits.safetensors"
    with pytest.raises(NetError, match="the net has another shape than the spec's"):
        load_start(path, replace(load_stored_net(path).shape, **change))


@pytest.fixture(scope="module")
def player() -> games.BatchPlayer:
    game = parse_game("taiji:size=4")
    settings = games.PlaySettings(simulations=4, candidates=2, random_plies=1, noisy_plies=3)
    return games.BatchPlayer(game, load_stored_net(games.find_net(game)), settings, batch=4)


def test_the_games_follow_the_rules_to_their_end(player: games.BatchPlayer) -> None:
    batch = player.play(seed=1, number=0)
    assert len({tuple(row) for row in batch["actions"].tolist()}) == 4
    for actions, chances in zip(batch["actions"], batch["win_prob"], strict=True):
        state = parse_game(str(batch["game"])).start()
        length = (actions >= 0).sum()
        for action in actions[:length].tolist():
            state = state.play(state.game.move(action))
        assert state.is_over
        assert (actions[length:] == -1).all()
        assert chances[0] == 255
        assert (chances[1:length] <= 200).all()


@pytest.mark.parametrize(("boards", "played"), [(2, [1, 2, 1]), (None, [8_000_025, 8_000_026, 8_000_027])])
def test_games_with_symbols_are_played_on_seeded_boards(boards: int | None, played: list[int]) -> None:
    game = parse_game("battle-of-lits")
    net = load_stored_net(games.find_net(game))
    player = games.BatchPlayer(game, net, games.PlaySettings(boards=boards), batch=4)
    texts = [player.board_game(seed=2, index=index) for index in range(3)]
    assert texts == [str(parse_game(f"battle-of-lits:board={number}")) for number in played]


def test_a_stopped_run_continues_with_the_same_games(player: games.BatchPlayer, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    games.write_games(player, whole, 8, seed=2, report=print)
    games.write_games(player, cut, 4, seed=2, report=print)
    games.write_games(player, cut, 8, seed=2, report=print)
    names = sorted(path.name for path in whole.iterdir())
    assert names == sorted(path.name for path in cut.iterdir()) == ["00000.npz", "00001.npz"]
    first, second = (np.load(whole / name)["actions"] for name in names)
    assert (first != second).any()
    for name in names:
        assert (np.load(whole / name)["actions"] == np.load(cut / name)["actions"]).all()


def test_a_game_without_a_net_is_refused_by_name(tmp_path: Path) -> None:
    problem = games.main(["tailits+taiji", str(tmp_path / "games.txt")])
    assert problem is not None
    assert problem.endswith("no shipped net plays it")
