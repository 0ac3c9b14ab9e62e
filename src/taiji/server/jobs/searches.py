"""The search quota: at most one search per visitor at a time."""

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
    from taiji.server.jobs.shared_engines import SharedEngines

_ANALYSIS = TypeAdapter(Analysis)


class SearchQuota:
    """The visitors with a search in progress."""

    def __init__(self, engines: EnginePool | SharedEngines) -> None:
        self.engines = engines
        self._searching: set[str] = set()

    def acquire(self, owner: str) -> None:
        """Take a visitor's one search, or raise `ApiError` if it is taken."""
        if owner in self._searching:
            raise ApiError("search-running", retry_after_s=2)
        self._searching.add(owner)

    def release(self, owner: str) -> None:
        """Release a visitor's search."""
        self._searching.discard(owner)

    @contextmanager
    def exclusive(self, owner: str) -> Iterator[None]:
        """Hold a visitor's search within a block."""
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
            "do": "analyse",
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
