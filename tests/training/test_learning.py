"""Training on a tiny board: it stops by the clock and resumes; in the long tests it learns to beat random."""

from __future__ import annotations

import gzip
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

jax = pytest.importorskip("jax")
optax = pytest.importorskip("optax")
jnp = jax.numpy
onnxruntime = pytest.importorskip("onnxruntime")

from taiji.nets.net import Net  # noqa: E402
from taiji.nets.planes import Encoder  # noqa: E402
from taiji.rules import Game, Seat, State, parse_game  # noqa: E402
from taiji.training import checkpoint  # noqa: E402
from taiji.training.checkpoint import CheckpointError  # noqa: E402
from taiji.training.config import LearningConfig  # noqa: E402
from taiji.training.curves import draw  # noqa: E402
from taiji.training.learner import start, update  # noqa: E402
from taiji.training.pack import export_checkpoint  # noqa: E402
from taiji.training.programs import CompiledPrograms, compile_all  # noqa: E402
from taiji.training.run import CHECKPOINT, LOG, Trainer  # noqa: E402
from taiji.training.setup import build  # noqa: E402
from taiji.training.spec import TrainingSpec, read_spec, spec_from_toml  # noqa: E402

pytestmark = pytest.mark.slow

SPECS = Path(__file__).parents[2] / "src" / "taiji" / "training" / "specs"
MINIMAL = """
name = "smallest"
[net]
blocks = 1
channels = 4
pooled = [0]
head = 4
hidden = 4
[search]
simulations = 4
candidates = 2
[learning]
batch = 16
[run]
precision = "float32"
capacity = 64
steps = 2
samples_per_position = 1.0
minutes = 1
gate_pairs = 4
gate_seconds = 20
[[pool]]
games = { "taiji:size=3" = 1.0 }
size = 8
plies = 4
random_plies = 1
"""


