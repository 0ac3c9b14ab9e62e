"""People over REST: player pages, following, puzzles of an account, pairing, recent results."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from taiji.server.contract import people, tables
from taiji.server.web.routes.deps import (
    Actor,
    Context,
    CurrentUser,
    build_game,
    error_responses,
    require_account,
)
from taiji.server.web.routes.tables import CHANGING, table_view

router = APIRouter(prefix="/api", tags=["people"])

PlayerName = Annotated[str, Path(min_length=1, max_length=24)]
Before = Annotated[int | None, Query(ge=0, le=1 << 60)]


@router.get("/players/{name}", responses=error_responses("not-found"))
async def read_player(name: PlayerName, context: Context, user: CurrentUser) -> people.PlayerPage:
    """Return a player's page: ratings, results by game and opponent, games in progress."""
    return await context.player_pages.read(user, name)


@router.get("/players/{name}/tables", responses=error_responses("not-found"))
async def list_games(
    name: PlayerName, context: Context, user: CurrentUser, before: Before = None
) -> tables.TableList:
    """List the finished public games of a player, latest first, 24 at a time."""
    return tables.TableList(tables=await context.player_pages.games(user, name, before))


@router.get("/results")
async def list_results(context: Context, user: CurrentUser) -> tables.TableList:
    """List the public games that ended last."""
    return tables.TableList(tables=await context.listings.results(user.ids))


@router.get("/following")
async def list_following(context: Context, user: CurrentUser) -> people.FollowedPlayers:
    """List the players whom I follow, those online first."""
    followed = await context.listings.followed(user.ids)
    return people.FollowedPlayers(following=await context.listings.following(followed))


@router.put(
    "/following/{name}",
    status_code=204,
    responses=error_responses(*CHANGING, "no-session", "limit-reached"),
)
async def follow(name: PlayerName, context: Context, user: Actor) -> Response:
    """Follow a player."""
    context.rate_limiter.acquire("follows", user.id)
    await context.player_pages.follow(user, name)
    context.lobby.follows_changed(user)
    return Response(status_code=204)


@router.delete("/following/{name}", status_code=204, responses=error_responses(*CHANGING, "no-session"))
async def unfollow(name: PlayerName, context: Context, user: Actor) -> Response:
    """Follow a player no longer."""
    context.rate_limiter.acquire("follows", user.id)
    await context.player_pages.unfollow(user, name)
    context.lobby.follows_changed(user)
    return Response(status_code=204)


@router.get("/me/puzzles", responses=error_responses("no-account"))
async def read_puzzles(context: Context, user: CurrentUser) -> people.PuzzleStanding:
    """Return the puzzles of my account, with no tries if none was reported."""
    return await context.player_pages.puzzles(require_account(user))


@router.put("/me/puzzles", responses=error_responses(*CHANGING, "no-account", "no-session"))
async def report_puzzles(
    report: people.PuzzleProgress, context: Context, user: Actor
) -> people.PuzzleStanding:
    """Report the puzzles of this browser; the report with the most tries counts."""
    return await context.player_pages.report_puzzles(require_account(user), report)


@router.patch("/me/puzzles", responses=error_responses(*CHANGING, "no-account", "no-session"))
async def share_puzzles(change: people.PuzzleSharing, context: Context, user: Actor) -> people.PuzzleStanding:
    """Show my puzzle rating on my page, or hide it."""
    return await context.player_pages.share_puzzles(require_account(user), change.shared)


@router.post(
    "/pair",
    responses=error_responses(*CHANGING, "bad-game", "unsupported", "no-account", "no-session", "muted"),
)
async def pair(
    request: Request, wanted: people.PairRequest, context: Context, user: Actor
) -> tables.TableInfo:
    """Play with whoever wants the same game: join the table that waits, or wait at a new one."""
    context.rate_limiter.acquire("pairings", user.id)
    await build_game(context, request, wanted.game)
    return await table_view(context, await context.pairing.pair(user, wanted), user)
