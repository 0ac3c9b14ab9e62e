"""Whole games of a shipped net, thousands at a time on an accelerator: for books, data sets and studies.

`python -m taiji.training.games GAME FOLDER --games N` writes one compressed NumPy file per batch. A run that
was stopped continues with the next batch; the same seed gives the same games. The arrays of a file are
`game` (its text, or one per game if they differ), `player`, `actions` [games, plies] (-1 after the end),
`win_prob` [games, plies] (200 times the mover's chance by the search, 255 if the move was random), and
`opening_plies`, the number of random moves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from taiji.arena import with_seeded_board
from taiji.envs.batched import BatchedEnv
from taiji.envs.batched_observe import Observer
from taiji.envs.batched_state import BatchedState
from taiji.nets.net import FOLDER, has_equal_end
from taiji.nets.net_file import SUFFIX, NetError
from taiji.nets.planes import has_ratio_margin
from taiji.rules import Game, GameError, Unsupported, parse_game
from taiji.training.pool import GamePool, Openings
from taiji.training.search import search
from taiji.training.stored_net import StoredNet, load_stored_net

BOARD_SEEDS = 1 << 32
WIN_UNIT = 200
UNKNOWN = 255
Arrays = dict[str, Any]
Carry = tuple[BatchedState, jax.Array, jax.Array, jax.Array, jax.Array]
"""The states, the actions and values so far, the lengths, and the ply."""


@dataclass(frozen=True)
class PlaySettings:
    """How the games of a batch are played."""

    simulations: int = 64
    candidates: int = 16
    random_plies: int = 0
    """The number of uniformly random placements before the first search."""
    noisy_plies: int = 1000
    """The plies of a game whose search draws its candidates at random; later ones are deterministic."""
    boards: int | None = None
    """Games with symbols play on seeded boards 1 to this in turn; 0: on the game's own, None: on one each."""


