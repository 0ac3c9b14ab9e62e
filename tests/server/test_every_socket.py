"""Attacks on every socket: foreign pages, strangers, frames that nobody expects, and sessions that end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from taiji.server.identity.auth_limits import ClientAddress
from taiji.server.identity.limits import FRAME_LIMIT, SOCKETS_PER_VISITOR
from taiji.server.identity.users import User
from taiji.server.identity.watch import SESSION_ENDED
from taiji.server.web.routes.streams import _counted
from taiji.server.web.sockets import BAD_FRAMES, FOREIGN_ORIGIN, NOT_FOUND, TOO_MANY
from tests.server.inside import Browser, Inside, drain

SOCKETS = ("/ws/lobby", "/ws/notifications", "/ws/tables/TABLE?protocol=2", "/ws/tournaments/TOURNAMENT")
FEEDS = tuple(path for path in SOCKETS if "tables" not in path)
HOSTILE = ["", "{", "[]", "null", '{"type": "admin"}', '{"type": "say"}', '{"id": "\\u0000"}', "9" * 5000]


@pytest.fixture(scope="module")
def owner(inside: Inside) -> Browser:
    browser = inside.browser()
    browser.register("Socket-Owner")
    return browser


@pytest.fixture(scope="module")
def places(owner: Browser) -> dict[str, str]:
    wish = {"name": "Open", "game": "taiji:size=3", "match": False, "public": True}
    return {"TABLE": owner.table()["id"], "TOURNAMENT": owner.post("/api/tournaments", wish)["id"]}


def fill(path: str, places: dict[str, str]) -> str:
    for name, identity in places.items():
        path = path.replace(name, identity)
    return path


@pytest.mark.parametrize("path", SOCKETS)
def test_no_other_site_opens_one(inside: Inside, places: dict[str, str], path: str) -> None:
    for origin in (b"http://evil.example", b"null", b"https://localhost:8321"):
        with inside.browser().socket(fill(path, places), Origin=origin) as socket:
            assert drain(socket) == FOREIGN_ORIGIN


@pytest.mark.parametrize("path", ["/ws/tables/nothing?protocol=2", "/ws/tournaments/nothing"])
def test_what_does_not_exist_is_closed(inside: Inside, path: str) -> None:
    with inside.browser().socket(path) as socket:
        assert drain(socket) == NOT_FOUND


@pytest.mark.parametrize("path", SOCKETS)
def test_a_session_that_ends_closes_it(inside: Inside, places: dict[str, str], path: str) -> None:
    browser = inside.browser()
    with browser.socket(fill(path, places)) as socket:
        socket.receive_json()
        browser.sign_out()
        assert drain(socket) == SESSION_ENDED


@pytest.mark.parametrize("path", FEEDS)
def test_what_is_sent_to_a_feed_is_ignored_up_to_a_limit(
    inside: Inside, places: dict[str, str], path: str
) -> None:
    with inside.browser().socket(fill(path, places)) as socket:
        socket.receive_json()
        for number in range(FRAME_LIMIT[0] + 1):
            socket.send_text(HOSTILE[number % len(HOSTILE)])
        assert drain(socket) == TOO_MANY


@pytest.mark.parametrize("text", HOSTILE)
def test_frames_that_are_not_valid_close_a_table_after_a_few(
    inside: Inside, places: dict[str, str], text: str
) -> None:
    with inside.browser().socket(fill(SOCKETS[2], places)) as socket:
        socket.receive_json()
        for _ in range(3):
            socket.send_text(text)
        assert drain(socket) == BAD_FRAMES


def test_bytes_are_no_frame(inside: Inside, places: dict[str, str]) -> None:
    with inside.browser().socket(fill(SOCKETS[2], places)) as socket:
        socket.receive_json()
        for _ in range(3):
            socket.send_bytes(b"\x00\xff")
        assert drain(socket) == BAD_FRAMES


def test_feeds_tell_strangers_nothing_private(inside: Inside, owner: Browser, places: dict[str, str]) -> None:
    table = owner.table(opponent="link")
    owner.ask("PUT", "/api/following/Socket-Owner-2")
    stranger = inside.browser()
    with stranger.socket("/ws/lobby") as lobby, stranger.socket("/ws/notifications") as bell:
        first, second = lobby.receive_json(), bell.receive_json()
    assert (first["my_tables"], first["following"]) == ([], [])
    assert (second["notifications"], second["unread"]) == ([], 0)
    assert table["id"] not in str(first)
    with stranger.socket(f"/ws/tables/{table['id']}?protocol=2") as socket:
        shown = socket.receive_json()["table"]  # whoever knows the address may look, but not join
        assert (shown["invite"], shown["your_seat"]) == (None, None)


def test_streams_that_begin_at_once_stay_within_the_limit(inside: Inside) -> None:
    """All of them pass the check before the first is counted; the surplus ends without a line."""
    user, client = User("stream-user", frozenset({"stream-user"})), ClientAddress.parse("192.0.2.77")

    async def endless() -> AsyncIterator[str]:
        while True:
            yield "line"

    async def begin() -> int:
        streams = [_counted(inside.context, user, client, endless()) for _ in range(SOCKETS_PER_VISITOR + 5)]
        first = await asyncio.gather(*(anext(one, None) for one in streams))
        for one in streams:
            await one.aclose()  # type: ignore[attr-defined]
        return sum(line is not None for line in first)

    assert inside.run(begin) == SOCKETS_PER_VISITOR
