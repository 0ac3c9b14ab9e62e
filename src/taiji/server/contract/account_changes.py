"""Passwords, recovery codes, and the deletion of what the server stores about a user."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from taiji.server.contract.accounts import Me
from taiji.server.contract.messages import Message, Password, View

TypedPassword = Annotated[str, StringConstraints(max_length=200)]
TypedCode = Annotated[str, StringConstraints(min_length=1, max_length=60)]


class PasswordChange(Message):
    """The current password and a new one."""

    current: TypedPassword
    new: Password


class PasswordReset(Message):
    """A recovery code of an account, and its new password."""

    name: Annotated[str, StringConstraints(max_length=24)]
    code: TypedCode
    password: Password


class PasswordConfirmation(Message):
    """The password of the account, before something that cannot be undone."""

    password: TypedPassword


class Deletion(Message):
    """The password of the account; a guest has none."""

    password: TypedPassword | None = None


class RecoveryCodes(View):
    """New recovery codes, which are sent only once; those before open nothing any more."""

    codes: list[str]


class RecoveryStatus(View):
    """How many recovery codes are left."""

    unused: int


class Registered(Me):
    """The new account, with its recovery codes, which are sent only once."""

    recovery_codes: list[str]
