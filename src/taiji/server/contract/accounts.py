"""Who the visitor is: name, account and bearer tokens."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from taiji.server.contract.messages import AccountName, AccountType, Message, Password, View
from taiji.server.contract.visible_text import Label, Name


class NameChange(Message):
    """A new display name."""

    name: Name | None


class NewAccount(Message):
    """An account to create."""

    name: AccountName
    password: Password
    bot: bool = False


class SignIn(Message):
    """A name and its password."""

    name: Annotated[str, StringConstraints(max_length=24)]
    password: Annotated[str, StringConstraints(max_length=200)]


class NewToken(Message):
    """A bearer token to create for a bot or a script."""

    label: Label


class AccountInfo(View):
    """The account that is signed in."""

    name: str
    account_type: AccountType


class Me(View):
    """The visitor; `csrf` is None for a bearer token."""

    name: str | None
    account: AccountInfo | None
    csrf: str | None
    protocol: int
    version: str


class SessionInfo(View):
    """A session of the user; `device` is empty if the browser is not known, `ends_at` if it is not used."""

    id: str
    device: str
    created_at: int
    last_used_at: int | None
    ends_at: int
    current: bool


class SessionList(View):
    """The user's sessions."""

    sessions: list[SessionInfo]


class TokenInfo(View):
    """A bearer token without its secret."""

    id: str
    label: str
    created_at: int
    last_used_at: int | None


class TokenList(View):
    """The account's tokens."""

    tokens: list[TokenInfo]


class CreatedToken(View):
    """A new token with its secret, which is sent only once."""

    id: str
    label: str
    token: str
