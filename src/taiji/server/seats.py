"""Recognising who asks: the private cookie, the bearer token, and protection against other sites' forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.identities import csrf_token, new_secret, same
from taiji.server.people import NOBODY, Person

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import Response

    from taiji.server.people import People

COOKIE = "taiji_visitor"
COOKIE_AGE = 400 * 86_400
LONGEST_COOKIE = 64


class Seats:
    """Tells who a request or socket comes from."""

    def __init__(self, people: People) -> None:
        self._people = people

    async def of(self, connection: HTTPConnection) -> Person:
        """Return who asks, or `NOBODY` where there is neither cookie nor token."""
        token = bearer(connection)
        if token is not None:
            return await self._people.of_token(token)
        cookie = cookie_of(connection)
        return NOBODY if cookie is None else await self._people.of_cookie(cookie)


def bearer(connection: HTTPConnection) -> str | None:
    """Return the bearer token of a request."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def cookie_of(connection: HTTPConnection) -> str | None:
    """Return the visitor's cookie, if it can be one of ours."""
    cookie = connection.cookies.get(COOKIE)
    return cookie if cookie and 22 <= len(cookie) <= LONGEST_COOKIE and cookie.isascii() else None


def set_cookie(request: Request, response: Response, cookie: str) -> None:
    """Give a browser its cookie."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, cookie, max_age=COOKIE_AGE, path="/", secure=secure, httponly=True, samesite="lax"
    )


def csrf_fits(request: Request) -> bool:
    """Tell whether a page of ours made the request: it carries the token that goes with the cookie."""
    cookie = cookie_of(request)
    return cookie is not None and same(request.headers.get("x-csrf-token", ""), csrf_token(cookie))


def fresh_cookie(request: Request, response: Response) -> str:
    """Return the visitor's cookie, making one where there is none."""
    cookie = cookie_of(request)
    if cookie is None:
        cookie = new_secret()
        set_cookie(request, response, cookie)
    return cookie
