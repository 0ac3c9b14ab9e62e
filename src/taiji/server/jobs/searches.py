"""Questions to the engines: at most one a visitor at a time, whatever its kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from taiji.analysis import Analysis
from taiji.server.contract.errors import ApiError
from taiji.server.jobs.engines import ANALYSE, EngineFailed

if TYPE_CHECKING:
    from taiji.server.jobs.engines import EnginePool

_ANALYSIS = TypeAdapter(Analysis)


class SearchQuota:
    """Who is being answered."""

    def __init__(self, engines: EnginePool) -> None:
        self.engines = engines
        self._asking: set[str] = set()

    def acquire(self, owner: str) -> None:
        """Take a visitor's one search; refuse a second."""
        if owner in self._asking:
            raise ApiError("search-running", retry_after_s=2)
        self._asking.add(owner)

    def release(self, owner: str) -> None:
        """Give a visitor's search back."""
        self._asking.discard(owner)

    @contextmanager
    def exclusive(self, owner: str) -> Iterator[None]:
        """Hold a visitor's search for a while."""
        self.acquire(owner)
        try:
            yield
        finally:
            self.release(owner)

    async def analyse(
        self,
        owner: str,
        game: str,
        moves: list[int],
        *,
        seconds: float,
        lines: int,
        start: str | None = None,
        priority: int = ANALYSE,
    ) -> Analysis:
        """Analyse a position with the strongest engine."""
        request = {
            "do": "look",
            "game": game,
            "start": start,
            "moves": moves,
            "seconds": seconds,
            "lines": lines,
        }
        try:
            reply = await self.engines.submit(owner, request, seconds=seconds, priority=priority)
        except EngineFailed as error:
            raise ApiError("unavailable", f"the engine failed: {error}") from error
        return _ANALYSIS.validate_python(reply)
