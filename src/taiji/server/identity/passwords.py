"""Passwords: hashing, verification, and the refusal of those that are guessed first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from taiji.server.contract.errors import ApiError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

Result = TypeVar("Result")

MIN_GUESSES = 10**6
"""Fewer expected guesses than this mean a common password, or a simple variation of one."""
MAX_ESTIMATED_CHARS = 64
"""The time of an estimate grows with the square of the length; this much of a password decides."""


class Passwords:
    """Hashes and verifies passwords in threads of its own, which nothing else can occupy.

    Each takes 64 MiB and a core; argon2 releases the interpreter, so that the event loop goes on.
    """

    def __init__(self, at_once: int = 2) -> None:
        self._threads = ThreadPoolExecutor(at_once, "taiji-passwords")

    async def _run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def hash(self, password: str) -> str:
        """Return the hash that is stored."""
        return await self._run(_hasher().hash, password)

    async def verify(self, hashed: str | None, password: str) -> bool:
        """Return whether a password fits; take as long if there is no account."""
        return await self._run(_verify, hashed, password)

    async def refuse_common(self, password: str, name: str) -> None:
        """Raise `ApiError` if a password is among those that are guessed first, or made of the name."""
        guesses = await self._run(count_guesses, password, name)
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
