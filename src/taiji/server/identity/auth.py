"""Authentication: the private cookie, the bearer token, and protection against forged requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.identity.credentials import constant_time_equal, csrf_token, new_secret
from taiji.server.identity.users import ANONYMOUS, User

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import Response

    from taiji.server.identity.users import Users

COOKIE = "taiji_visitor"
COOKIE_MAX_AGE_S = 400 * 86_400
MAX_COOKIE_CHARS = 64


class Authenticator:
    """Finds the user of a request or socket."""

    def __init__(self, people: Users) -> None:
        self._people = people

    async def authenticate(self, connection: HTTPConnection) -> User:
        """Return who asks, or `NOBODY` where there is neither cookie nor token."""
        token = bearer_token(connection)
        if token is not None:
            return await self._people.find_by_token(token)
        cookie = read_cookie(connection)
        return ANONYMOUS if cookie is None else await self._people.find_by_cookie(cookie)


def bearer_token(connection: HTTPConnection) -> str | None:
    """Return the bearer token of a request."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def read_cookie(connection: HTTPConnection) -> str | None:
    """Return the visitor's cookie if it has the form of one."""
    cookie = connection.cookies.get(COOKIE)
    return cookie if cookie and 22 <= len(cookie) <= MAX_COOKIE_CHARS and cookie.isascii() else None


def set_cookie(request: Request, response: Response, cookie: str) -> None:
    """Set a browser's cookie."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, cookie, max_age=COOKIE_MAX_AGE_S, path="/", secure=secure, httponly=True, samesite="lax"
    )


def is_csrf_valid(request: Request) -> bool:
    """Return whether the request carries the CSRF token of its cookie."""
    cookie = read_cookie(request)
    return cookie is not None and constant_time_equal(
        request.headers.get("x-csrf-token", ""), csrf_token(cookie)
    )


def get_or_create_cookie(request: Request, response: Response) -> str:
    """Return the visitor's cookie, or a new one if missing."""
    cookie = read_cookie(request)
    if cookie is None:
        cookie = new_secret()
        set_cookie(request, response, cookie)
    return cookie
