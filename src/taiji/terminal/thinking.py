"""Lets a player of the computer think in a thread of its own, so that whoever waits can interrupt it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.players import Info, Limit, MatchContext, Player
    from taiji.rules import Move, State

_POLL_INTERVAL_S = 0.2
"""How often, in seconds, a waiting thread looks whether somebody wants to interrupt it."""


def think(player: Player, state: State, limit: Limit, match: MatchContext | None = None) -> tuple[Move, Info]:
    """Return a player's choice; an interrupt of this thread stops the thinking first."""
    found: list[tuple[Move, Info]] = []
    trouble: list[BaseException] = []

    def work() -> None:
        try:
            found.append(player.choose(state, limit, match=match))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            trouble.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        _wait(thread, lambda: None)
    except BaseException:
        player.stop()
        raise
    if trouble:
        raise trouble[0]
    return found[0]


def _wait(thread: threading.Thread, meanwhile: Callable[[], None]) -> None:
    while thread.is_alive():
        thread.join(_POLL_INTERVAL_S)
        meanwhile()
