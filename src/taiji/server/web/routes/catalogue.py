"""The games: what there is to play, and each game as tables."""

import hashlib
import json
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from taiji.rules import GameError
from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import MAX_GAME_TEXT_CHARS
from taiji.server.domain.game_definition import catalogue, game_definition
from taiji.server.web.routes.deps import error_responses

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games")
async def list_games() -> dict[str, Any]:
    """List every game with its options, the editions and the levels."""
    return catalogue()


@lru_cache(maxsize=64)
def _definition_body(text: str) -> tuple[bytes, str]:
    body = json.dumps(game_definition(text), separators=(",", ":"), ensure_ascii=False).encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:24]}"'


# Run in a thread: the largest games take a fifth of a second to lay out.
@router.get("/game-definition", response_model=dict[str, Any], responses=error_responses("bad-game"))
def read_game_definition(
    request: Request, game: Annotated[str, Query(min_length=1, max_length=MAX_GAME_TEXT_CHARS)]
) -> Response:
    """Return a game's compiled rules, pieces and footprints: enough to run its rules without the server."""
    try:
        body, tag = _definition_body(game)
    except GameError as error:
        raise ApiError("bad-game", str(error)) from error
    headers = {"ETag": tag, "Cache-Control": "public, max-age=3600"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
