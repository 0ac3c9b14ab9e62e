"""Errors: one exception with a code that the web app translates, and the message that carries it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.contract.messages import View

if TYPE_CHECKING:
    from taiji.rules import IllegalReason

HTTP_STATUS = {
    "bad-http": 400,
    "bad-json": 400,
    "bad-text": 400,
    "bad-game": 400,
    "bad-record": 400,
    "bad-move": 400,
    "bad-position": 400,
    "no-account": 401,
    "wrong-password": 401,
    "wrong-code": 401,
    "bad-token": 401,
    "no-session": 401,
    "csrf": 403,
    "account-closed": 403,
    "muted": 403,
    "no-push": 403,
    "foreign-origin": 403,
    "not-your-table": 403,
    "own-table": 403,
    "not-organiser": 403,
    "hints-off": 403,
    "review-private": 403,
    "takebacks-off": 403,
    "not-found": 404,
    "review-gone": 404,
    "bad-method": 405,
    "too-slow": 408,
    "illegal-move": 409,
    "not-your-turn": 409,
    "stale-ply": 409,
    "over": 409,
    "not-started": 409,
    "not-over": 409,
    "taken": 409,
    "nothing-to-take-back": 409,
    "no-offer": 409,
    "name-taken": 409,
    "too-late": 409,
    "away": 409,
    "no-days-left": 409,
    "tournament": 409,
    "limit-reached": 409,
    "too-large": 413,
    "too-costly": 413,
    "too-long": 414,
    "unknown-host": 421,
    "bad-request": 422,
    "bad-endpoint": 422,
    "common-password": 422,
    "unsupported": 422,
    "too-many-requests": 429,
    "search-running": 429,
    "engines-busy": 429,
    "headers-too-large": 431,
    "failed": 500,
    "unavailable": 503,
}
"""The HTTP status of each code."""

DEFAULT_MESSAGES = {
    "bad-http": "not a valid HTTP request",
    "bad-json": "the body is not valid JSON",
    "bad-text": "a text contains NUL or half of a surrogate pair",
    "no-account": "sign in first",
    "wrong-password": "wrong name or password",
    "wrong-code": "wrong name or recovery code, or the code has been used",
    "account-closed": "an operator has closed this account",
    "muted": "an operator has muted this account",
    "no-push": "this server sends no pushes",
    "away": "you are on vacation already",
    "no-days-left": "fewer days of vacation are left this year",
    "bad-endpoint": "not the address of a public push service (expected https://…)",
    "common-password": "the password is among the first that are guessed (expected a longer or stranger one)",
    "bad-token": "the bearer token is not valid",
    "no-session": "the session has ended (GET /api/me starts a new one)",
    "csrf": "the X-CSRF-Token header is missing or wrong (GET /api/me returns it)",
    "foreign-origin": "the request comes from another site",
    "not-your-table": "you have no seat at this table",
    "not-organiser": "only the organiser may do this",
    "own-table": "you cannot play against yourself",
    "hints-off": "hints are available only against the computer",
    "takebacks-off": "takebacks are switched off at this table",
    "not-found": "not found",
    "review-private": "only its owner can see this review",
    "review-gone": "this review was deleted or never existed",
    "bad-method": "method not allowed",
    "not-your-turn": "it is not your turn",
    "stale-ply": "the game has moved on",
    "over": "the game is over",
    "not-started": "the game has not started",
    "not-over": "the game is not over",
    "taken": "the seat is taken",
    "nothing-to-take-back": "you have no move to take back",
    "no-offer": "there is no such offer",
    "name-taken": "the name is taken",
    "tournament": "the tournament's rules do not allow this",
    "too-late": "it is too late for this",
    "limit-reached": "there are as many as allowed already",
    "too-large": "the request is too large",
    "too-costly": "the request takes too long to compute (expected a smaller one)",
    "too-slow": "the request did not arrive in time",
    "too-long": "the path or the query is too long",
    "unknown-host": "the server does not answer to this host (see taiji serve --allowed-host)",
    "bad-request": "the request is not valid",
    "too-many-requests": "too many requests: try again later",
    "search-running": "one search at a time: yours is still running",
    "engines-busy": "all engines are busy: try again in a moment",
    "headers-too-large": "the headers are too large",
    "failed": "internal server error",
    "unavailable": "not available on this server",
}
"""The English message of each code, unless the error brings its own."""


class ErrorReason(View):
    """The rule that forbids a move."""

    code: str
    cells: tuple[str, ...]
    kind: str


class InvalidField(View):
    """A part of a request that is not valid."""

    path: str
    message: str


class ErrorBody(View):
    """Why a request was refused."""

    code: str
    message: str
    reason: ErrorReason | None = None
    fields: tuple[InvalidField, ...] | None = None


class ErrorResponse(View):
    """The body of every answer of 400 and above."""

    error: ErrorBody


class ApiError(Exception):
    """A request that is refused; the code says why."""

    def __init__(
        self,
        code: str,
        message: str | None = None,
        *,
        reason: IllegalReason | None = None,
        fields: tuple[InvalidField, ...] | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        self.code = code
        self.message = message or DEFAULT_MESSAGES[code]
        self.reason = reason
        self.fields = fields
        self.retry_after_s = retry_after_s
        super().__init__(self.message)

    @property
    def status(self) -> int:
        """The HTTP status of the code."""
        return HTTP_STATUS[self.code]

    def body(self) -> ErrorBody:
        """Return the error as it is sent."""
        reason = self.reason and ErrorReason(
            code=self.reason.code, cells=self.reason.cells, kind=self.reason.kind
        )
        return ErrorBody(code=self.code, message=self.message, reason=reason or None, fields=self.fields)
