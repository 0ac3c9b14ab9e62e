"""The arena: games between players, with Elo and confidence intervals.

The package itself can be called: `taiji.arena(players, game, …)` is `play_contest`. Its names are loaded at
first use, because a server needs only the modules for tournaments and ratings.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect import Signature

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

if not TYPE_CHECKING:  # type checkers and editors read the imports above

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from taiji.arena import contest, contest_run, elo, game_task, journal, openings, playing, pool, sprt

        for module in (contest, contest_run, elo, game_task, journal, openings, playing, pool, sprt):
            globals().update({one: value for one, value in vars(module).items() if one in __all__})
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _CallableModule(ModuleType):
    """A module that is called like `play_contest`."""

    def __call__(self, *arguments: Any, **options: Any) -> Standings:
        from taiji.arena.contest_run import play_contest

        return play_contest(*arguments, **options)

    @property
    def __signature__(self) -> Signature:
        from inspect import signature

        from taiji.arena.contest_run import play_contest

        return signature(play_contest)


sys.modules[__name__].__class__ = _CallableModule
