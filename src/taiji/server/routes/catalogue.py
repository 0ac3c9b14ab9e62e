"""The games: what there is to play, and each game as tables."""

import hashlib
import json
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from taiji.rules import GameError
from taiji.server.errors import Refused
from taiji.server.gamevalue import catalogue, game_value
from taiji.server.routes.deps import refusals
from taiji.server.wire import LONGEST_GAME_TEXT

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games")
async def list_games() -> dict[str, Any]:
    """List every game with its options, the editions and the levels."""
    return catalogue()


@lru_cache(maxsize=64)
def _value(text: str) -> tuple[bytes, str]:
    body = json.dumps(game_value(text), separators=(",", ":"), ensure_ascii=False).encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:24]}"'


# Run in a thread: the largest games take a fifth of a second to lay out.
@router.get("/game-value", response_model=dict[str, Any], responses=refusals("bad-game"))
def read_game_value(
    request: Request, game: Annotated[str, Query(min_length=1, max_length=LONGEST_GAME_TEXT)]
) -> Response:
    """Give a whole game as tables, enough to run its rules without the server."""
    try:
        body, tag = _value(game)
    except GameError as error:
        raise Refused("bad-game", str(error)) from error
    headers = {"ETag": tag, "Cache-Control": "public, max-age=3600"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
