"""Every game as a PettingZoo environment: `taiji_v1.env("taiji:size=7")`.

`player_0` is the seat that starts as Light, `player_1` the other. `agent_selection` follows the rules: after
a swap or at the next stage a seat may move twice in a row. An observation is a dictionary: `observation`
(see docs/environments.md) and `action_mask`. The version in the module's name changes whenever actions,
observations or rewards change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from taiji.envs.adapter import RENDER_MODES, check_render_mode, get_adapter
from taiji.rules import IllegalMove, Seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.rules import Game

NAME = "taiji_v1"
AGENTS = ("player_0", "player_1")
ILLEGAL_REWARD = -1.0
"""The reward of an illegal action, if it loses the game."""

Observation = dict[str, Any]


def env(game: str | Game = "taiji", render_mode: str | None = None) -> raw_env:
    """Return an environment that follows PettingZoo's convention: an illegal action loses the game.

    It implements the convention itself: PettingZoo's wrappers for it take longer than a step.
    """
    return raw_env(game, render_mode, illegal="lose")


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801 - PettingZoo's convention
    """The environment; by default an illegal action raises `IllegalMove` and changes nothing."""

    metadata = {  # noqa: RUF012 - PettingZoo's convention
        "name": NAME,
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self, game: str | Game = "taiji", render_mode: str | None = None, illegal: str = "raise"
    ) -> None:
        super().__init__()
        if illegal not in ("raise", "lose"):
            raise ValueError(f"illegal={illegal!r}: invalid (expected raise or lose)")
        self.adapter = get_adapter(game)
        self.game = self.adapter.game
        self.render_mode = check_render_mode(render_mode)
        self.illegal = illegal
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        shape = self.adapter.planes.shape
        self._action_spaces = {agent: spaces.Discrete(self.adapter.actions) for agent in AGENTS}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self.adapter.actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.state_space = spaces.Box(0.0, 1.0, shape, np.float32)
        self.position = self.adapter.kernel.start()

    def __str__(self) -> str:
        return NAME

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return the observation space of an agent."""
        return cast("spaces.Space[Observation]", self._observation_spaces[agent])

    def action_space(self, agent: str) -> spaces.Space[int]:
        """Return the action space of an agent: the actions of the placements, then the swap."""
        return cast("spaces.Space[int]", self._action_spaces[agent])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game, from `options["position"]` if given; the seed is ignored, as nothing is random."""
        self.position = self.adapter.start(options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.core.seat_to_move]
        self._mask = self.adapter.mask(self.position)

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation and its mask, which is empty unless it is the agent's turn."""
        self._require_reset()
        acting = agent == self.agent_selection and not self.terminations[agent]
        mask = self._mask.copy() if acting else np.zeros(self.adapter.actions, np.int8)
        seat = Seat.SECOND if agent == AGENTS[1] else Seat.FIRST
        return {"observation": self.adapter.planes.encode(self.position, seat), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return the planes of the first seat."""
        return self.adapter.planes.encode(self.position, Seat.FIRST)

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move."""
        self._require_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            played = self.adapter.play(self.position, action)
        except IllegalMove:
            if self.illegal == "raise":
                raise
            EnvLogger.warn_on_illegal_move()
            self._end(agent, {agent: ILLEGAL_REWARD})
            return
        core = self.position.core
        if core.is_over:
            self._end(agent, dict(zip(AGENTS, self.adapter.rewards(self.position), strict=True)))
        else:
            self._mask = self.adapter.mask_after(self._mask, self.position, played)
            self.agent_selection = AGENTS[core.seat_to_move]
        if self.render_mode == "human":
            self.render()

    def _end(self, agent: str, rewards: dict[str, float]) -> None:
        """End the episode after this agent's step."""
        scores = self.position.scores()
        for seat, name in zip(Seat, AGENTS, strict=True):
            self.rewards[name] = rewards.get(name, 0.0)
            self.terminations[name] = True
            self.infos[name] = {"score": scores.of(seat), "margin": scores.of(seat) - scores.of(seat.other)}
        self._accumulate_rewards()
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]

    def _require_reset(self) -> None:
        if not hasattr(self, "agent_selection"):
            raise RuntimeError("reset() must be called first")

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render the position: text (`ansi`), an image (`rgb_array`), or text on the terminal (`human`)."""
        return self.adapter.render(self.position, self.render_mode)

    def close(self) -> None:
        """Release nothing: no resources are held."""


__all__ = ["env", "raw_env"]
