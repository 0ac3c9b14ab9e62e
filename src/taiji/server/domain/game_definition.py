"""The catalogue of games, and a game as JSON: enough for the page to run its rules without the server."""

from __future__ import annotations

from typing import Any

from taiji.rules import EDITIONS, GAMES, ChoiceOption, IntOption, match_rule, parse_game
from taiji.rules.options import Option
from taiji.rules.pieces import Piece
from taiji.rules.program_json import layout_to_json, program_to_json

LEVELS = list(range(1, 11))


def catalogue() -> dict[str, Any]:
    """Return every game with its options, the editions and the computer's levels."""
    return {
        "games": [
            {
                "name": game.name,
                "title": game.title,
                "designer": game.designer,
                "rulebook": game.rulebook,
                "summary": game.summary,
                "options": [_option(option) for option in game.options],
            }
            for game in GAMES.values()
        ],
        "editions": [
            {"name": e.name, "title": e.title, "game": e.game, "rule": e.match_rule.value}
            for e in EDITIONS.values()
        ],
        "levels": LEVELS,
    }


def _option(option: Option) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": option.name, "help": option.help, "default": option.default}
    if isinstance(option, ChoiceOption):
        return {**shown, "type": "choice", "values": list(option.values)}
    if isinstance(option, IntOption):
        return {**shown, "type": "whole", "low": option.low, "high": option.high}
    return {**shown, "type": "drawn", "domain": option.allowed}


def find_edition(text: str) -> str | None:
    """Return the edition that a text names, if it names one."""
    name = text.strip().lower()
    return name if name in EDITIONS else None


def game_definition(text: str) -> dict[str, Any]:
    """Return a game for the page: its compiled rules, and the pieces and footprints of each stage."""
    game = parse_game(text)
    base = str(game).partition(":")[0]
    return {
        "game": str(game),
        "base": base,
        "title": GAMES[base].title if base in GAMES else str(game),
        "match_rule": match_rule(text).value,
        "program": program_to_json(game.compiled),
        "stages": [
            {"pieces": [_piece(piece) for piece in stage.pieces], "footprints": layout_to_json(layout)}
            for stage, layout in zip(game.stages, game.layouts, strict=True)
        ],
    }


def _piece(piece: Piece) -> dict[str, Any]:
    return {
        "kind": piece.kind,
        "squares": [list(square) for square in piece.squares],
        "colours": piece.colours,
        "stock": piece.stock,
        "can_rotate": piece.can_rotate,
        "can_flip": piece.can_flip,
    }
