"""The catalogue, and the definition of each game."""

import hashlib
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from taiji.rules import EDITIONS, GAMES
from taiji.server.contract.catalogue import Catalogue
from taiji.server.contract.game import GameDefinition
from taiji.server.contract.messages import MAX_GAME_TEXT_CHARS
from taiji.server.domain.game_definition import catalogue, find_edition, parse_game_text
from taiji.server.web.routes.deps import Context, client_address, error_responses
from taiji.server.web.static import File, file_response

router = APIRouter(prefix="/api", tags=["games"])


@router.get("/games", response_model=Catalogue)
async def list_games(request: Request) -> Response:
    """List every game with its options, the editions and the levels."""
    return file_response(_catalogue_file(frozenset(GAMES) | frozenset(EDITIONS)), request)


@cache
def _catalogue_file(names: frozenset[str]) -> File:
    """Return the catalogue ready to be sent, written and compressed once for the games of these names."""
    return File("catalogue.json", catalogue().model_dump_json().encode())


# In a worker process: the largest games take 0.2 s to lay out.
@router.get(
    "/game-definition",
    response_model=GameDefinition,
    responses=error_responses("bad-game", "unsupported", "too-costly", "engines-busy"),
)
async def read_game_definition(
    request: Request,
    context: Context,
    game: Annotated[str, Query(min_length=1, max_length=MAX_GAME_TEXT_CHARS)],
) -> Response:
    """Return a game's compiled rules, pieces and footprints: enough to run its rules without the server."""
    # An edition has a match rule of its own; other texts of one game have one definition.
    key = find_edition(game) or str(parse_game_text(game))
    body = context.definitions.get(key)
    if body is None:
        reply = await context.tasks.run("define-game", client_address(request).address, {"game": key})
        body = str(reply["body"]).encode()
        context.definitions.put(key, body)
    etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "public, max-age=3600"}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
