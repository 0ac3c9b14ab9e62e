"""Run a computer player in a thread, so that the caller can be interrupted."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taiji.players import Info, Limit, MatchContext, Player
    from taiji.rules import Move, State

_POLL_INTERVAL_S = 0.2
"""How often the waiting thread returns to the interpreter, which then delivers signals."""


def think(player: Player, state: State, limit: Limit, match: MatchContext | None = None) -> tuple[Move, Info]:
    """Return the choice of a player; if this thread is interrupted, stop the player and raise."""
    results: list[tuple[Move, Info]] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(player.choose(state, limit, match=match))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_POLL_INTERVAL_S)
    except BaseException:
        player.stop()
        raise
    if errors:
        raise errors[0]
    return results[0]
