"""Balanced openings that ship with the package: `opening=N` starts a game from the N-th of its list.

A list is a module beside this one that holds one `OpeningList` named `LIST`; `_LISTS` below names it. Lists
only grow: records name an opening by its number, so a line keeps its number for good. An opening that turns
out to be unbalanced is marked `retired`: it can still be named, but no draw picks it.
"""

from __future__ import annotations

from random import Random

from taiji.rules.openings import taiji_7, taiji_9, taiji_11
from taiji.rules.openings.lists import Opening, OpeningList, list_to_source

_LISTS = {each.LIST.game: each.LIST for each in (taiji_7, taiji_9, taiji_11)}


def opening_list(game: str) -> OpeningList | None:
    """Return the balanced openings of a game given by its canonical text; None if it has no list."""
    return _LISTS.get(game)


def opening_lists() -> list[OpeningList]:
    """Return all lists."""
    return list(_LISTS.values())


def draw_opening(game: str, random: Random) -> int:
    """Return the number of a random opening of a game's list; 0, the empty board, if it has none."""
    known = opening_list(game)
    numbers = known.numbers_to_draw if known else ()
    return random.choice(numbers) if numbers else 0


__all__ = ["Opening", "OpeningList", "draw_opening", "list_to_source", "opening_list", "opening_lists"]
