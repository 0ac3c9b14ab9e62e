"""Players by their text: `random`, `level:5`, `mcts:playouts=1000`, `ugi:./engine`, …"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from taiji.players.base import Player, PlayerError


@dataclass(frozen=True, slots=True)
class _Maker:
    """Where a player is made, and what its text takes after the colon."""

    where: str
    takes: str = ""
    """Nothing, `text` (one whole text), or `options` (key=value, …)."""


_MAKERS: dict[str, _Maker] = {
    "random": _Maker("taiji.players.simple:RandomPlayer"),
    "greedy": _Maker("taiji.players.lookahead:greedy"),
    "alphabeta": _Maker("taiji.players.lookahead:alphabeta"),
    "uct": _Maker("taiji.players.searching:uct", "options"),
    "mcts": _Maker("taiji.players.searching:mcts", "options"),
    "neural": _Maker("taiji.players.neural:neural", "options"),
    "solver": _Maker("taiji.players.searching:SolverPlayer"),
    "level": _Maker("taiji.players.levels:make_level", "text"),
    "ugi": _Maker("taiji.players.ugi.client:UgiPlayer", "text"),
}
"""The players by name; a module is imported only when its player is asked for."""


def player_names() -> list[str]:
    """Return the names that a player's text may begin with."""
    return list(_MAKERS)


def make_player(text: str, *, seed: int | None = None) -> Player:
    """Make the player that a text names; raise `PlayerError` where there is none."""
    name, _, rest = text.strip().partition(":")
    maker = _MAKERS.get(name)
    if maker is None:
        raise PlayerError(f"unknown player {name[:30]!r}: there are {', '.join(_MAKERS)}")
    module, _, attribute = maker.where.partition(":")
    make: Callable[..., Player] = getattr(import_module(module), attribute)
    if maker.takes == "text":
        return make(rest, seed=seed)
    if maker.takes == "options":
        return make(seed=seed, **_options(name, rest))
    if rest:
        raise PlayerError(f"{name} takes no options")
    return make(seed=seed)


def _options(name: str, text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier() or key in options:
            raise PlayerError(f"{name}: {part[:30]!r} is no option=value given once")
        options[key] = value
    return options
