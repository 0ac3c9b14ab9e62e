"""The net: smaller boards on a larger grid, and the same answers from the exported file."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax")
onnxruntime = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
jnp = jax.numpy

from taiji.nets.net import FOLDER, Net  # noqa: E402
from taiji.nets.net_file import NetFile  # noqa: E402
from taiji.training.export import to_tensors  # noqa: E402
from taiji.training.net import NetShape, apply, fold_weights, init  # noqa: E402
from taiji.training.pack import set_value_scale, write_net  # noqa: E402

pytestmark = pytest.mark.slow

SHAPE = NetShape(
    planes=8, globals=6, policy=4, swap=True, scale=(1, 1, 1, 1 / 16, 1 / 16, 1, 1, 1),
    blocks=2, channels=8, pooled=(1,), head=4, hidden=8,
)  # fmt: skip


@pytest.fixture(scope="module")
def fixed():
    @jax.jit
    def initialise():
        params = init(SHAPE, jax.random.key(3))
        noise = jax.random.key(4)
        return fold_weights(
            jax.tree.map(lambda part: part + 0.1 * jax.random.normal(noise, part.shape), params)
        )

    return initialise()


def evaluate(fixed, planes, features):
    return jax.jit(lambda *given: apply(given[0], SHAPE, *given[1:], jnp.float32))(fixed, planes, features)


def inputs(side: int, count: int = 3):
    draw = np.random.default_rng(side)
    planes = draw.integers(0, 3, (count, SHAPE.planes, side, side)).astype(np.uint8)
    planes[:, 0] = 1
    return planes, draw.normal(size=(count, SHAPE.globals)).astype(np.float32)


def test_a_small_board_on_a_larger_grid_gets_the_same_answers(fixed) -> None:
    planes, features = inputs(5)
    padded = np.pad(planes, ((0, 0), (0, 0), (0, 2), (0, 2)))
    small = evaluate(fixed, planes, features)
    large = evaluate(fixed, padded, features)
    for name in ("value", "margin"):
        assert np.allclose(getattr(small, name), getattr(large, name), atol=1e-5)
    grid = large.policy[:, :-1].reshape(3, 4, 7, 7)[..., :5, :5].reshape(3, -1)
    assert np.allclose(small.policy[:, :-1], grid, atol=1e-5)
    assert np.allclose(small.policy[:, -1], large.policy[:, -1], atol=1e-5)
    assert np.allclose(small.owner, large.owner[:, :5, :5], atol=1e-5)


def test_the_exported_net_says_the_same(fixed, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    write_net(path, NetFile({"name": "test"}, to_tensors(fixed, SHAPE)))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert session.get_modelmeta().custom_metadata_map["taiji"] == '{"name": "test"}'
    for side in (4, 7):
        planes, features = inputs(side)
        want = evaluate(fixed, planes, features)
        found = session.run(
            ["policy", "swap", "value", "margin", "owner"],
            {"planes": planes.astype(np.float32), "globals": features},
        )
        policy = np.concatenate([found[0].reshape(3, -1), found[1]], 1)
        assert np.allclose(policy, want.policy, atol=1e-4)
        assert np.allclose(found[2][:, 0], want.value, atol=1e-4)
        assert np.allclose(found[3], want.margin, atol=1e-4)
        assert np.allclose(found[4].transpose(0, 2, 3, 1), want.owner, atol=1e-4)


def test_sharpness_goes_into_the_card_and_nothing_else_changes(tmp_path: Path) -> None:
    path = tmp_path / "tailits.safetensors"
    shutil.copy(FOLDER / "tailits.safetensors", path)
    before = Net(path)
    set_value_scale(path, 2.0)
    after = Net(path)
    assert (after.name, after.games, after.value_logit_scale) == (before.name, before.games, 2.0)
    planes = np.ones((1, before.planes, 5, 5), np.float32)
    given = {"planes": planes, "globals": np.ones((1, before.globals), np.float32)}
    expected = Net(FOLDER / "tailits.safetensors").session().run(["value"], given)
    assert after.session().run(["value"], given) == expected


def test_a_sharper_net_is_surer(tmp_path: Path) -> None:
    path = tmp_path / "taiji.safetensors"
    shutil.copy(FOLDER / "taiji.safetensors", path)
    set_value_scale(path, 2.0)
    net = Net(path)
    assert net.calibrated_win_prob(0.5) == 0.5
    assert net.calibrated_win_prob(0.75) == pytest.approx(0.9)
    assert net.calibrated_win_prob(0.25) == pytest.approx(0.1)
    assert (net.calibrated_win_prob(0.0), net.calibrated_win_prob(1.0)) == (0.0, 1.0)
