"""Tournaments and ratings over REST."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from taiji.arena.tournaments import Adjudication, PairingResult, Tournament
from taiji.arena.tournaments.csv_io import pairings_csv
from taiji.arena.tournaments.html import as_html
from taiji.arena.tournaments.trf import as_trf
from taiji.rules import GameError, parse_game
from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import MAX_GAME_TEXT_CHARS
from taiji.server.contract.tournaments import JoinTournament, NewTournament, ResultRequest, WithdrawRequest
from taiji.server.identity.users import User
from taiji.server.tournaments.audit import audit_view
from taiji.server.tournaments.hosted import HostedTournament
from taiji.server.tournaments.views import tournament_summary, tournament_view
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Actor, Context, CurrentUser, error_responses

router = APIRouter(prefix="/api", tags=["tournaments"])

TournamentId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
GameQuery = Annotated[str, Query(min_length=1, max_length=MAX_GAME_TEXT_CHARS)]
CHANGING = error_responses(
    "csrf", "foreign-origin", "not-found", "too-many-requests", "bad-token", "tournament", "not-organiser",
    "no-account", "bad-game",
)  # fmt: skip
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "trf": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
}


async def _view(hall: AppContext, contest: HostedTournament, person: User) -> dict[str, Any]:
    return tournament_view(contest, person, hall.rooms)


@router.get("/tournaments")
async def my_tournaments(hall: Context, person: CurrentUser) -> dict[str, Any]:
    """List the tournaments that I run or play in."""
    found = await hall.tournaments.list_mine(person.ids)
    return {"tournaments": [tournament_summary(contest, person) for contest in found]}


@router.post("/tournaments", status_code=201, responses=CHANGING)
async def make_tournament(wish: NewTournament, hall: Context, person: Actor) -> dict[str, Any]:
    """Begin a tournament; its organiser gets the link that lets others in."""
    hall.rate_limiter.acquire("tables", person.id)
    return await _view(hall, await hall.tournaments.create(person, wish), person)


@router.get("/tournaments/{contest_id}", responses=error_responses("not-found"))
async def read_tournament(contest_id: TournamentId, hall: Context, person: CurrentUser) -> dict[str, Any]:
    """Look at a tournament: players, rounds, boards and standings; anyone may."""
    return await _view(hall, await hall.tournaments.get(contest_id), person)


@router.post("/tournaments/{contest_id}/join", responses=CHANGING)
async def join_tournament(
    contest_id: TournamentId, given: JoinTournament, hall: Context, person: Actor
) -> dict[str, Any]:
    """Enter with the secret of the link."""
    contest = await hall.tournaments.get(contest_id)
    await hall.tournaments.join(contest, person, given.secret, given.name)
    return await _view(hall, contest, person)


@router.post("/tournaments/{contest_id}/withdraw", responses=CHANGING)
async def withdraw(
    contest_id: TournamentId, given: WithdrawRequest, hall: Context, person: Actor
) -> dict[str, Any]:
    """Leave or come back, oneself or by the organiser; an open pairing is lost by forfeit."""
    contest = await hall.tournaments.get(contest_id)
    await hall.tournaments.withdraw(contest, person, given.player, given.back)
    return await _view(hall, contest, person)


@router.post("/tournaments/{contest_id}/start", responses=CHANGING)
async def start(contest_id: TournamentId, hall: Context, person: Actor) -> dict[str, Any]:
    """Draw the first round; later rounds follow when all results are in."""
    contest = await hall.tournaments.get(contest_id)
    await hall.tournaments.start(contest, person)
    return await _view(hall, contest, person)


@router.post("/tournaments/{contest_id}/result", responses=CHANGING)
async def set_result(
    contest_id: TournamentId, given: ResultRequest, hall: Context, person: Actor
) -> dict[str, Any]:
    """Decide or correct a result, as its organiser."""
    contest = await hall.tournaments.get(contest_id)
    absent = (given.absent in ("first", "both"), given.absent in ("second", "both"))
    decision = None if given.decision is None else Adjudication(given.decision)
    result = PairingResult(tuple((_as_int(one), _as_int(two)) for one, two in given.scores), decision, absent)
    await hall.tournaments.set_result(contest, person, (given.round, given.table), result, given.reason)
    return await _view(hall, contest, person)


def _as_int(value: float) -> int | float:
    return int(value) if value == int(value) else value


@router.get("/tournaments/{contest_id}/log", responses=error_responses("not-found"))
async def read_log(contest_id: TournamentId, hall: Context) -> dict[str, Any]:
    """List everything that was done in a tournament, the latest first: who, when, and what it replaced."""
    contest = await hall.tournaments.get(contest_id)
    return {"log": audit_view(contest, await hall.tournaments.store.events(contest_id))}


@router.get(
    "/tournaments/{contest_id}/export.{kind}", response_class=Response, responses=error_responses("not-found")
)
async def export(
    contest_id: TournamentId, kind: Literal["csv", "trf", "html", "pdf"], hall: Context
) -> Response:
    """Download a tournament as CSV, TRF16, a page of HTML or sheets to print."""
    state = (await hall.tournaments.get(contest_id)).state
    content = await asyncio.to_thread(_exported, state, kind)
    headers = {"Content-Disposition": f'attachment; filename="tournament-{contest_id}.{kind}"'}
    return Response(content, media_type=TYPES[kind], headers=headers)


def _exported(state: Tournament, kind: str) -> bytes:
    if kind == "pdf":
        from taiji.render.pdf_writer import pdf_bytes
        from taiji.render.tournament_pages import tournament_pages

        return pdf_bytes(tournament_pages(state), state.settings.name)
    text: str = {"csv": pairings_csv, "trf": as_trf, "html": as_html}[kind](state)
    return text.encode()


@router.get("/tables/{contest_id}/tournament", responses=error_responses("not-found"))
async def tournament_of_table(contest_id: TournamentId, hall: Context) -> dict[str, Any]:
    """Tell which tournament a table belongs to, if any."""
    room = await hall.rooms.get(contest_id)
    contest = await hall.tournaments.find_by_table(room.table)
    named = None if contest is None else {"id": contest.id, "name": contest.state.settings.name}
    return {"tournament": named}


@router.get("/ratings", responses=error_responses("bad-game"))
async def leaderboard(
    hall: Context, game: GameQuery = "taiji", limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> dict[str, Any]:
    """List the best at a game, and the games that anybody is rated at."""
    return {
        "game": _canonical(game),
        "players": await hall.ratings.leaders(_canonical(game), limit),
        "games": await hall.ratings.games(),
    }


@router.get("/ratings/{name}", responses=error_responses("bad-game"))
async def rating_history(
    name: Annotated[str, Path(min_length=1, max_length=24)], hall: Context, game: GameQuery = "taiji"
) -> dict[str, Any]:
    """Tell how somebody's rating at a game went."""
    return {
        "name": name,
        "game": _canonical(game),
        "history": await hall.ratings.history(name, _canonical(game)),
    }


def _canonical(game: str) -> str:
    try:
        return str(parse_game(game))
    except GameError as error:
        raise ApiError("bad-game", str(error)) from error
