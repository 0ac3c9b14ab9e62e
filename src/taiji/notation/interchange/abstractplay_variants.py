"""AbstractPlay's variants of its Taiji, and the game value that each set of them is.

There a board counts two groups whatever its size, unless a variant says otherwise. A record names variants as
people read them; a saved game by their short names. Both are understood.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

from taiji.notation.errors import excerpt
from taiji.notation.interchange.errors import UNKNOWN_VARIANT, UNSUPPORTED, ConversionError
from taiji.rules import Game, parse_game

GAME_NAME = "Taiji"


class Variant(NamedTuple):
    """A variant: its short name, the name in records, the group it excludes others of, and our option."""

    uid: str
    name: str
    group: str
    option: str


VARIANTS = (
    Variant("7x7", "Smaller board: 7x7", "board", "size=7"),
    Variant("11x11", "Larger board: 11x11", "board", "size=11"),
    Variant("onegroup", "Scoring: Single largest group", "groups", "groups=1"),
    Variant("threegroups", "Scoring: Largest three groups", "groups", "groups=3"),
    Variant("squares", "Sum of Squares", "scoring", "score=squares"),
    Variant("products", "Product", "scoring", "score=product"),
    Variant("tonga", "Tonga (Diagonal Placement)", "placement", "diagonal=yes"),
)
DEFAULTS = {"board": "size=9", "groups": "groups=2", "scoring": "score=sum", "placement": "diagonal=no"}


def game_from_variants(name: str, variants: list[str]) -> Game:
    """Return the game of a record's name and variants."""
    if name.strip().lower() != GAME_NAME.lower():
        raise ConversionError(UNKNOWN_VARIANT, f"the game is {excerpt(name)}, not {GAME_NAME}")
    chosen = dict(DEFAULTS)
    for text in variants:
        found = next((v for v in VARIANTS if text.strip().lower() in (v.uid, v.name.lower())), None)
        if found is None:
            known = ", ".join(variant.uid for variant in VARIANTS)
            raise ConversionError(UNKNOWN_VARIANT, f"{excerpt(text, 40)} is no variant: there are {known}")
        if chosen[found.group] not in (DEFAULTS[found.group], found.option):
            raise ConversionError(
                UNKNOWN_VARIANT, f"{found.uid} contradicts another variant of {found.group}"
            )
        chosen[found.group] = found.option
    return parse_game(f"{GAME_NAME.lower()}:{','.join(chosen.values())}")


@cache
def _variants_by_game() -> dict[Game, tuple[str, ...]]:
    """Every set of variants by the game that it is."""
    groups = [[None, *(variant for variant in VARIANTS if variant.group == group)] for group in DEFAULTS]
    found = {}
    for chosen in product(*groups):
        names = [variant.name for variant in chosen if variant is not None]
        found[game_from_variants(GAME_NAME, names)] = tuple(names)
    return found


def variant_names(game: Game) -> list[str]:
    """Return the variants that make this game, as records name them."""
    names = _variants_by_game().get(game)
    if names is None:
        raise ConversionError(
            UNSUPPORTED, f"AbstractPlay has no {game}: only TAIJI on 7×7, 9×9 and 11×11, without OMEGA"
        )
    return list(names)
