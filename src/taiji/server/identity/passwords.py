"""Passwords: hashing, verification, and the refusal of those that are guessed first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from taiji.server.contract.errors import ApiError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

Result = TypeVar("Result")

MIN_GUESSES = 10**6
"""Fewer expected guesses than this mean a common password, or a simple variation of one."""
MAX_ESTIMATED_CHARS = 32
"""The time of an estimate grows with the square of the length, to 0.6 s; this much of a password decides."""


MAX_WAITING = 64
"""How many passwords wait to be hashed or verified; more are refused."""

Estimate = Callable[[str, str], Awaitable[float]]
"""Takes a password and the name of its owner; returns the guesses that find it."""


class Passwords:
    """Hashes and verifies passwords in threads of its own, which nothing else can occupy.

    Each takes 64 MiB and a core; argon2 releases the interpreter, so that the event loop goes on. Estimates
    run elsewhere: they take up to seconds of the interpreter, and must not delay a sign-in.
    """

    def __init__(self, estimate: Estimate, at_once: int = 2) -> None:
        self._estimate = estimate
        self._threads = ThreadPoolExecutor(at_once, "taiji-passwords")
        self._max_running = MAX_WAITING + at_once
        self._running = 0

    async def _run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        if self._running >= self._max_running:
            raise ApiError("too-many-requests", "too many sign-ins at once: try again", retry_after_s=5)
        future = self._threads.submit(function, *arguments)
        loop = asyncio.get_running_loop()
        self._running += 1
        # Also after the visitor has gone: the thread is busy until then.
        future.add_done_callback(lambda _: loop.is_closed() or loop.call_soon_threadsafe(self._count_down))
        return await asyncio.wrap_future(future)

    def _count_down(self) -> None:
        self._running -= 1

    async def hash(self, password: str) -> str:
        """Return the hash that is stored."""
        return await self._run(_hasher().hash, password)

    async def verify(self, hashed: str | None, password: str) -> bool:
        """Return whether a password fits; take as long if there is no account."""
        return await self._run(_verify, hashed, password)

    async def refuse_common(self, password: str, name: str) -> None:
        """Raise `ApiError` if a password is among those that are guessed first, or made of the name."""
        guesses = await self._estimate(password, name)
        if guesses < MIN_GUESSES:
            raise ApiError("common-password")


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@lru_cache(maxsize=1)
def _hash_of_nothing() -> str:
    """Return a hash that no password fits, made once with the current parameters."""
    import secrets

    return _hasher().hash(secrets.token_hex(32))


def _verify(hashed: str | None, password: str) -> bool:
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        _hasher().verify(hashed or _hash_of_nothing(), password)
    except (Argon2Error, InvalidHashError):
        return False
    return bool(hashed)


def count_guesses(password: str, name: str) -> float:
    """Estimate the guesses that find a password: by frequency lists, patterns, and the words of this site."""
    from zxcvbn import zxcvbn

    estimate = zxcvbn(password[:MAX_ESTIMATED_CHARS], user_inputs=["taiji", "tailits", "lits", name])
    return float(estimate["guesses"])
