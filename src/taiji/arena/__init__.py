"""The arena: matches between players that prove strength with error bars."""

from taiji.arena.contest import Contest, Standings, limit_text, run_contest
from taiji.arena.elo import Rating, Tally, bradley_terry, elo, expected
from taiji.arena.fixture import Fixture, GameResult, play_fixture
from taiji.arena.journal import Journal, JournalError
from taiji.arena.openings import balanced_opening, on_own_board, random_opening
from taiji.arena.playing import Played, Turn, play_game
from taiji.arena.pool import InlinePool, LocalPool, Pool, PoolError
from taiji.arena.sprt import Sprt

__all__ = [
    "Contest",
    "Fixture",
    "GameResult",
    "InlinePool",
    "Journal",
    "JournalError",
    "LocalPool",
    "Played",
    "Pool",
    "PoolError",
    "Rating",
    "Sprt",
    "Standings",
    "Tally",
    "Turn",
    "balanced_opening",
    "bradley_terry",
    "elo",
    "expected",
    "limit_text",
    "on_own_board",
    "play_fixture",
    "play_game",
    "random_opening",
    "run_contest",
]
