"""Masked PPO (Stable-Baselines3) learns TAIJI on 5×5 against a random opponent, by PettingZoo.

It needs PyTorch besides: pip install stable-baselines3 sb3-contrib
Run it: python examples/train_ppo.py --steps 40000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

from taiji.envs import taiji_v1


class OneSeat(gymnasium.Env):
    """One seat of the PettingZoo environment, alternating per game; a random player has the other."""

    def __init__(self, text: str) -> None:
        self.env = taiji_v1.env(text)
        space = self.env.observation_space("player_0")["observation"]
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (int(np.prod(space.shape)),), np.float32)
        self.action_space = self.env.action_space("player_0")
        self.seat = "player_0"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a game."""
        super().reset(seed=seed)
        self.env.reset()
        self.seat = f"player_{self.np_random.integers(2)}"
        self._let_chance_play()
        return self._seen(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action and the random reply."""
        self.env.step(int(action))
        self._let_chance_play()
        over = self.env.terminations[self.seat]
        return self._seen(), self.env.rewards[self.seat], over, False, {}

    def action_masks(self) -> np.ndarray:
        """Return the mask of legal actions, for masked agents."""
        return self.env.observe(self.seat)["action_mask"].astype(bool)

    def _let_chance_play(self) -> None:
        while self.env.agent_selection != self.seat and not self.env.terminations[self.seat]:
            mask = self.env.observe(self.env.agent_selection)["action_mask"]
            self.env.step(int(self.np_random.choice(np.flatnonzero(mask))))

    def _seen(self) -> np.ndarray:
        return self.env.observe(self.seat)["observation"].ravel()


def wins(model: MaskablePPO, env: OneSeat, games: int) -> float:
    """Return the win rate of the agent."""
    won = 0
    for seed in range(games):
        seen, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
            seen, reward, over, _, _ = env.step(int(action))
        won += reward > 0
    return won / games


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and return the win rates before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="taiji:size=5")
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--trials", type=int, default=200, help="games to measure with")
    options = parser.parse_args(arguments)
    env = OneSeat(options.game)
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, batch_size=256, ent_coef=0.01, seed=1, device="cpu")
    before = wins(model, env, options.trials)
    model.learn(options.steps)
    after = wins(model, env, options.trials)
    print(
        f"{options.game}, {options.trials} games against chance: {before:.0%} won before, {after:.0%} after"
    )
    return before, after


if __name__ == "__main__":
    main()
