"""Notifications: the list in the page, settings by kind, and the browsers that receive them by web push."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from taiji.server.contract.messages import Message, View

NotificationKind = Literal["turn", "challenge", "round", "over"]
"""My turn in a game without a live clock, a challenge, a tournament's round, the end of such a game."""
Language = Literal["en", "nl", "pt", "es"]
Subject = Annotated[str, StringConstraints(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]


class NotificationInfo(View):
    """A notification about a table; `opponent` is None for a guest without a name."""

    kind: NotificationKind
    table: str
    game: str
    opponent: str | None
    deadline: int | None
    at: int
    read: bool


class Channels(Message):
    """Where a kind of notification is shown: in the page's list, and on the devices that asked for it."""

    list: bool = True
    push: bool = True


class NotificationSettings(Message):
    """The channels by kind."""

    turn: Channels = Channels()
    challenge: Channels = Channels()
    round: Channels = Channels()
    over: Channels = Channels()


class NotificationList(View):
    """My notifications, the latest first, and the number of unread ones."""

    notifications: list[NotificationInfo]
    unread: int


class NotificationsFrame(NotificationList):
    """My notifications on their socket, sent whenever they have changed."""

    type: Literal["notifications"] = "notifications"


class NotificationsRead(Message):
    """The table whose notifications I have seen; None for all."""

    table: Subject | None = None


class PushInfo(View):
    """The public key with which a browser subscribes; None if this server sends no pushes."""

    key: str | None


class PushKeys(Message):
    """The keys of a browser's subscription, as base64url."""

    p256dh: Annotated[str, StringConstraints(min_length=87, max_length=88, pattern="^[A-Za-z0-9_-]+=?$")]
    auth: Annotated[str, StringConstraints(min_length=22, max_length=24, pattern="^[A-Za-z0-9_-]+={0,2}$")]


class PushEndpoint(Message):
    """The address at which a browser's push service takes messages."""

    endpoint: Annotated[str, StringConstraints(min_length=8, max_length=1000, pattern="^https?://[!-~]+$")]


class NewSubscription(PushEndpoint):
    """A browser that wants to receive pushes, in a language."""

    keys: PushKeys
    language: Language = "en"


class PushStatus(View):
    """Whether this browser's endpoint is known, and the number of devices that receive pushes."""

    devices: Annotated[int, Field(ge=0)]


class PushMessage(View):
    """What a push carries: the service worker makes a sentence of it, in the subscription's language."""

    kind: NotificationKind
    table: str
    game: str
    opponent: str | None
    language: Language
