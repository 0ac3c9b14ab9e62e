"""A game value as JSON tables, enough for a browser to run the rules by itself."""

from __future__ import annotations

import re
from typing import Any

from taiji.rules import (
    EDITIONS,
    GAMES,
    Adjacency,
    ChoiceOption,
    Game,
    GroupProduct,
    IntOption,
    LargestGroups,
    NthLargestGroup,
    SumOfSquares,
    UncoveredSymbols,
    bits,
    match_rule,
    parse_game,
)
from taiji.rules.game import Stage
from taiji.rules.options import Option
from taiji.rules.placements import Footprint, Layout, Placement
from taiji.rules.placing import FirstMustCover, NoFullBlock, PlacingRule
from taiji.rules.scoring import Scoring

LEVELS = list(range(1, 11))
PLAIN_FACE = -1


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
    """Return the game that a text names as tables."""
    game = parse_game(text)
    base = str(game).partition(":")[0]
    return {
        "game": str(game),
        "base": base,
        "title": GAMES[base].title if base in GAMES else str(game),
        "rule": match_rule(text).value,
        "tie": game.tie_rule.value,
        "actions": game.action_count,
        "swap": None if game.swap is None else game.swap.action,
        "words": {"light": game.colour_names.light, "dark": game.colour_names.dark},
        "stages": [_stage(game, index) for index in range(len(game.stages))],
    }


def _stage(game: Game, index: int) -> dict[str, Any]:
    stage, layout = game.stages[index], game.layouts[index]
    return {
        "name": stage.name,
        "width": stage.board.width,
        "height": stage.board.height,
        "holes": list(bits(stage.board.holes)),
        "first": stage.first_colour.name.lower(),
        "kinds": list(stage.kinds),
        "slots": [{"kind": slot.kind, "label": slot.label, "count": slot.count} for slot in stage.stocks],
        "pieces": [
            {
                "kind": piece.kind,
                "squares": [list(square) for square in piece.squares],
                "colours": piece.colours,
                "slot": piece.stock,
                "turn": piece.can_rotate,
                "flip": piece.can_flip,
            }
            for piece in stage.pieces
        ],
        "constraints": [_constraint(rule) for rule in stage.constraints],
        "scoring": _scoring(stage.scoring),
        "tiebreak": [_scoring(rule) for rule in stage.tiebreak],
        "last_bonus": stage.last_placement_bonus / 2,
        "swap": stage.swap,
        "symbols": _symbols(stage),
        "first_number": layout.placements[0].action if layout.placements else 0,
        "footprints": [_footprint(layout, footprint) for footprint in layout.footprints],
    }


def _symbols(stage: Stage) -> dict[str, list[int]] | None:
    if stage.symbols is None:
        return None
    return {"light": list(bits(stage.symbols.light)), "dark": list(bits(stage.symbols.dark))}


def _footprint(layout: Layout, footprint: Footprint) -> dict[str, Any]:
    cells, faces = list(bits(footprint.cells)), layout.faces[footprint.index]
    return {
        "kind": footprint.kind_index,
        "cells": cells,
        "number": faces[0].action,
        "faces": [[_light_bits(face, cells), face.stock] for face in faces],
    }


def _light_bits(face: Placement, cells: list[int]) -> int:
    if not face.light and not face.dark:
        return PLAIN_FACE
    return sum(1 << place for place, cell in enumerate(cells) if face.light >> cell & 1)


def _constraint(rule: PlacingRule) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": _wire_type(rule)}
    if isinstance(rule, NoFullBlock):
        shown |= {"width": rule.width, "height": rule.height}
    elif isinstance(rule, FirstMustCover):
        shown["cells"] = list(bits(rule.cells))
    return shown


def _scoring(rule: Scoring) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": _wire_type(rule)}
    if isinstance(rule, UncoveredSymbols):
        return shown
    if isinstance(rule, NthLargestGroup):
        shown["rank"] = rule.rank
    elif isinstance(rule, LargestGroups | SumOfSquares | GroupProduct):
        shown["groups"] = rule.groups
    adjacency: Adjacency = getattr(rule, "adjacency", Adjacency.EDGE)
    return {**shown, "adjacency": adjacency.value}


_WIRE_TYPES = {
    FirstMustCover: "first-covers",
    LargestGroups: "largest",
    NthLargestGroup: "ranked",
    SumOfSquares: "squares",
    GroupProduct: "product",
    UncoveredSymbols: "uncovered",
}


def _wire_type(rule: PlacingRule | Scoring) -> str:
    """Return the name of a rule in the definition that is sent; `MustTouch` is `must-touch`."""
    dashed = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(rule).__name__).lower()
    return _WIRE_TYPES.get(type(rule), dashed)
