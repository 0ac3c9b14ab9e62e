"""A tiny agent learns TAIJI on 3×3: OpenSpiel's tabular Q-learner, through the PettingZoo environment.

Run it: python examples/train_q_learner.py --episodes 4000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.tabular_qlearner import QLearner

from taiji.envs import taiji_v1

LEARNER, OTHER = 1, 0
"""The learner plays Dark, which wins ties, against a random player."""


class Game:
    """Converts turns of PettingZoo to time steps of OpenSpiel's agents."""

    def __init__(self, text: str, seed: int) -> None:
        self.env = taiji_v1.env(text)
        self.actions = self.env.action_space("player_0").n
        self._dice = np.random.default_rng(seed)

    def play(self, agent: QLearner, *, learning: bool) -> float:
        """Play one game and return the reward of the learner."""
        self.env.reset()
        for name in self.env.agent_iter():
            seen, _, over, _, _ = self.env.last()
            if over:
                break
            choices = np.flatnonzero(seen["action_mask"])
            if name == f"player_{LEARNER}":
                action = agent.step(self._time_step(seen, choices), is_evaluation=not learning).action
            else:
                action = self._dice.choice(choices)
            self.env.step(int(action))
        reward = self.env.rewards[f"player_{LEARNER}"]
        if learning:
            agent.step(self._time_step(seen, choices, reward))
        return reward

    def _time_step(
        self, seen: dict, choices: np.ndarray, reward: float | None = None
    ) -> rl_environment.TimeStep:
        """Return the time step of the learner; a reward ends the game."""
        own = np.packbits(seen["observation"][1:3].astype(bool)).tobytes()
        return rl_environment.TimeStep(
            observations={"info_state": [None, own], "legal_actions": [None, choices.tolist()]},
            rewards=[0.0, reward or 0.0],
            discounts=[1.0, 1.0],
            step_type=rl_environment.StepType.MID if reward is None else rl_environment.StepType.LAST,
        )


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train, and return the win rates before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="taiji:size=3")
    parser.add_argument("--episodes", type=int, default=4000)
    parser.add_argument("--trials", type=int, default=300, help="games to measure with")
    options = parser.parse_args(arguments)
    np.random.seed(1)  # noqa: NPY002 - the Q-learner draws from the global generator
    game = Game(options.game, seed=1)
    agent = QLearner(player_id=LEARNER, num_actions=game.actions, step_size=0.3)

    def wins() -> float:
        return np.mean([game.play(agent, learning=False) > 0 for _ in range(options.trials)])

    before = wins()
    for _ in range(options.episodes):
        game.play(agent, learning=True)
    after = wins()
    print(
        f"{options.game}, {options.trials} games against chance: {before:.0%} won before, {after:.0%} after"
    )
    return float(before), float(after)


if __name__ == "__main__":
    main()
