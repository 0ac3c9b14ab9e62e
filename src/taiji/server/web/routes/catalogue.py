"""The catalogue, and the definition of each game."""

import hashlib
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from taiji.server.contract.catalogue import Catalogue
from taiji.server.contract.game import GameDefinition
from taiji.server.contract.messages import MAX_GAME_TEXT_CHARS
from taiji.server.domain.game_definition import catalogue, game_definition
from taiji.server.web.routes.deps import error_responses

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games")
async def list_games() -> Catalogue:
    """List every game with its options, the editions and the levels."""
    return catalogue()


@lru_cache(maxsize=64)
def _definition_body(text: str) -> tuple[bytes, str]:
    body = game_definition(text).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:24]}"'


# Run in a thread: the largest games take 0.2 s to lay out.
@router.get(
    "/game-definition",
    response_model=GameDefinition,
    responses=error_responses("bad-game", "unsupported"),
)
def read_game_definition(
    request: Request, game: Annotated[str, Query(min_length=1, max_length=MAX_GAME_TEXT_CHARS)]
) -> Response:
    """Return a game's compiled rules, pieces and footprints: enough to run its rules without the server."""
    body, etag = _definition_body(game)
    headers = {"ETag": etag, "Cache-Control": "public, max-age=3600"}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
