"""Players by their text: `random`, `greedy:seed=3`, `level:5`, `mcts:playouts=1000`, …"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from taiji.players.base import Player, PlayerError

Options = dict[str, str]

_MAKERS: dict[str, str] = {
    "random": "taiji.players.simple:RandomPlayer",
    "greedy": "taiji.players.simple:GreedyPlayer",
}
"""Where each player is made; a module is imported only when its player is asked for."""


def player_names() -> list[str]:
    """Return the names that a player's text may begin with."""
    return list(_MAKERS)


def make_player(text: str, *, seed: int | None = None) -> Player:
    """Make the player that a text names; raise `PlayerError` where there is none."""
    name, _, rest = text.strip().partition(":")
    if name not in _MAKERS:
        raise PlayerError(f"unknown player {name[:30]!r}: there are {', '.join(_MAKERS)}")
    module, _, attribute = _MAKERS[name].partition(":")
    maker: Callable[..., Player] = getattr(import_module(module), attribute)
    return maker(seed=seed)
