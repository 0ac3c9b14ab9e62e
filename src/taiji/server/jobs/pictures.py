"""Pictures of games, drawn by the engine processes so that they do not delay the event loop."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

from taiji.server.contract.errors import ApiError
from taiji.server.jobs.engines import ANALYSE, EngineFailed

if TYPE_CHECKING:
    from taiji.server.jobs.engines import EnginePool

DRAW_TIMEOUT_S = 30.0
SVG, PNG, GIF = "svg", "png", "gif"
MEDIA_TYPES = {SVG: "image/svg+xml", PNG: "image/png", GIF: "image/gif"}


class Pictures:
    """Draws records."""

    def __init__(self, engines: EnginePool) -> None:
        self._engines = engines
        self._alone = asyncio.Semaphore(1)

    async def draw(self, owner: str, kind: str, record: str, settings: dict[str, Any]) -> bytes:
        """Draw a record, or one position of it."""
        request = {"do": "draw", "kind": kind, "record": record, **settings}
        try:
            if kind == SVG or not self._engines.max_workers:
                async with self._alone:
                    return await asyncio.to_thread(draw, request)
            reply = await self._engines.submit(
                f"picture {owner}", request, seconds=DRAW_TIMEOUT_S, priority=ANALYSE
            )
            return base64.b64decode(reply["picture"])
        except (EngineFailed, ImportError) as error:
            raise ApiError(
                "unavailable", "pictures of this format are not available on this server"
            ) from error


def draw(request: dict[str, Any]) -> bytes:
    """Draw a record's position after `ply` plies, or the whole game as an animation."""
    from taiji import render
    from taiji.notation import parse_record

    record = parse_record(request["record"])
    theme = request["theme"]
    if request["kind"] == GIF:
        return render.gif(record, theme=theme, width=request["width"], groups=True)
    replay = record.replay()
    plies = len(replay.moves)
    ply = plies if request.get("ply") is None else min(request["ply"], plies)
    last = replay.moves[ply - 1] if ply else None
    if request["kind"] == SVG:
        return render.svg(replay.states[ply], theme=theme, last=last, groups=True).encode()
    return render.png(replay.states[ply], theme=theme, last=last, groups=True, width=request["width"])
