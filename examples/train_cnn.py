"""Masked PPO (Stable-Baselines3) with a small convolutional net learns TAIJI on 5×5, by Gymnasium.

It needs PyTorch besides: pip install stable-baselines3 sb3-contrib
Run it: python examples/train_cnn.py --steps 40000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

import taiji.envs.gymnasium_v1

FEATURES = 128


class SmallCnn(BaseFeaturesExtractor):
    """Two layers of 3×3 filters, which keep the size of the board, then one dense layer."""

    def __init__(self, space: gymnasium.spaces.Box, features_dim: int = FEATURES) -> None:
        super().__init__(space, features_dim)
        planes, rows, columns = space.shape
        self.layers = nn.Sequential(
            nn.Conv2d(planes, 32, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(32 * rows * columns, features_dim),
            nn.ReLU(),
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the features of a batch of observations."""
        return self.layers(seen)


def make_env(game: str, opponent: str) -> gymnasium.Env:
    """Return the environment; the agent's seat changes from game to game."""
    return gymnasium.make("taiji/taiji-v1", game=game, opponent=opponent, seat="either")


def wins(model: MaskablePPO, env: gymnasium.Env, games: int) -> float:
    """Return the win rate of the agent."""
    won = 0
    for seed in range(games):
        seen, info = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=info["action_mask"].astype(bool), deterministic=True)
            seen, reward, over, _, info = env.step(int(action))
        won += reward > 0
    return won / games


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and return the win rates before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="taiji:size=5")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--trials", type=int, default=200, help="games to measure with")
    options = parser.parse_args(arguments)
    assert taiji.envs.gymnasium_v1
    torch.set_num_threads(1)
    many = DummyVecEnv([lambda: make_env(options.game, options.opponent)] * 4)
    # Planes are numbers from 0 to 1 already: nothing to divide by 255.
    policy = {"features_extractor_class": SmallCnn, "normalize_images": False, "net_arch": []}
    model = MaskablePPO(
        "CnnPolicy",
        many,
        n_steps=256,
        batch_size=256,
        ent_coef=0.01,
        seed=1,
        device="cpu",
        policy_kwargs=policy,
    )
    env = make_env(options.game, options.opponent)
    before = wins(model, env, options.trials)
    model.learn(options.steps)
    after = wins(model, env, options.trials)
    print(
        f"{options.game}, {options.trials} games against {options.opponent}: "
        f"{before:.0%} won before, {after:.0%} after"
    )
    return before, after


if __name__ == "__main__":
    main()
