"""Correspondence: my games by deadline, and my vacation."""

from fastapi import APIRouter

from taiji.server.contract import vacations
from taiji.server.live.agenda import read_agenda
from taiji.server.web.routes.deps import Actor, Context, CurrentUser, error_responses
from taiji.server.web.routes.tables import CHANGING

router = APIRouter(prefix="/api", tags=["agenda"])


@router.get("/agenda", responses=error_responses("bad-token"))
async def agenda(context: Context, user: CurrentUser) -> vacations.Agenda:
    """Return my games in progress by deadline."""
    return await read_agenda(context.store, context.vacations, context.time, user)


@router.post("/vacation", status_code=201, responses=error_responses(*CHANGING, "away", "no-days-left"))
async def begin_vacation(new: vacations.NewVacation, context: Context, user: Actor) -> vacations.VacationInfo:
    """Begin a vacation: my correspondence clocks rest for some days, and my opponents see until when."""
    return await context.vacations.begin(user, new.days)


@router.delete("/vacation", responses=error_responses(*CHANGING))
async def end_vacation(context: Context, user: Actor) -> vacations.VacationInfo:
    """End my vacation now; days that have not begun are not counted."""
    return await context.vacations.end(user)
