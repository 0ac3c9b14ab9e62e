"""AbstractPlay's variants of its Taiji, and the game that each set of them stands for.

Two groups count there on every board, unless a variant says otherwise. A record names every choice, defaults
included, by its full name; a saved game lists the short names of what differs from the defaults.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

from taiji.notation.interchange.errors import UNKNOWN_VARIANT, UNSUPPORTED, ConversionError
from taiji.rules import Game, parse_game
from taiji.rules.errors import excerpt

GAME_NAME = "Taiji"


class Variant(NamedTuple):
    """A variant: short name (None for a default), full name, group of alternatives, and our option."""

    uid: str | None
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
DEFAULTS = (
    Variant(None, "Simple sum", "scoring", "score=sum"),
    Variant(None, "Scoring: Largest two groups", "groups", "groups=2"),
    Variant(None, "Default board: 9x9", "board", "size=9"),
)
"""The variants that hold if no other of their group is chosen, in the order in which records name them."""


def game_from_variants(name: str, variants: list[str]) -> Game:
    """Return the game of a record's name and variants; raise `ConversionError` for unknown ones."""
    if name.strip().lower() != GAME_NAME.lower():
        raise ConversionError(UNKNOWN_VARIANT, f"unknown game {excerpt(name)!r} (expected {GAME_NAME})")
    chosen: dict[str, Variant] = {}
    for text in variants:
        variant = _find_variant(text)
        if chosen.setdefault(variant.group, variant) != variant:
            problem = f"variants {chosen[variant.group].name!r} and {variant.name!r} exclude each other"
            raise ConversionError(UNKNOWN_VARIANT, problem)
    options = {variant.group: variant.option for variant in (*DEFAULTS, *chosen.values())}
    return parse_game(f"{GAME_NAME.lower()}:{','.join(options.values())}")


def _find_variant(text: str) -> Variant:
    wanted = text.strip().lower()
    for variant in (*VARIANTS, *DEFAULTS):
        if wanted in (variant.uid, variant.name.lower()):
            return variant
    known = ", ".join(variant.uid for variant in VARIANTS if variant.uid)
    raise ConversionError(UNKNOWN_VARIANT, f"unknown variant {excerpt(text, 40)!r} (expected {known})")


@cache
def _variants_by_game() -> dict[Game, tuple[str, ...]]:
    """Return the names of every set of variants by the game that it stands for."""
    groups = dict.fromkeys(variant.group for variant in VARIANTS)
    choices = [[None, *(variant for variant in VARIANTS if variant.group == group)] for group in groups]
    names_by_game = {}
    for combination in product(*choices):
        chosen = [variant for variant in combination if variant is not None]
        taken = {variant.group for variant in chosen}
        chosen += [variant for variant in DEFAULTS if variant.group not in taken]
        names = tuple(variant.name for variant in chosen)
        names_by_game[game_from_variants(GAME_NAME, list(names))] = names
    return names_by_game


def variant_names(game: Game) -> list[str]:
    """Return the names of a game's variants in AbstractPlay's own order, defaults included."""
    names = _variants_by_game().get(game)
    if names is None:
        problem = f"AbstractPlay has no {game}: only TAIJI on 7×7, 9×9 and 11×11, without OMEGA"
        raise ConversionError(UNSUPPORTED, problem)
    return list(names)
