"""Tournaments and ratings over REST."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from taiji.arena.tournaments import Adjudication, PairingResult, Tournament
from taiji.arena.tournaments.csv_io import pairings_csv
from taiji.arena.tournaments.html import as_html
from taiji.arena.tournaments.trf import as_trf
from taiji.server.contract import tournaments as contract
from taiji.server.contract.messages import MAX_GAME_TEXT_CHARS
from taiji.server.contract.tournaments import JoinTournament, NewTournament, ResultRequest, WithdrawRequest
from taiji.server.domain.game_definition import parse_game_text
from taiji.server.identity.users import User
from taiji.server.tournaments.audit import audit_log
from taiji.server.tournaments.hosted import HostedTournament
from taiji.server.tournaments.listing import MAX_OFFSET, public_tournaments
from taiji.server.tournaments.views import tournament_summary, tournament_view
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Actor, Context, CurrentUser, build_game, error_responses

router = APIRouter(prefix="/api", tags=["tournaments"])

TournamentId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
GameQuery = Annotated[str, Query(min_length=1, max_length=MAX_GAME_TEXT_CHARS)]
CHANGING = error_responses(
    "csrf", "foreign-origin", "not-found", "too-many-requests", "bad-token", "tournament", "not-organiser",
    "no-account", "bad-game", "unsupported", "muted", "name-taken",
)  # fmt: skip
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "trf": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
}


def _view(context: AppContext, hosted: HostedTournament, user: User) -> contract.TournamentInfo:
    return tournament_view(hosted, user, context.rooms)


@router.get("/tournaments")
async def my_tournaments(context: Context, user: CurrentUser) -> contract.TournamentList:
    """List the tournaments that I organise or play in."""
    tournaments = await context.tournaments.loaded.list_mine(user.ids)
    return contract.TournamentList(tournaments=[tournament_summary(hosted, user) for hosted in tournaments])


@router.get("/tournaments/public")
async def list_public(
    context: Context,
    state: Literal["upcoming", "running", "finished"] = "upcoming",
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
) -> contract.PublicTournaments:
    """List the public tournaments: the next to start, or the latest first, 20 per page."""
    return await public_tournaments(context.store, state, offset)


@router.post("/tournaments", status_code=201, responses=CHANGING)
async def create_tournament(
    request: Request, wanted: NewTournament, context: Context, user: Actor
) -> contract.TournamentInfo:
    """Create a tournament; its organiser receives the link to join."""
    context.rate_limiter.acquire("tables", user.id)
    await build_game(context, request, wanted.game)
    return _view(context, await context.tournaments.create(user, wanted), user)


@router.get("/tournaments/{tournament_id}", responses=error_responses("not-found"))
async def read_tournament(
    tournament_id: TournamentId, context: Context, user: CurrentUser
) -> contract.TournamentInfo:
    """Return a tournament with rounds, boards and standings; it is public."""
    return _view(context, await context.tournaments.loaded.get(tournament_id), user)


@router.post("/tournaments/{tournament_id}/join", responses=CHANGING)
async def join_tournament(
    tournament_id: TournamentId, entry: JoinTournament, context: Context, user: Actor
) -> contract.TournamentInfo:
    """Enter with the secret of the link; a public tournament needs none."""
    hosted = await context.tournaments.loaded.get(tournament_id)
    if user.account is None:
        await context.users.refuse_account_name(entry.name)
    await context.tournaments.join(hosted, user, entry.secret, entry.name)
    return _view(context, hosted, user)


@router.post("/tournaments/{tournament_id}/withdraw", responses=CHANGING)
async def withdraw(
    tournament_id: TournamentId, request: WithdrawRequest, context: Context, user: Actor
) -> contract.TournamentInfo:
    """Withdraw or return, oneself or by the organiser; an open pairing is forfeited."""
    hosted = await context.tournaments.loaded.get(tournament_id)
    await context.tournaments.withdraw(hosted, user, request.player, request.back)
    return _view(context, hosted, user)


@router.post("/tournaments/{tournament_id}/start", responses=CHANGING)
async def start(tournament_id: TournamentId, context: Context, user: Actor) -> contract.TournamentInfo:
    """Draw the first round; later rounds are drawn when all results are in."""
    hosted = await context.tournaments.loaded.get(tournament_id)
    await context.tournaments.start(hosted, user)
    return _view(context, hosted, user)


@router.post("/tournaments/{tournament_id}/result", responses=CHANGING)
async def set_result(
    tournament_id: TournamentId, request: ResultRequest, context: Context, user: Actor
) -> contract.TournamentInfo:
    """Enter or correct a result, as the organiser."""
    hosted = await context.tournaments.loaded.get(tournament_id)
    forfeits = (request.absent in ("first", "both"), request.absent in ("second", "both"))
    decision = None if request.decision is None else Adjudication(request.decision)
    result = PairingResult(
        tuple((_as_int(one), _as_int(two)) for one, two in request.scores), decision, forfeits
    )
    await context.tournaments.set_result(hosted, user, (request.round, request.table), result, request.reason)
    return _view(context, hosted, user)


def _as_int(value: float) -> int | float:
    return int(value) if value == int(value) else value


@router.get("/tournaments/{tournament_id}/log", responses=error_responses("not-found"))
async def read_log(tournament_id: TournamentId, context: Context) -> contract.AuditLog:
    """Return the audit log, latest first."""
    hosted = await context.tournaments.loaded.get(tournament_id)
    rows = await context.tournaments.store.event_rows(tournament_id)
    return contract.AuditLog(log=audit_log(hosted, rows))


@router.get(
    "/tournaments/{tournament_id}/export.{kind}",
    response_class=Response,
    responses=error_responses("not-found"),
)
async def export(
    tournament_id: TournamentId, kind: Literal["csv", "trf", "html", "pdf"], context: Context
) -> Response:
    """Download a tournament as CSV, TRF16, HTML or PDF."""
    state = (await context.tournaments.loaded.get(tournament_id)).state
    content = await asyncio.to_thread(_exported, state, kind)
    headers = {"Content-Disposition": f'attachment; filename="tournament-{tournament_id}.{kind}"'}
    return Response(content, media_type=TYPES[kind], headers=headers)


def _exported(state: Tournament, kind: str) -> bytes:
    if kind == "pdf":
        from taiji.render.pdf_writer import pdf_bytes
        from taiji.render.tournament_pages import tournament_pages

        return pdf_bytes(tournament_pages(state), state.settings.name)
    text: str = {"csv": pairings_csv, "trf": as_trf, "html": as_html}[kind](state)
    return text.encode()


@router.get("/tables/{tournament_id}/tournament", responses=error_responses("not-found"))
async def tournament_of_table(tournament_id: TournamentId, context: Context) -> contract.TournamentOfTable:
    """Return the tournament that a table belongs to, if any."""
    room = await context.rooms.get(tournament_id)
    hosted = await context.tournaments.loaded.find_by_table(room.table)
    if hosted is None:
        return contract.TournamentOfTable(tournament=None)
    link = contract.TournamentLink(id=hosted.id, name=hosted.state.settings.name)
    return contract.TournamentOfTable(tournament=link)


@router.get("/ratings", responses=error_responses("bad-game"))
async def leaderboard(
    context: Context, game: GameQuery = "taiji", limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> contract.Leaderboard:
    """Return the best players of a game, and the games with ratings."""
    name = str(parse_game_text(game))
    return contract.Leaderboard(
        game=name,
        games=await context.ratings.games(),
        players=await context.ratings.leaders(name, limit),
    )


@router.get("/leaderboards")
async def leaderboards(context: Context) -> contract.Leaderboards:
    """Return the best ten players of each of the twelve games with the most rated players."""
    return contract.Leaderboards(boards=await context.ratings.overview())


@router.get("/ratings/{name}", responses=error_responses("bad-game"))
async def rating_history(
    name: Annotated[str, Path(min_length=1, max_length=24)], context: Context, game: GameQuery = "taiji"
) -> contract.RatingHistory:
    """Return a player's ratings at a game over time."""
    canonical = str(parse_game_text(game))
    history = await context.ratings.history(name, canonical)
    return contract.RatingHistory(name=name, game=canonical, history=history)
