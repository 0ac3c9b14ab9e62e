"""The compiled form as JSON, with the names of `program.py` and masks as lists of cells."""

from __future__ import annotations

from typing import Any

from taiji.rules.errors import Unsupported
from taiji.rules.geometry import bits
from taiji.rules.placements import Footprint, Layout, Placement
from taiji.rules.program import (
    Around,
    CompiledGame,
    CompiledStage,
    Each,
    Fixed,
    Region,
    Tally,
    Test,
    Under,
    Why,
)
from taiji.rules.traits import StageTraits

FORMAT = 2
PLAIN_FACE = -1
"""Stands for the light squares of a piece without colours."""

Json = dict[str, Any]


def program_to_json(game: CompiledGame) -> Json:
    """Return a compiled game as JSON values, without its footprints (see `layout_to_json`)."""
    return {
        "format": FORMAT,
        "name": game.name,
        "stages": [_stage(stage) for stage in game.stages],
        "tie_rule": game.tie_rule.value,
        "swap_action": game.swap_action,
        "action_count": game.action_count,
        "colour_names": {"light": game.colour_names.light, "dark": game.colour_names.dark},
        "komi": game.komi,
        "komi_names": list(game.komi_names),
        "opening": list(game.opening),
    }


def layout_to_json(layout: Layout) -> list[Json]:
    """Return the footprints of a stage with their faces.

    `action` is the first face's action, the others follow one by one. A face is the mask of its light squares
    over `cells` (-1 for a piece without colours) and the index of its stock in the supply.
    """
    return [_footprint(layout, footprint) for footprint in layout.footprints]


def _footprint(layout: Layout, footprint: Footprint) -> Json:
    cells, faces = list(bits(footprint.cells)), layout.faces[footprint.index]
    return {
        "kind": footprint.kind_index,
        "cells": cells,
        "action": faces[0].action,
        "faces": [[_light_squares(face, cells), face.stock] for face in faces],
    }


def _light_squares(face: Placement, cells: list[int]) -> int:
    if not face.light and not face.dark:
        return PLAIN_FACE
    return sum(1 << index for index, cell in enumerate(cells) if face.light >> cell & 1)


def _stage(stage: CompiledStage) -> Json:
    board, symbols = stage.board, stage.symbols
    return {
        "name": stage.name,
        "board": {"width": board.width, "height": board.height, "holes": list(bits(board.holes))},
        "kinds": list(stage.kinds),
        "tests": [_test(test) for test in stage.tests],
        "score": _tally(stage.score),
        "tiebreak": [_tally(tally) for tally in stage.tiebreak],
        "first_colour": stage.first_colour.name.lower(),
        "supply": list(stage.supply),
        "symbols": None
        if symbols is None
        else {"light": list(bits(symbols.light)), "dark": list(bits(symbols.dark))},
        "last_placement_bonus": stage.last_placement_bonus,
        "swap_after": stage.swap_after,
        "traits": _traits(stage.traits),
    }


def _test(test: Test) -> Json:
    return {
        "rule": test.rule,
        "plane": test.plane.value,
        "region": _region(test.region, test.rule),
        "counts": [list(ends) for ends in test.counts.ranges],
        "why": _why(test.why),
        "when": test.when.value,
    }


def _region(region: Region, rule: str) -> Json:
    match region:
        case Under():
            return {"type": "under"}
        case Around(adjacency):
            return {"type": "around", "adjacency": adjacency.value}
        case Fixed(cells):
            return {"type": "fixed", "cells": list(bits(cells))}
        case Each(sets):
            return {"type": "each", "sets": [list(bits(mask)) for mask in sets]}
        case _:
            raise Unsupported("program JSON", rule, f"region {region!r}")


def _why(why: Why) -> Json:
    return {
        "code": why.code,
        "text": why.text,
        "cells": why.cells.value,
        "pick": why.pick.value,
        "word": why.word,
        "mark": why.mark.value,
    }


def _tally(tally: Tally) -> Json:
    return {
        "rule": tally.rule,
        "source": tally.source.value,
        "join": None if tally.join is None else tally.join.value,
        "first": tally.first,
        "last": tally.last,
        "value": list(tally.value),
        "fold": tally.fold.value,
        "term": tally.term,
    }


def _traits(traits: StageTraits) -> Json:
    return {
        "heights_matter": traits.heights_matter,
        "start_cells": list(bits(traits.start_cells)),
        "is_constrained": traits.is_constrained,
        "order_free": traits.order_free,
    }
