"""Custom games in contests: their TOML declaration is sent to every worker and stored in every file."""

from __future__ import annotations

from pathlib import Path

from taiji.rules import GameError, game_from_toml, parse_game, register

SUFFIX = ".toml"
MAX_DECLARATION_BYTES = 100_000
"""Maximum size of a declaration."""


def read_game(text: str, folder: Path | None = None) -> tuple[str, str]:
    """Return a game's canonical text, and its declaration if `text` names a TOML file."""
    if not text.lower().endswith(SUFFIX):
        return str(parse_game(text)), ""
    path = (folder or Path()) / text
    if path.is_file() and path.stat().st_size > MAX_DECLARATION_BYTES:
        raise GameError(f"{path}: too large (expected at most {MAX_DECLARATION_BYTES:,} bytes)")
    try:
        declaration = path.read_text(encoding="utf-8-sig")
        game = register(game_from_toml(declaration))
    except OSError as error:
        raise GameError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise GameError(f"{path}: not UTF-8 text") from error
    except GameError as error:
        raise GameError(f"{path}: {error}") from error
    return str(game), declaration


def register_declaration(declaration: str, game: str) -> None:
    """Register a declared game in this process; raise `GameError` if it is another game."""
    if declaration and str(register(game_from_toml(declaration))) != game:
        raise GameError(f"the declaration does not declare the game {game}")
