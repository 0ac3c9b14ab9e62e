"""Every game as a Gymnasium environment for one agent, against any of our players.

Importing this module registers an id for each game of the catalogue: `taiji/taiji-v1`, `taiji/tailits-v1`,
`taiji/battle-of-lits-v1`, `taiji/tailits-taiji-v1` and `taiji/taiji-battle-of-lits-v1`. Options of the game
come as its text: `gymnasium.make("taiji/taiji-v1", game="taiji:size=7", opponent="level:3")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from taiji.envs.adapter import RENDER_MODES, check_render_mode, get_adapter
from taiji.envs.opponents import RANDOM, make_opponent
from taiji.notation import format_move
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
"""What an illegal action costs, where it costs the game."""


class TaijiEnv(gymnasium.Env["NDArray[np.float32]", np.int64]):
    """One seat of a game; whoever sits opposite moves within `reset` and `step`.

    An observation is the planes of docs/environments.md; `info["action_mask"]` says what may be played. The
    end pays 1, -1 or 0. An illegal action loses the game and `info["illegal"]` says why, or raises with
    `illegal="raise"`.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - Gymnasium's own form

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
        if seat not in {*SEATS, EITHER}:
            raise ValueError(f"seat={seat!r}: {', '.join(SEATS)} or {EITHER}")
        if illegal not in {"raise", "lose"}:
            raise ValueError(f"illegal={illegal!r}: raise or lose")
        self.table = get_adapter(game)
        self.game = self.table.game
        self.render_mode = check_render_mode(render_mode)
        self.illegal = illegal
        self.observation_space = spaces.Box(0.0, 1.0, self.table.planes.shape, np.float32)
        self.action_space = spaces.Discrete(self.table.actions)
        self.position = self.table.kernel.start()
        self.seat = SEATS.get(seat, Seat.FIRST)
        self._either = seat == EITHER
        self._over = True
        self._opponent = make_opponent(self.table, opponent, Limit(seconds, playouts))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game, the opponent's moves before one's first included; `options` as in `Table.start`."""
        super().reset(seed=seed)
        self.position = self.table.start(options)
        if self._either:
            self.seat = Seat(int(self.np_random.integers(2)))
        self._over = False
        self._opponent.begin(self.np_random, seeded=seed is not None)
        answers = self._answer()
        return self._observation(), self._info(answers)

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action and what the opponent answers."""
        if self._over:
            raise RuntimeError("the game is over: reset() first")
        try:
            self.table.play(self.position, action)
        except IllegalMove as error:
            if self.illegal == "raise":
                raise
            self._over = True
            return self._observation(), ILLEGAL_REWARD, True, False, {**self._info([]), "illegal": str(error)}
        answers = self._answer()
        self._over = self.position.is_over
        reward = self.table.rewards(self.position)[self.seat]
        return self._observation(), reward, self._over, False, self._info(answers)

    def _answer(self) -> list[str]:
        """Let the opponent move until it is one's own turn; return what it played."""
        played = []
        while not self.position.is_over and self.position.seat_to_move is not self.seat:
            action = self._opponent.choose(self.position)
            played.append(format_move(self.game, self.game.move(action)))
            self.table.play(self.position, action)
        if self.render_mode == "human":
            self.render()
        return played

    def _observation(self) -> NDArray[np.float32]:
        return self.table.planes.encode(self.position, self.seat)

    def _info(self, answers: list[str]) -> dict[str, Any]:
        scores = self.position.scores()
        return {
            "action_mask": self.table.mask(self.position),
            "seat": int(self.seat),
            "score": scores.of(self.seat),
            "margin": scores.of(self.seat) - scores.of(self.seat.other),
            "answers": answers,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what may be played, under the name by which maskable agents ask for it."""
        return self.table.mask(self.position).astype(bool)

    def render(self) -> Any:
        """Draw the position: text (`ansi`), an image (`rgb_array`), or text on the terminal (`human`)."""
        return self.table.render(self.position, self.render_mode)

    def close(self) -> None:
        """Let the opponent go."""
        self._opponent.close()


def env_id(name: str) -> str:
    """Return the id of a game of the catalogue; an id may hold no `+`."""
    return f"{NAMESPACE}/{name.replace('+', '-')}-v{VERSION}"


def _register() -> None:
    for name in GAMES:
        gymnasium.register(env_id(name), entry_point=f"{__name__}:TaijiEnv", kwargs={"game": name})


_register()

__all__ = ["TaijiEnv", "env_id"]
