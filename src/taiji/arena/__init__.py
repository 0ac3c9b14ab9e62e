"""The arena: matches between players that prove strength with error bars."""

from taiji.arena.contest import Contest, Standings, limit_text, run_contest
from taiji.arena.elo import Rating, PairScore, bradley_terry, elo_from_score, expected_score
from taiji.arena.fixture import GameTask, GameResult, run_game_task
from taiji.arena.journal import Journal, JournalError
from taiji.arena.openings import balanced_opening, with_seeded_board, random_opening
from taiji.arena.playing import PlayedGame, Turn, play_game
from taiji.arena.pool import InlinePool, LocalPool, WorkerPool, PoolError
from taiji.arena.sprt import Sprt

__all__ = [
    "Contest",
    "GameTask",
    "GameResult",
    "InlinePool",
    "Journal",
    "JournalError",
    "LocalPool",
    "PlayedGame",
    "WorkerPool",
    "PoolError",
    "Rating",
    "Sprt",
    "Standings",
    "PairScore",
    "Turn",
    "balanced_opening",
    "bradley_terry",
    "elo_from_score",
    "expected_score",
    "limit_text",
    "with_seeded_board",
    "run_game_task",
    "play_game",
    "random_opening",
    "run_contest",
]
