"""Building the games that visitors name: in one thread, a few at a time, at the cost of their address.

The server executes the rules of a game that is played here, so it must build the game itself. The options of
games bound the cost of one (0.2 s); this bounds the cost of many.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from taiji.server.contract.errors import ApiError
from taiji.server.domain.game_definition import parse_game_text, playable_game
from taiji.server.identity.limits import CPU_LIMIT

if TYPE_CHECKING:
    from taiji.rules import Game
    from taiji.server.identity.limits import RateLimiter

MAX_WAITING = 32


class GameBuilder:
    """Builds games one after another; one that is built is returned at once."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter
        self._thread = ThreadPoolExecutor(1, "taiji-games")
        self._waiting = 0

    async def build(self, text: str, address: str, *, by_computer: bool = False) -> Game:
        """Return a game that can be played here; raise `ApiError` if not, or if the address asks too much."""
        game = parse_game_text(text)
        if not _is_built(game):
            self._limiter.require_left(CPU_LIMIT, address)
        if self._waiting >= MAX_WAITING:
            raise ApiError("too-many-requests", retry_after_s=5)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            cpu_s, problem = await loop.run_in_executor(self._thread, _build, text, by_computer)
        finally:
            self._waiting -= 1
        self._limiter.add(CPU_LIMIT, address, round(cpu_s * 1000))
        if problem is not None:
            raise problem
        return game

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _is_built(game: Game) -> bool:
    """Return whether the costly part of a game is in memory."""
    return "compiled" in vars(game) and "placements" in vars(game)


def _build(text: str, by_computer: bool) -> tuple[float, ApiError | None]:
    """Build a game; return the CPU seconds that it took, and why it cannot be played."""
    began, problem = time.thread_time(), None
    try:
        playable_game(text, by_computer=by_computer)
    except ApiError as error:
        problem = error
    return time.thread_time() - began, problem
