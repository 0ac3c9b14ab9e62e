"""Games as the user names them: by a text, or by a TOML file that declares one of their own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.rules import Game

DECLARATION_SUFFIX = ".toml"
MAX_DECLARATION_BYTES = 100_000


def load_game(text: str) -> Game:
    """Return the game of a text such as `taiji:size=7`, or of a `.toml` file, which it registers."""
    if text.lower().endswith(DECLARATION_SUFFIX):
        return load_declaration(Path(text))
    from taiji.rules import parse_game

    return parse_game(text)


def load_declaration(path: Path) -> Game:
    """Read a user's own game and make it known by its name."""
    from taiji.rules import GameError, game_from_toml, register

    with path.open("rb") as file:
        data = file.read(MAX_DECLARATION_BYTES + 1)
    if len(data) > MAX_DECLARATION_BYTES:
        raise BadInput(f"{path}: a game is declared in at most {MAX_DECLARATION_BYTES:,} bytes")
    try:
        return register(game_from_toml(data.decode("utf-8-sig")))
    except GameError as error:
        raise BadInput(f"{path}: {error}") from error
