"""What the server refuses and why: one exception with a code that the web app translates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taiji.rules import IllegalReason

HTTP_STATUS = {
    "bad-json": 400,
    "bad-game": 400,
    "bad-record": 400,
    "bad-move": 400,
    "no-account": 401,
    "wrong-password": 401,
    "bad-token": 401,
    "csrf": 403,
    "foreign-origin": 403,
    "not-your-table": 403,
    "own-table": 403,
    "not-organiser": 403,
    "hints-off": 403,
    "takebacks-off": 403,
    "not-found": 404,
    "bad-method": 405,
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
    "tournament": 409,
    "too-large": 413,
    "bad-request": 422,
    "too-many-requests": 429,
    "search-running": 429,
    "engines-busy": 429,
    "unavailable": 503,
}
"""The HTTP status of each code."""

DEFAULT_MESSAGES = {
    "bad-json": "this is not JSON",
    "no-account": "sign in first",
    "wrong-password": "this name and password do not belong together",
    "bad-token": "this token is not valid",
    "csrf": "the X-CSRF-Token header is missing or wrong; GET /api/me tells it",
    "foreign-origin": "this request comes from another site",
    "not-your-table": "you have no seat at this table",
    "not-organiser": "only the organiser may do that",
    "own-table": "you cannot play against yourself here",
    "hints-off": "there are hints only against the computer",
    "takebacks-off": "takebacks are switched off at this table",
    "not-found": "there is no such thing here",
    "bad-method": "this address does not take that method",
    "not-your-turn": "it is not your turn",
    "stale-ply": "the game has moved on",
    "over": "the game is over",
    "not-started": "the game has not started",
    "not-over": "the game is not over",
    "taken": "this seat is taken",
    "nothing-to-take-back": "there is no move of yours to take back",
    "no-offer": "there is no such offer",
    "name-taken": "this name is taken",
    "tournament": "the tournament's rules do not allow that",
    "too-late": "it is too late for that",
    "too-large": "this is too large",
    "bad-request": "the request does not have the expected form",
    "too-many-requests": "too many requests: wait a little",
    "search-running": "one search at a time: yours is still running",
    "engines-busy": "all engines are busy: try again in a moment",
    "unavailable": "this is not available on this server",
}
"""The English sentence of each code, where the refusal brings none of its own."""


class ApiError(Exception):
    """A request that cannot be done; the code says why."""

    def __init__(
        self,
        code: str,
        message: str | None = None,
        *,
        reason: IllegalReason | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        self.code = code
        self.message = message or DEFAULT_MESSAGES[code]
        self.reason = reason
        self.retry_after_s = retry_after_s
        self.fields: list[dict[str, str]] | None = None
        super().__init__(self.message)

    @property
    def status(self) -> int:
        """The HTTP status that goes with it."""
        return HTTP_STATUS[self.code]

    def to_wire(self) -> dict[str, Any]:
        """Return the refusal as it is sent."""
        error: dict[str, Any] = {"code": self.code, "text": self.message}
        if self.reason is not None:
            error["reason"] = {
                "code": self.reason.code,
                "cells": list(self.reason.cells),
                "kind": self.reason.kind,
            }
        if self.fields is not None:
            error["fields"] = self.fields
        return error
