"""Players by their text: `random`, `level:5`, `mcts:playouts=1000`, `ugi:./engine`, …

Each maker imports its module when the player is first asked for, so that `random` does not load the nets.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral

from taiji.players.base import Player, PlayerError
from taiji.players.options import split_options
from taiji.rules.errors import check_type, suggestion


def _random(text: str, seed: int | None) -> Player:
    from taiji.players.simple import RandomPlayer

    _refuse_options("random", text)
    return RandomPlayer(seed)


def _greedy(text: str, seed: int | None) -> Player:
    from taiji.players.lookahead import greedy

    _refuse_options("greedy", text)
    return greedy(seed)


def _alphabeta(text: str, seed: int | None) -> Player:
    from taiji.players.lookahead import alphabeta

    _refuse_options("alphabeta", text)
    return alphabeta(seed)


def _uct(text: str, seed: int | None) -> Player:
    from taiji.players.searching import uct

    return uct(seed, **split_options("uct", text))


def _mcts(text: str, seed: int | None) -> Player:
    from taiji.players.searching import mcts

    return mcts(seed, **split_options("mcts", text))


def _neural(text: str, seed: int | None) -> Player:
    from taiji.players.neural import neural

    return neural(seed, **split_options("neural", text))


def _solver(text: str, seed: int | None) -> Player:
    from taiji.players.solver import solver

    return solver(**split_options("solver", text))


def _mirror(text: str, seed: int | None) -> Player:
    from taiji.players.mirror import mirror

    return mirror(seed, **split_options("mirror", text))


def _level(text: str, seed: int | None) -> Player:
    from taiji.players.levels import make_level

    return make_level(text, seed=seed)


def _ugi(text: str, seed: int | None) -> Player:
    from taiji.players.ugi import UgiPlayer

    return UgiPlayer(text, seed=seed)


_MAKERS: dict[str, Callable[[str, int | None], Player]] = {
    "random": _random,
    "greedy": _greedy,
    "alphabeta": _alphabeta,
    "uct": _uct,
    "mcts": _mcts,
    "neural": _neural,
    "solver": _solver,
    "mirror": _mirror,
    "level": _level,
    "ugi": _ugi,
}
"""For each name, a function of the text after the colon and the seed."""


def player_names() -> list[str]:
    """Return the names that a player's text may begin with."""
    return list(_MAKERS)


def make_player(text: str, *, seed: int | None = None) -> Player:
    """Make the player that a text names; raise `PlayerError` if the text is not valid."""
    check_type("player", text, str, "a text such as 'level:5'")
    check_type("seed", seed, (Integral, type(None)), "an integer")
    name, _, rest = text.strip().partition(":")
    maker = _MAKERS.get(name)
    if maker is None:
        hint = suggestion(name[:30], _MAKERS)
        raise PlayerError(f"unknown player {name[:30]!r} ({hint}expected {', '.join(_MAKERS)})")
    return maker(rest, seed)


def _refuse_options(name: str, text: str) -> None:
    if text:
        raise PlayerError(f"{name}: takes no options (expected {name} alone)")
