"""Who is online: accounts with an open socket or stream at any server."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taiji.server.cluster.peers import Peers
    from taiji.server.identity.connections import Connections
    from taiji.server.time_source import TimeSource

GRACE_MS = 10_000
"""How long an account stays online without a connection: between two pages there is none."""
INTERVAL_S = 1.0
REPEAT_EVERY = 20
"""After this number of intervals everything is sent again, because messages may be lost."""


class OnlineAccounts:
    """Knows the accounts online here and at other servers."""

    def __init__(self, connections: Connections, peers: Peers, time: TimeSource) -> None:
        self._peers = peers
        self._time = time
        self._here: dict[str, int] = {}
        self._left: dict[str, int] = {}
        """When the last connection of an account closed."""
        self._there: dict[str, set[str]] = {}
        """The accounts online at each other server."""
        self._changed: set[str] = set()
        self.listeners: list[Callable[[frozenset[str]], None]] = []
        """Called with the accounts that came or went."""
        connections.on_account = self._count
        peers.hear("online", self._hear)

    def is_online(self, account_id: str) -> bool:
        """Return whether an account is online."""
        if account_id in self._here or account_id in self._left:
            return True
        return any(account_id in ids for ids in self._there.values())

    def _count(self, account_id: str, change: int) -> None:
        count = self._here.get(account_id, 0) + change
        if count > 0:
            self._here[account_id] = count
            if self._left.pop(account_id, None) is None and count == change:
                self._note(account_id)
        else:
            self._here.pop(account_id, None)
            self._left[account_id] = self._time.now()

    def _note(self, account_id: str) -> None:
        self._changed.add(account_id)
        self._tell((account_id,))

    async def run(self) -> None:
        """Forget those who have left, and tell other servers."""
        count = 0
        while True:
            await self._time.sleep(INTERVAL_S)
            count += 1
            self.forget_left()
            changed, self._changed = self._changed, set()
            if self._peers.is_alone:
                continue
            if count % REPEAT_EVERY == 0:
                self._forget_dead()
                self._peers.cast("online", {"all": sorted(self._here.keys() | self._left.keys())})
            elif changed:
                online = self._here.keys() | self._left.keys()
                came, went = sorted(changed & online), sorted(changed - online)
                self._peers.cast("online", {"came": came, "went": went})

    def forget_left(self) -> None:
        """Forget those who have been without a connection for some time."""
        now = self._time.now()
        for account_id in [one for one, at in self._left.items() if at <= now - GRACE_MS]:
            del self._left[account_id]
            self._note(account_id)

    def _hear(self, node_id: str, content: dict[str, Any]) -> None:
        before = self._there.get(node_id, set())
        if "all" in content:
            after = set(content["all"])
        else:
            after = (before | set(content["came"])) - set(content["went"])
        self._there[node_id] = after
        self._tell(before ^ after)

    def _forget_dead(self) -> None:
        """Forget the servers that have gone, and with them who was online there."""
        for node_id in self._there.keys() - self._peers.nodes:
            self._tell(self._there.pop(node_id))

    def _tell(self, changed: Collection[str]) -> None:
        if changed:
            for listener in self.listeners:
                listener(frozenset(changed))
