"""Games as the user names them: a text such as `taiji:size=7`, or a TOML file that declares a custom game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from taiji.cli.errors import BadInput, describe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taiji.rules import Game

DECLARATION_SUFFIX = ".toml"
MAX_DECLARATION_BYTES = 100_000


def load_game(text: str) -> Game:
    """Return the game that a text names; a game declared in a `.toml` file is registered."""
    if text.lower().endswith(DECLARATION_SUFFIX):
        return load_declaration(Path(text))
    from taiji.rules import parse_game

    return parse_game(text)


_files: dict[str, str] = {}
"""The file of each declared game."""


def with_declaration(text: str) -> str:
    """Return the file that declares a game, or the text itself for games that need no file."""
    return _files.get(text.strip(), text)


def load_declarations(paths: Iterable[Path]) -> None:
    """Register the custom games that `--game-file` names."""
    for path in paths:
        load_declaration(path)


def load_declaration(path: Path) -> Game:
    """Read a custom game and register it by its name."""
    from taiji.rules import GameError, game_from_toml, register

    with path.open("rb") as file:
        data = file.read(MAX_DECLARATION_BYTES + 1)
    if len(data) > MAX_DECLARATION_BYTES:
        raise BadInput(f"{path}: too large (expected at most {MAX_DECLARATION_BYTES:,} bytes)")
    try:
        game = register(game_from_toml(data.decode("utf-8-sig")))
    except (GameError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {describe(error)}") from error
    _files[str(game)] = str(path)
    return game
