"""Build a training run from a spec: environments, observers, the shape of the net and the pools."""

from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp

from taiji.envs.batched import BatchedEnv
from taiji.envs.batched_observe import Observer
from taiji.rules import GameError, parse_game
from taiji.training.net import NetShape
from taiji.training.pool import GamePool, Openings
from taiji.training.spec import SpecError, TrainingSpec


@dataclass(frozen=True)
class TrainingSetup:
    """The parts of a run; the examples of all pools are padded to the grid of `observer`."""

    pools: tuple[GamePool, ...]
    observer: Observer
    shape: NetShape
    side: int
    dtype: jnp.dtype


def build(spec: TrainingSpec) -> TrainingSetup:
    """Build a spec's parts; raise `SpecError` if its games cannot share a net."""
    dtype = jnp.dtype(spec.run.precision)
    everything = list(dict.fromkeys(game for games in spec.games() for game in games))
    rules = tuple(dict.fromkeys((g.stages[0].scoring, g.stages[0].tiebreak) for g in everything))
    try:
        whole = BatchedEnv(everything)
        if whole.tables.komi_names:
            raise SpecError(f"{whole.games[0]}: a net cannot learn to name a komi")
        observer = Observer(whole, rules)
        shape = NetShape(
            planes=observer.planes,
            globals=observer.globals,
            policy=whole.planes,
            swap=whole.tables.swap,
            scale=observer.scale,
            blocks=spec.net.blocks,
            channels=spec.net.channels,
            pooled=spec.net.pooled,
            head=spec.net.head,
            hidden=spec.net.hidden,
        )
        pools = []
        for part in spec.pools:
            games = [parse_game(text) for text in part.games]
            env = BatchedEnv(games)
            _check_board_fits(env, whole)
            total = sum(part.games.values())
            weights = tuple(part.games[text] / total for text in part.games)
            openings = Openings(part.random_plies, part.random_symbols)
            pools.append(GamePool(env, Observer(env, rules), weights, openings, shape, dtype))
    except GameError as error:
        raise SpecError(str(error)) from error
    return TrainingSetup(tuple(pools), observer, shape, whole.tables.width, dtype)


def _check_board_fits(env: BatchedEnv, whole: BatchedEnv) -> None:
    """Raise `SpecError` if some orientation of a piece does not fit on the board."""
    if env.tables.planes != whole.tables.planes:
        raise SpecError(
            f"{env.tables.largest_game}: its board is too small for every orientation of the pieces"
        )
