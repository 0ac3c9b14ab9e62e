"""The lobby: what the front page shows, pushed to each of its readers when it has changed for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from taiji.server.contract.people import FollowedPlayer
from taiji.server.contract.tables import TableSummary
from taiji.server.contract.tournaments import PublicTournament
from taiji.server.live.listings import Challenge, visible_to

if TYPE_CHECKING:
    from taiji.server.domain.table import Event
    from taiji.server.identity.users import User
    from taiji.server.live.listings import Listings
    from taiji.server.live.online import OnlineAccounts
    from taiji.server.live.room import Room, Subscriber
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.follows import Followed
    from taiji.server.time_source import TimeSource

STATUS_EVENTS = frozenset(("join", "start", "end", "next-game", "rematch"))
"""Events after which a player is in another game than before."""
LOBBY_EVENTS = STATUS_EVENTS | {"move", "takeback", "device-added", "device-removed"}
PUSH_INTERVAL_S = 1.0
REFRESH_EVERY = 10
"""After this number of intervals the public lists are read again: challenges and games grow old."""
_TABLES: TypeAdapter[list[TableSummary]] = TypeAdapter(list[TableSummary])
_TOURNAMENTS: TypeAdapter[list[PublicTournament]] = TypeAdapter(list[PublicTournament])
_FOLLOWED: TypeAdapter[list[FollowedPlayer]] = TypeAdapter(list[FollowedPlayer])


@dataclass(slots=True)
class _Reader:
    """A connection to the lobby, and what it was sent last."""

    user: User
    mine: str = "[]"
    following: str = "[]"
    followed: frozenset[str] = frozenset()
    sent: str = ""
    is_ready: bool = False
    """Whether all of it has been read; the push loop reads again what changes until then."""


@dataclass(slots=True)
class _Changes:
    """Whose tables have changed since the last push, and who came or went."""

    public: bool = False
    everyone: bool = False
    players: set[str] = field(default_factory=set)
    followed: set[str] = field(default_factory=set)

    def add(self, other: _Changes) -> None:
        """Add more changes."""
        self.public |= other.public
        self.everyone |= other.everyone
        self.players |= other.players
        self.followed |= other.followed


class _Public:
    """What all readers see, as JSON; only the challenges differ, where one player has blocked another."""

    def __init__(self, challenges: list[Challenge], rest: str) -> None:
        self._challenges = challenges
        self._hidden_from = frozenset().union(*(one.hidden_from for one in challenges))
        self._rest = rest
        self._for_most = self._write([one.table for one in challenges])

    def text(self, ids: frozenset[str]) -> str:
        """Return the public part for a user with these ids."""
        if self._hidden_from.isdisjoint(ids):
            return self._for_most
        return self._write(visible_to(self._challenges, ids))

    def _write(self, challenges: list[TableSummary]) -> str:
        return f'"challenges":{_TABLES.dump_json(challenges).decode()},{self._rest}'


class Lobby:
    """Sends the lobby to its readers; the public part is read once for all of them."""

    def __init__(
        self, listings: Listings, rooms: RoomManager, online: OnlineAccounts, time: TimeSource
    ) -> None:
        self._listings = listings
        self._rooms = rooms
        self._time = time
        self._readers: dict[Subscriber, _Reader] = {}
        self._public: _Public | None = None
        self.list_tournaments: Callable[[], Awaitable[list[PublicTournament]]] = _none
        """Returns the public tournaments that run or begin soon."""
        self._changes = _Changes()
        self._changed_here = _Changes()
        rooms.peers.hear("lobby", self._hear)
        rooms.listeners.append(self._on_events)
        online.listeners.append(self._on_online)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        kinds = {event.event_type for event in events}
        if kinds.isdisjoint(LOBBY_EVENTS):
            return
        table = room.table
        people = {*table.holders[0], *table.holders[1], table.settings.creator}
        if table.settings.challenged is not None:
            people.add(table.settings.challenged)
        moved_on = people if kinds & STATUS_EVENTS else set()
        changes = _Changes(public=True, players=people, followed=set(moved_on))
        self._changes.add(changes)
        self._changed_here.add(changes)

    def _on_online(self, accounts: frozenset[str]) -> None:
        self._changes.followed |= accounts

    def _hear(self, _: str, content: dict[str, Any] | None) -> None:
        if content is None:
            self._changes.add(_Changes(public=True, everyone=True))
        else:
            players, followed = set(content["players"]), set(content["followed"])
            self._changes.add(_Changes(public=True, players=players, followed=followed))

    async def enter(self, subscriber: Subscriber, user: User) -> None:
        """Add a reader and send it the lobby."""
        reader = self._readers[subscriber] = _Reader(user)
        if self._changes.public or self._public is None:
            await self._read_public()
        tables, followed = await self._listings.of_reader(user.ids)
        reader.mine = _TABLES.dump_json(tables).decode()
        await self._set_following(reader, followed)
        reader.is_ready = True
        self._send(subscriber, reader)

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a reader."""
        self._readers.pop(subscriber, None)

    def public_changed(self) -> None:
        """Read the public part again, because a block was set or lifted."""
        self._changes.public = self._changed_here.public = True

    def follows_changed(self, user: User) -> None:
        """Send the lobby again to a user who follows somebody, or no longer."""
        for reader in self._readers.values():
            if reader.user.ids & user.ids:
                reader.followed |= {user.id}
                self._changes.followed.add(user.id)

    async def run_push_loop(self) -> None:
        """Send the lobby to those for whom it has changed, at most once per second."""
        count = 0
        while True:
            await self._time.sleep(PUSH_INTERVAL_S)
            count += 1
            own = self._changed_here
            if own.public:
                self._changed_here = _Changes()
                content = {"players": sorted(own.players), "followed": sorted(own.followed)}
                self._rooms.peers.cast("lobby", content)
            if count % REFRESH_EVERY == 0 and self._readers:
                self._changes.public = True
            changes, self._changes = self._changes, _Changes()
            try:
                await self._push(changes)
            except Exception:
                self._changes.add(changes)  # for the next attempt
                raise

    async def _push(self, changes: _Changes) -> None:
        if not self._readers or not (changes.public or changes.players or changes.followed):
            self._public = None if changes.public else self._public
            return
        if changes.public or self._public is None:
            await self._read_public()
        for subscriber, reader in tuple(self._readers.items()):
            if changes.everyone or not changes.players.isdisjoint(reader.user.ids):
                await self._read_mine(reader)
            if not changes.followed.isdisjoint(reader.followed):
                await self._read_following(reader)
            self._send(subscriber, reader)

    async def _read_public(self) -> None:
        listings = self._listings
        challenges = await listings.challenges(())
        parts = {"live": await listings.live(()), "results": await listings.results(())}
        texts = [f'"{name}":{_TABLES.dump_json(tables).decode()}' for name, tables in parts.items()]
        tournaments = await self.list_tournaments()
        texts.append(f'"tournaments":{_TOURNAMENTS.dump_json(tournaments).decode()}')
        self._public = _Public(challenges, ",".join(texts))

    async def _read_mine(self, reader: _Reader) -> None:
        tables = await self._listings.unfinished(reader.user.ids)
        reader.mine = _TABLES.dump_json(tables).decode()

    async def _read_following(self, reader: _Reader) -> None:
        await self._set_following(reader, await self._listings.followed(reader.user.ids))

    async def _set_following(self, reader: _Reader, followed: list[Followed]) -> None:
        reader.followed = frozenset(one.id for one in followed)
        reader.following = _FOLLOWED.dump_json(await self._listings.following(followed)).decode()

    def _send(self, subscriber: Subscriber, reader: _Reader) -> None:
        """Send a `LobbyFrame`, unless it says what the last one did."""
        if self._public is None or not reader.is_ready:
            return
        public = self._public.text(reader.user.ids)
        body = f'{public},"my_tables":{reader.mine},"following":{reader.following}'
        if body != reader.sent:
            reader.sent = body
            subscriber.send(f'{{"type":"lobby","now":{self._time.now()},{body}}}')


async def _none() -> list[PublicTournament]:
    return []
