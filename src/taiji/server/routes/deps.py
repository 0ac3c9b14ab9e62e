"""What every address asks for: the hall, who is asking, and whether they may change anything."""

from typing import Annotated, Any

from fastapi import Depends, Request

from taiji.server.errors import STATUS_OF, Refused
from taiji.server.hall import Hall
from taiji.server.origins import own_origin
from taiji.server.people import Account, Person
from taiji.server.seats import bearer, csrf_fits
from taiji.server.wire import WireError


async def hall_of(request: Request) -> Hall:
    """Return the server's one hall; a plain function would cost a thread a request."""
    hall: Hall = request.app.state.hall
    return hall


async def who(request: Request) -> Person:
    """Return who reads."""
    hall: Hall = request.app.state.hall
    return await hall.seats.of(request)


async def actor(request: Request) -> Person:
    """Return who changes something; a page of another site cannot make a visitor do it."""
    hall: Hall = request.app.state.hall
    if not own_origin(request.headers, hall.settings):
        raise Refused("foreign-origin")
    if bearer(request) is None and not csrf_fits(request):
        raise Refused("csrf")
    person = await hall.seats.of(request)
    hall.limits.take("changes", person.id)
    hall.limits.take("changes from one address", address_of(request))
    return person


async def searcher(request: Request, person: Annotated[Person, Depends(actor)]) -> Person:
    """Return who asks for a search, bounded for the visitor and for the address."""
    hall: Hall = request.app.state.hall
    hall.limits.take("searches", person.id)
    hall.limits.take("searches from one address", address_of(request))
    return person


def account_of(person: Person) -> Account:
    """Return the account of somebody who needs one."""
    if person.account is None:
        raise Refused("no-account")
    return person.account


def address_of(request: Request) -> str:
    """Return where a request comes from, to bound what visitors without a cookie do."""
    return request.client.host if request.client else "?"


TheHall = Annotated[Hall, Depends(hall_of)]
Who = Annotated[Person, Depends(who)]
Actor = Annotated[Person, Depends(actor)]
Searcher = Annotated[Person, Depends(searcher)]


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of what an address may refuse, besides what any may."""
    found: dict[int | str, dict[str, Any]] = {}
    for code in (*codes, "bad-request"):
        status = STATUS_OF[code]
        known = found.setdefault(status, {"model": WireError, "description": ""})
        known["description"] = ", ".join(filter(None, [known["description"], code]))
    return found
