"""Authentication: the session's cookie, the bearer token, and protection against forged requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.identity.credentials import constant_time_equal, csrf_token
from taiji.server.identity.origins import is_secure
from taiji.server.identity.users import ANONYMOUS, User

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import Response

    from taiji.server.identity.sessions import NewSession, SessionService
    from taiji.server.identity.users import Users
    from taiji.server.settings import ServerSettings

COOKIE = "taiji_session"
SECURE_COOKIE = "__Host-taiji_session"
"""On https: a browser accepts it only from this host itself, over https and for all paths."""
LEGACY_COOKIE = "taiji_visitor"
"""The cookie of version 0.1; a guest's is exchanged for a session."""
TOKEN_CHARS = range(22, 65)


class Authenticator:
    """Finds the user of a request or socket."""

    def __init__(self, settings: ServerSettings, users: Users, sessions: SessionService) -> None:
        self._settings = settings
        self._users = users
        self._sessions = sessions

    async def authenticate(self, connection: HTTPConnection) -> User:
        """Return who asks, or `ANONYMOUS` if there is neither a valid session nor a token."""
        token = bearer_token(connection)
        if token is not None:
            return await self._users.find_by_token(token)
        session = self.session_token(connection)
        user = None if session is None else await self._sessions.find(session)
        return user or ANONYMOUS

    def session_token(self, connection: HTTPConnection) -> str | None:
        """Return the token of the session's cookie if it has the form of one."""
        return _read(connection, SECURE_COOKIE if is_secure(connection, self._settings) else COOKIE)

    def is_csrf_valid(self, request: Request) -> bool:
        """Return whether the request carries the CSRF token of its session."""
        token = self.session_token(request)
        return token is not None and constant_time_equal(
            request.headers.get("x-csrf-token", ""), csrf_token(token)
        )

    def set_cookie(self, request: Request, response: Response, session: NewSession, now: int) -> None:
        """Set the cookie of a new session; one of version 0.1 is deleted."""
        secure = is_secure(request, self._settings)
        response.set_cookie(
            SECURE_COOKIE if secure else COOKIE,
            session.token,
            max_age=(session.ends_at - now) // 1000,
            path="/",
            secure=secure,
            httponly=True,
            samesite="lax",
        )
        if LEGACY_COOKIE in request.cookies:
            response.delete_cookie(LEGACY_COOKIE, path="/", httponly=True, samesite="lax")


def bearer_token(connection: HTTPConnection) -> str | None:
    """Return the bearer token of a request."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def legacy_cookie(connection: HTTPConnection) -> str | None:
    """Return the cookie of version 0.1."""
    return _read(connection, LEGACY_COOKIE)


def _read(connection: HTTPConnection, name: str) -> str | None:
    value = connection.cookies.get(name)
    return value if value and len(value) in TOKEN_CHARS and value.isascii() else None