class Clock:
    """A clock that goes on by ten seconds whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 10
        return self.now


def smallest() -> TrainingSpec:
    return spec_from_toml(MINIMAL)


@pytest.fixture(scope="module")
def programs() -> CompiledPrograms:
    """The programs of the smallest spec, compiled once for all runs of it."""
    return compile_all(smallest(), build(smallest()))


@pytest.mark.parametrize(("score", "passes"), [(0.49, False), (0.5, True), (0.9, True)])
def test_a_new_net_takes_the_place_of_the_last_unless_it_loses_to_it(
    tmp_path: Path, score: float, passes: bool
) -> None:
    trainer = Trainer(smallest(), tmp_path, Clock(), lambda _: None)
    last = trainer.best
    met = []
    pool = SimpleNamespace(gate_match=lambda one, two, key: met.append((one, two)) or score)
    vars(trainer)["programs"] = SimpleNamespace(pools=[pool])
    assert trainer._gate() == {"gate_0": score}
    assert met[0][0] is trainer.learner.mean
    assert met[0][1] is last
    assert trainer.best is (trainer.learner.mean if passes else last)


def test_a_run_stops_by_the_clock_and_resumes(tmp_path: Path, programs: CompiledPrograms) -> None:
    output: list[str] = []
    first = Trainer(smallest(), tmp_path, Clock(), output.append)
    vars(first)["programs"] = programs
    first.train()
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert lines
    assert any("gate_0" in line for line in lines)
    assert first.progress == 1.0
    step = int(first.learner.step)
    again = Trainer(smallest(), tmp_path, Clock(), output.append)
    assert int(again.learner.step) == step
    assert again.progress == 1.0
    assert any("resuming" in line for line in output)

    larger = smallest()
    larger = replace(larger, net=replace(larger.net, channels=8))
    with pytest.raises(CheckpointError, match="another shape"):
        Trainer(larger, tmp_path, Clock(), output.append)

    card = export_checkpoint(tmp_path / CHECKPOINT, tmp_path / "net.safetensors")
    assert card["games"] == ["taiji:size=3"]
    assert card["training"]["steps"] == step
    assert (tmp_path / "net.safetensors").stat().st_size < 50_000
    assert Net(tmp_path / "net.safetensors").supports(parse_game("taiji:size=3"))
    pytest.importorskip("matplotlib")
    picture = draw(tmp_path)
    assert picture is not None
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_run_of_the_version_before_resumes_and_learns_on(
    tmp_path: Path, programs: CompiledPrograms
) -> None:
    """`first-format.tjc.gz` was written after 8 steps of this spec, before checkpoints were safetensors."""
    stored = gzip.decompress((Path(__file__).parent / "first-format.tjc.gz").read_bytes())
    (tmp_path / CHECKPOINT).write_bytes(stored)
    longer = replace(smallest(), run=replace(smallest().run, minutes=3))
    output: list[str] = []
    trainer = Trainer(longer, tmp_path, Clock(), output.append)
    before, facts = checkpoint.load(tmp_path / CHECKPOINT)
    assert output == ["resuming at 78 s, step 8"]
    assert facts["step"] == 8
    assert any(np.any(part) for part in checkpoint.flatten(before["second"]).values())
    again = trainer.tree()
    assert checkpoint.flatten(again).keys() == checkpoint.flatten(before).keys()
    for name, array in checkpoint.flatten(before).items():
        assert np.array_equal(checkpoint.flatten(again)[name], array), name
    assert int(optax.tree.get(trainer.learner.optimiser, "count")) == 8
    vars(trainer)["programs"] = programs
    trainer.train()
    after, facts = checkpoint.load(tmp_path / CHECKPOINT)
    assert facts["step"] > 8
    assert not np.array_equal(after["params"]["stem"]["w"], before["params"]["stem"]["w"])


def test_an_optimiser_step_is_adamw_on_clipped_gradients() -> None:
    config = LearningConfig(warmup=1, decay=0.1, clip=1.0, average=0.5)
    params = {"w": jnp.array([1.0, -2.0])}
    learner, moments, variances, weights = start(params, config), np.zeros(2), np.zeros(2), params["w"]
    for count, gradient in enumerate([np.array([3.0, 4.0]), np.array([0.3, -0.4])], 1):
        learner, norm = update(learner, {"w": jnp.asarray(gradient)}, config, jnp.float32(0.01))
        assert float(norm) == pytest.approx(np.linalg.norm(gradient))
        clipped = gradient / max(1.0, np.linalg.norm(gradient))
        moments, variances = 0.9 * moments + 0.1 * clipped, 0.98 * variances + 0.02 * clipped**2
        step = moments / (1 - 0.9**count) / (np.sqrt(variances / (1 - 0.98**count)) + 1e-7)
        weights = weights - 0.01 * (step + 0.1 * weights)
        assert np.allclose(learner.params["w"], weights, atol=1e-6)
    assert int(learner.step) == 2


def policy_move(session: onnxruntime.InferenceSession, encoder: Encoder, state: State) -> int:
    planes, features = encoder.encode(state)
    policy = session.run(["policy"], {"planes": planes[None], "globals": features[None]})[0].reshape(-1)
    moves = state.legal()
    best = int(np.argmax([policy[encoder.policy_index(state, move)] for move in moves]))
    return moves[best].action


def share_against_random(path: Path, game: Game, games: int) -> float:
    stage = game.stages[0]
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    encoder, dice, points = Encoder(game, [(stage.scoring, stage.tiebreak)]), random.Random(1), 0
    for index in range(games):
        state, seat = game.start(), Seat(index % 2)
        while not state.is_over:
            mine = state.seat_to_move is seat
            number = policy_move(session, encoder, state) if mine else dice.choice(state.legal()).action
            state = state.play(game.move(number))
        outcome = state.outcome()
        points += outcome is not None and outcome.winner is seat
    return points / games


@pytest.mark.skipif("TAIJI_SOAK" not in os.environ, reason="trains for minutes")
@pytest.mark.timeout(3600)
def test_from_nothing_to_nine_in_ten_against_random(tmp_path: Path) -> None:
    spec = read_spec(SPECS / "tiny.toml")
    Trainer(spec, tmp_path, report=print).train()
    export_checkpoint(tmp_path / CHECKPOINT, tmp_path / "net.onnx")
    assert share_against_random(tmp_path / "net.onnx", parse_game("taiji:size=4"), 400) >= 0.9
