"""Pictures of games, drawn by a process of their own so that they delay neither moves nor the event loop."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

from taiji.server.contract.errors import ApiError
from taiji.server.domain.byte_cache import ByteCache

if TYPE_CHECKING:
    from taiji.server.jobs.tasks import Tasks

SVG, PNG, GIF, CARD = "svg", "png", "gif", "card"
MEDIA_TYPES = {SVG: "image/svg+xml", PNG: "image/png", GIF: "image/gif"}


MAX_CARD_BYTES = 32 << 20
"""Total size of the cards that are kept; one has about 60 kB."""


class Pictures:
    """Draws records, and cards for previews; cards are kept by their content."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._cards = ByteCache(MAX_CARD_BYTES)
        self._drawing: dict[str, asyncio.Task[bytes]] = {}

    async def card(self, address: str, content: dict[str, Any]) -> bytes:
        """Return the card of a content as a PNG file; each content is drawn once at a time."""
        key = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        known = self._cards.get(key)
        if known is not None:
            return known
        task = self._drawing.get(key)
        if task is None:
            task = asyncio.create_task(self.draw(address, CARD, "", content))
            self._drawing[key] = task
            task.add_done_callback(lambda _: self._drawing.pop(key, None))
        drawn = await asyncio.shield(task)
        self._cards.put(key, drawn)
        return drawn

    async def draw(self, address: str, kind: str, record: str, settings: dict[str, Any]) -> bytes:
        """Draw a record, or one position of it."""
        request = {"kind": kind, "record": record, **settings}
        try:
            reply = await self._tasks.run("draw", address, request)
        except ApiError as error:
            if error.code != "unavailable":
                raise
            message = "pictures of this format are not available on this server"
            raise ApiError("unavailable", message) from error
        return base64.b64decode(reply["picture"])


def draw(request: dict[str, Any]) -> bytes:
    """Draw a card, a record's position after `ply` plies, or the whole game as an animation."""
    if request["kind"] == CARD:
        return _draw_card(request)
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


def _draw_card(request: dict[str, Any]) -> bytes:
    from taiji.notation import parse_position
    from taiji.render.card import WIDTH_PX, CardText, card
    from taiji.render.raster import png_bytes

    state = parse_position(request["position"])
    last = None if request["last"] is None else state.game.move(request["last"])
    text = CardText(
        request["title"], tuple((name, number) for name, number in request["rows"]), request["note"]
    )
    return png_bytes(card(state, text, last=last, seats=request["seats"]), WIDTH_PX)
