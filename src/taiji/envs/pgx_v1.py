"""The batched games under the interface of pgx: `init`, `step` and a state with masks and rewards, for JAX.

The functions are pure and play one game; `jax.vmap` plays many. As in pgx, a player is not a seat: `init`
draws which of the two players begins as Light. An illegal action loses the game. A finished game does not
change, gives no more rewards and allows every action, so that a policy over the mask stays defined.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from taiji.envs.batched import BatchedEnv
from taiji.envs.batched_observe import Observer
from taiji.envs.batched_state import BatchedState
from taiji.rules import Game

VERSION = "v1"
PLAYERS = 2
KOMI_PLANES = 3
"""If a player names the komi: whether it is to be named, and the mover's and the other's share of it."""


class State(NamedTuple):
    """One game; a leading axis makes it a batch of games."""

    current_player: jax.Array
    """The player to move: 0 or 1."""
    observation: jax.Array
    """[rows, columns, planes] float32, from the side of the player to move."""
    rewards: jax.Array
    """[players] float32: 1, -1 or 0 on the step that ends the game, else 0."""
    terminated: jax.Array
    """Whether the game is over."""
    truncated: jax.Array
    """Always False: every game ends by its rules."""
    legal_action_mask: jax.Array
    """[actions] bool."""
    step_count: jax.Array
    """The actions played so far."""
    light_player: jax.Array
    """The player in the seat that began as Light."""
    position: BatchedState


class TaijiEnv:
    """Games of one family as a pgx environment; a batch draws among them evenly."""

    version = VERSION
    num_players = PLAYERS

    def __init__(self, *games: str | Game) -> None:
        """Raise `Unsupported` or `GameError` for games that no batched environment plays together."""
        self.env = BatchedEnv(games)
        self.id = "+".join(str(game) for game in self.env.games)
        self.num_actions = self.env.actions
        self._observer = Observer(self.env)
        board = self.env.tables.board
        self._grid = (board.height, board.width)
        komi_planes = KOMI_PLANES if self.env.tables.komi_names else 0
        self.observation_shape = (*self._grid, self._observer.planes + self._observer.globals + komi_planes)

    def __reduce__(self) -> tuple[type[TaijiEnv], tuple[Game, ...]]:
        return TaijiEnv, tuple(self.env.games)

    def init(self, key: jax.Array) -> State:
        """Return the start of a game; the key draws the game and who begins as Light."""
        which, player = jax.random.split(key)
        game = jax.random.randint(which, (), 0, len(self.env.games))
        light_player = jax.random.randint(player, (), 0, PLAYERS)
        return self._view(self.env.reset(game), light_player, jnp.int32(0), jnp.zeros(PLAYERS))

    def step(self, state: State, action: jax.Array, key: jax.Array | None = None) -> State:
        """Play an action of the player to move; the key is not used, as nothing is random."""
        action = jnp.asarray(action, jnp.int32)
        in_range = (action >= 0) & (action < self.num_actions)
        legal = in_range & state.legal_action_mask[jnp.clip(action, 0, self.num_actions - 1)]
        position = self.env.step(state.position, jnp.clip(action, 0, self.num_actions - 1))
        winner = self.env.winner(position)
        player = jnp.where(winner == 0, state.light_player, 1 - state.light_player)
        sign = jnp.where(jnp.arange(PLAYERS) == player, 1.0, -1.0)
        rewards = jnp.where(position.done & (winner >= 0), sign, 0.0)
        after = self._view(position, state.light_player, state.step_count + 1, rewards)
        lost = self._forfeit(state)
        after = jax.tree.map(partial(jnp.where, legal), after, lost)
        over = state._replace(rewards=jnp.zeros_like(state.rewards))
        stepped: State = jax.tree.map(partial(jnp.where, state.terminated), over, after)
        return stepped

    def _forfeit(self, state: State) -> State:
        """Return the end of a game that the player to move loses by an illegal action."""
        rewards = jnp.where(jnp.arange(PLAYERS) == state.current_player, -1.0, 1.0)
        return state._replace(
            rewards=rewards,
            terminated=jnp.bool_(True),
            legal_action_mask=jnp.ones_like(state.legal_action_mask),
            step_count=state.step_count + 1,
        )

    def _view(
        self, position: BatchedState, light_player: jax.Array, count: jax.Array, rewards: jax.Array
    ) -> State:
        seat = self.env.seat_to_move(position)
        return State(
            current_player=jnp.where(seat == 0, light_player, 1 - light_player).astype(jnp.int32),
            observation=self._observe(position),
            rewards=rewards.astype(jnp.float32),
            terminated=position.done,
            truncated=jnp.bool_(False),
            legal_action_mask=self.env.legal(position) | position.done,
            step_count=count,
            light_player=light_player.astype(jnp.int32),
            position=position,
        )

    def _observe(self, position: BatchedState) -> jax.Array:
        """Return the planes of docs/nets.md, then its globals and the komi as planes of one number each."""
        planes = self._observer.encode_planes(position) * jnp.asarray(self._observer.scale)[:, None]
        numbers = self._observer.encode_globals(position)
        if self.env.tables.komi_names:
            numbers = jnp.concatenate([numbers, self._encode_komi(position)])
        constant = jnp.broadcast_to(numbers[:, None], (numbers.shape[0], self.env.cells))
        both = jnp.concatenate([planes, constant]).astype(jnp.float32)
        return both.T.reshape(*self._grid, -1)

    def _encode_komi(self, position: BatchedState) -> jax.Array:
        naming = self.env.must_name_komi(position)
        own = jnp.where(self.env.colour_to_move(position) == 0, position.komi, -position.komi)
        share = jnp.where(naming, 0, own) / max(map(abs, self.env.tables.komi_names))
        return jnp.stack([naming, jnp.maximum(share, 0), jnp.maximum(-share, 0)]).astype(jnp.float32)


def make(*games: str | Game) -> TaijiEnv:
    """Return the environment of a game, such as `make("taiji:size=5")`, or of several of one family."""
    return TaijiEnv(*games)


__all__ = ["State", "TaijiEnv", "make"]
