"""Every game as a Gymnasium environment for one agent against any player.

Importing this module registers an id for each game of the catalogue: `taiji/taiji-v1`, `taiji/tailits-v1`,
`taiji/battle-of-lits-v1`, `taiji/tailits-taiji-v1` and `taiji/taiji-battle-of-lits-v1`. Pass options of
the game in its text: `gymnasium.make("taiji/taiji-v1", game="taiji:size=7", opponent="level:3")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from taiji.envs.adapter import RENDER_MODES, check_render_mode, get_adapter
from taiji.envs.opponents import RANDOM, make_opponent
from taiji.players import Limit
from taiji.rules import GAMES, IllegalMove, Seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from taiji.players import Player
    from taiji.rules import Game

NAMESPACE, VERSION = "taiji", 1
SEATS = {"first": Seat.FIRST, "second": Seat.SECOND}
EITHER = "either"
ILLEGAL_REWARD = -1.0
"""The reward of an illegal action, if it loses the game."""


class TaijiEnv(gymnasium.Env["NDArray[np.float32]", np.int64]):
    """One seat of a game; the opponent moves within `reset` and `step`.

    An observation is the planes of docs/environments.md; `info["action_mask"]` marks the legal actions. The
    reward at the end is 1, -1 or 0. An illegal action loses the game and `info["illegal"]` gives the reason;
    with `illegal="raise"` it raises instead.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - Gymnasium's convention

    def __init__(
        self,
        game: str | Game = "taiji",
        opponent: str | Player = RANDOM,
        seat: str = "first",
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        if seat not in (*SEATS, EITHER):
            raise ValueError(f"seat={seat!r}: invalid (expected {', '.join(SEATS)} or {EITHER})")
        if illegal not in ("raise", "lose"):
            raise ValueError(f"illegal={illegal!r}: invalid (expected raise or lose)")
        self.adapter = get_adapter(game)
        self.game = self.adapter.game
        self.render_mode = check_render_mode(render_mode)
        self.illegal = illegal
        self.observation_space = spaces.Box(0.0, 1.0, self.adapter.planes.shape, np.float32)
        self.action_space = spaces.Discrete(self.adapter.actions)
        self.position = self.adapter.kernel.start()
        self.seat = SEATS.get(seat, Seat.FIRST)
        self._either = seat == EITHER
        self._over = True
        self._opponent = make_opponent(self.adapter, opponent, Limit(seconds, playouts))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a game and play the opponent's opening moves; `options` as in `GameAdapter.start`."""
        super().reset(seed=seed)
        self.position = self.adapter.start(options)
        if self._either:
            self.seat = Seat(int(self.np_random.integers(2)))
        self._over = False
        self._opponent.begin(self.np_random, seeded=seed is not None)
        answers = self._answer()
        return self._observation(), self._info(answers)

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's replies."""
        if self._over:
            raise RuntimeError("the game is over: reset() first")
        try:
            self.adapter.play(self.position, action)
        except IllegalMove as error:
            if self.illegal == "raise":
                raise
            self._over = True
            return self._observation(), ILLEGAL_REWARD, True, False, {**self._info([]), "illegal": str(error)}
        answers = self._answer()
        self._over = self.position.is_over
        reward = self.adapter.rewards(self.position)[self.seat]
        return self._observation(), reward, self._over, False, self._info(answers)

    def _answer(self) -> list[str]:
        """Let the opponent move until it is the agent's turn; return its moves."""
        played = []
        while not self.position.is_over and self.position.seat_to_move is not self.seat:
            action = self._opponent.choose(self.position)
            played.append(str(self.game.move(action)))
            self.adapter.play(self.position, action)
        if self.render_mode == "human":
            self.render()
        return played

    def _observation(self) -> NDArray[np.float32]:
        return self.adapter.planes.encode(self.position, self.seat)

    def _info(self, answers: list[str]) -> dict[str, Any]:
        scores = self.position.scores()
        return {
            "action_mask": self.adapter.mask(self.position),
            "seat": int(self.seat),
            "score": scores.of(self.seat),
            "margin": scores.of(self.seat) - scores.of(self.seat.other),
            "answers": answers,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, under the name that maskable agents use."""
        return self.adapter.mask(self.position).astype(bool)

    def render(self) -> Any:
        """Render the position: text (`ansi`), an image (`rgb_array`), or text on the terminal (`human`)."""
        return self.adapter.render(self.position, self.render_mode)

    def close(self) -> None:
        """Close the opponent."""
        self._opponent.close()


def env_id(name: str) -> str:
    """Return the id of a game of the catalogue; Gymnasium does not allow `+` in ids."""
    return f"{NAMESPACE}/{name.replace('+', '-')}-v{VERSION}"


def _register() -> None:
    for name in GAMES:
        gymnasium.register(env_id(name), entry_point=f"{__name__}:TaijiEnv", kwargs={"game": name})


_register()

__all__ = ["TaijiEnv", "env_id"]
