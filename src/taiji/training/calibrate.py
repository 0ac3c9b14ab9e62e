"""Positions to calibrate a quantised net and to test it: games of the net with itself, without search."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime  # type: ignore[import-untyped]

from taiji.nets.planes import Encoder
from taiji.rules import Game, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.envs.batched_tables import ScoringRule

    Inputs = dict[str, NDArray[np.float32]]


def positions(
    path: Path, games: Sequence[Game], rules: Sequence[ScoringRule], count: int, seed: int
) -> Iterator[Inputs]:
    """Yield inputs of the net from games drawn in turn, the moves drawn from its policy, some at random."""
    draw = random.Random(seed)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    encoders = [Encoder(game, rules) for game in games]
    found = 0
    while True:
        for encoder in encoders:
            state = encoder.game.start()
            while not state.is_over:
                planes, features = encoder.encode(state)
                inputs = {"planes": planes[None], "globals": features[None]}
                yield inputs
                found += 1
                if found == count:
                    return
                state = state.play(encoder.game.move(_move(session, encoder, state, inputs, draw)))


def _move(
    session: onnxruntime.InferenceSession, encoder: Encoder, state: State, inputs: Inputs, draw: random.Random
) -> int:
    """Draw a move from the policy; one in eight is any move."""
    moves = state.legal()
    if draw.random() < 0.125:
        return draw.choice(moves).action
    said = dict(zip((o.name for o in session.get_outputs()), session.run(None, inputs), strict=True))
    flat = said["policy"].reshape(-1)
    if "swap" in said:
        flat = np.append(flat, said["swap"])
    logits = flat[[encoder.policy_index(state, move) for move in moves]]
    weights = np.exp(logits - logits.max())
    return draw.choices(moves, weights.tolist())[0].action