class BatchPlayer:
    """Plays batches of one game with one net; games on seeded boards get a board each."""

    def __init__(self, game: Game, net: StoredNet, settings: PlaySettings, batch: int) -> None:
        env = BatchedEnv(game)
        by_margin = not any(has_equal_end(game, known) for known in net.games)
        if by_margin and has_ratio_margin(game.stages[0].tallies[0]):
            raise Unsupported(
                "the batched search", "komi", "margins that are ratios, with another komi or tie"
            )
        dtype = jnp.dtype(jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16)
        self.game, self.batch, self._env = game, batch, env
        observer = Observer(env, net.rules, sees_swap=net.shape.swap)
        self._pool = GamePool(env, observer, (1.0,), Openings(), net.shape, dtype, by_margin)
        self._plies = sum(game.stages[0].supply) + env.tables.swap + bool(game.komi_names)
        self._settings = settings
        self.name = f"gumbel:net={net.name},simulations={settings.simulations}"
        self._program = jax.jit(partial(self._play, net.params, settings))
        self._run: Callable[..., Any] = self._program
        self._symbol_row = cache(self._encode_symbols)

    @property
    def has_boards(self) -> bool:
        """Whether the games of a batch are played on different boards."""
        return bool(self._env.tables.symbols) and self._settings.boards != 0

    def compile(self) -> None:
        """Compile the program of a batch now; threads may compile several players in parallel."""
        shape = (self.batch, self._env.tables.cells)
        board = jax.eval_shape(lambda: jnp.zeros(shape, jnp.uint8)) if self.has_boards else None
        self._run = self._program.lower(board, jax.eval_shape(lambda: jax.random.key(0))).compile()

    def board_game(self, seed: int, index: int) -> str:
        """Return the game with the board that game number `index` is played on."""
        if self._settings.boards:
            return with_seeded_board(str(self.game), 1 + index % self._settings.boards)
        return with_seeded_board(str(self.game), (1 + seed * 1_000_003 * self.batch + index) % BOARD_SEEDS)

    def _encode_symbols(self, text: str) -> Any:
        game = parse_game(text)
        return self._env.symbol_row(game, game.stages[0].symbols)

    def play(self, seed: int, number: int) -> Arrays:
        """Play one batch; the seed and the number of the batch determine its games."""
        games: Any = str(self.game)
        symbols = None
        if self.has_boards:
            games = [self.board_game(seed, number * self.batch + i) for i in range(self.batch)]
            rows = [self._symbol_row(text) for text in games]
            symbols = jnp.asarray(np.stack(rows))
        key = jax.random.fold_in(jax.random.key(seed), number)
        actions, values, length = jax.device_get(self._run(symbols, key))
        over = np.arange(len(actions))[:, None] >= length
        own = np.where(over, -1, self._env.game_actions[0][actions])
        chance = np.where(over | np.isnan(values), UNKNOWN, np.round((values + 1) / 2 * WIN_UNIT))
        return {
            "game": np.array(games),
            "player": np.array(self.name),
            "actions": own.T.astype(np.int16),
            "win_prob": chance.T.astype(np.uint8),
            "opening_plies": np.array(self._settings.random_plies, np.uint8),
        }

    def _play(
        self, params: Any, settings: PlaySettings, symbols: jax.Array | None, key: jax.Array
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        """Return the actions and values [plies, games] of one batch, and the lengths."""
        env, pool, batch = self._env, self._pool, self.batch
        evaluate = pool.evaluator(params)
        start = jax.vmap(env.reset)(jnp.zeros(batch, jnp.int32), symbols)

        def choose(state: BatchedState, ply: jax.Array) -> tuple[jax.Array, jax.Array]:
            searched = search(
                env,
                evaluate,
                state,
                jax.random.fold_in(key, ply),
                simulations=settings.simulations,
                candidates=settings.candidates,
                noise_scale=(ply < settings.noisy_plies).astype(jnp.float32),
            )
            return searched.action.astype(jnp.int32), searched.value

        def choose_randomly(state: BatchedState, ply: jax.Array) -> tuple[jax.Array, jax.Array]:
            keys = jax.random.split(jax.random.fold_in(key, ply), batch)
            actions = jax.vmap(pool.random_placement)(state, keys)
            return actions.astype(jnp.int32), jnp.full(batch, jnp.nan)

        def step(carry: Carry) -> Carry:
            state, actions, values, length, ply = carry
            action, value = jax.lax.cond(ply < settings.random_plies, choose_randomly, choose, state, ply)
            return (
                jax.vmap(env.step)(state, action),
                actions.at[ply].set(action),
                values.at[ply].set(value),
                length + ~state.done,
                ply + 1,
            )

        table = (self._plies, batch)
        begin: Carry = (
            start,
            jnp.zeros(table, jnp.int32),
            jnp.zeros(table),
            jnp.zeros(batch, jnp.int32),
            jnp.int32(0),
        )
        _, actions, values, length, _ = jax.lax.while_loop(lambda carry: ~carry[0].done.all(), step, begin)
        return actions, values, length


def find_net(game: Game) -> Path:
    """Return the shipped net of a game's family; raise `NetError` if there is none."""
    path = FOLDER / f"{str(game).partition(':')[0]}{SUFFIX}"
    if not path.exists():
        raise NetError(f"{game}: no shipped net plays it")
    return path


def write_games(
    player: BatchPlayer, folder: Path, games: int, seed: int, report: Callable[[str], None]
) -> None:
    """Write batches until the folder holds `games` games; batches that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    batches = -(-games // player.batch)
    for number in range(batches):
        path = folder / f"{number:05}.npz"
        if not path.exists():
            draft = path.with_suffix(".draft")
            with draft.open("wb") as out:
                np.savez_compressed(out, **player.play(seed, number))
            draft.replace(path)
        report(f"{player.game}: {(number + 1) * player.batch:,} of {batches * player.batch:,} games")


def main(arguments: list[str]) -> str | None:
    """Write games; return the problem in one line if they cannot be played."""
    parser = argparse.ArgumentParser(prog="python -m taiji.training.games", description="Write games.")
    parser.add_argument("game")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--net", type=Path, help="a net file (default: the shipped net of the game)")
    parser.add_argument("--simulations", type=int, default=PlaySettings.simulations)
    parser.add_argument("--candidates", type=int, default=PlaySettings.candidates)
    parser.add_argument("--random-plies", type=int, default=PlaySettings.random_plies)
    parser.add_argument("--noisy-plies", type=int, default=PlaySettings.noisy_plies)
    parser.add_argument("--one-board", action="store_true", help="play all games on the game's own board")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    settings = PlaySettings(
        options.simulations,
        options.candidates,
        options.random_plies,
        options.noisy_plies,
        0 if options.one_board else None,
    )
    try:
        game = parse_game(options.game)
        net = load_stored_net(options.net or find_net(game))
        player = BatchPlayer(game, net, settings, options.batch)
        write_games(player, options.folder, options.games, options.seed, partial(print, flush=True))
    except (GameError, NetError, OSError) as error:
        return str(error)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
