"""The argument of every environment that names a game."""

from __future__ import annotations

from taiji.rules import Game, parse_game


def to_game(game: object) -> Game:
    """Return the game that a `Game` or a text such as `taiji:size=7` means; raise `TypeError` for others."""
    if isinstance(game, str):
        return parse_game(game)
    if not isinstance(game, Game):
        raise TypeError(f"game: expected a Game or its text, not {type(game).__name__}")
    return game
