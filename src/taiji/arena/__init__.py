"""The arena: games between players, with Elo and confidence intervals.

The package itself can be called: `taiji.arena(players, game, …)` is `play_contest`.
"""

import sys
from inspect import signature
from types import ModuleType

from taiji.arena.contest import Contest, Standings, limit_text, run_contest
from taiji.arena.contest_run import play_contest
from taiji.arena.elo import PairScore, Rating, bradley_terry, elo_from_score, expected_score
from taiji.arena.game_task import GameResult, GameTask, run_game_task
from taiji.arena.journal import Journal, JournalError
from taiji.arena.openings import balanced_opening, random_opening, with_seeded_board
from taiji.arena.playing import PlayedGame, Turn, play_game
from taiji.arena.pool import InlinePool, LocalPool, PoolError, WorkerPool
from taiji.arena.sprt import Sprt

__all__ = [
    "Contest",
    "GameResult",
    "GameTask",
    "InlinePool",
    "Journal",
    "JournalError",
    "LocalPool",
    "PairScore",
    "PlayedGame",
    "PoolError",
    "Rating",
    "Sprt",
    "Standings",
    "Turn",
    "WorkerPool",
    "balanced_opening",
    "bradley_terry",
    "elo_from_score",
    "expected_score",
    "limit_text",
    "play_contest",
    "play_game",
    "random_opening",
    "run_contest",
    "run_game_task",
    "with_seeded_board",
]


class _CallableModule(ModuleType):
    """A module that is called like `play_contest`."""

    __call__ = staticmethod(play_contest)
    __signature__ = signature(play_contest)


sys.modules[__name__].__class__ = _CallableModule
