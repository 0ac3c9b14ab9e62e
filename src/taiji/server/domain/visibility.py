"""Which games strangers may be shown: link previews, embedded boards and lists ask here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taiji.server.contract.tables import Opponent
    from taiji.server.domain.table import Table

PUBLIC_OPPONENTS: frozenset[Opponent] = frozenset(("open", "player"))
"""Games between people that anybody may watch.

Practice against the computer and games by link are private: whoever has the address may look, but nothing of
them is shown elsewhere. A game of a tournament is as public as its tournament.
"""


def is_public(table: Table) -> bool:
    """Return whether a game may be shown to people who were not given its address; not for tournaments."""
    return table.settings.opponent in PUBLIC_OPPONENTS
