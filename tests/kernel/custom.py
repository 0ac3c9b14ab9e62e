"""Custom games beyond the catalogue: holes, odd blocks, constrained pieces, small supply."""

from __future__ import annotations

from taiji.rules import Game, game_from_dict

HOLED = {
    "name": "holed",
    "tie": "draw",
    "board": ["......", ".#..#.", "......", "......", ".#..#.", "......", "......"],
    "pieces": [
        {"kind": "taijitu", "shape": ["ld"], "count": 9},
        {"kind": "corner", "shape": ["l ", "dd"], "count": 3},
    ],
    "rules": {"no-full-block": [3, 2]},
    "score": {"rule": "squares", "groups": 4, "adjacency": "king"},
    "tiebreak": [{"rule": "ranked", "rank": 3}, {"rule": "product", "groups": 2}],
    "last-bonus": 1.5,
    "swap": True,
}

BOUND = {
    "name": "bound",
    "tie": "light",
    "first": "dark",
    "board": ["......."] * 5,
    "pieces": [
        {"kind": "bar", "shape": ["ldl"], "count": 3, "turn": False},
        {"kind": "bar", "shape": ["dll"], "count": 2, "flip": False},
        {"kind": "dot", "shape": ["d"], "count": 4},
    ],
    "rules": {"first-covers": ["d3"], "same-kind-apart": True},
    "score": {"rule": "ranked", "rank": 2, "adjacency": "king"},
}

THREE = {
    "name": "three",
    "tie": "last",
    "stages": [
        {
            "board": ["x.o.x", ".o.x.", "o.x.o", ".x.o.", "x.o.x"],
            "pieces": [{"kind": "domino", "shape": [".."], "count": 20}],
            "score": {"rule": "uncovered"},
        },
        {
            "board": ["....."] * 5,
            "pieces": [{"kind": "taijitu", "shape": ["ld"], "count": 5}],
            "rules": {"level-ground": True, "touch": True},
            "score": {"rule": "omega"},
            "last-bonus": 0.5,
        },
        {
            "board": ["....."] * 5,
            "pieces": [{"kind": "T", "shape": [" . ", "..."], "count": 4}],
            "score": {"rule": "uncovered"},
            "swap": True,
        },
    ],
}

WIDE = {
    "name": "wide",
    "tie": "dark",
    "board": ["............."] * 9,
    "pieces": [
        {"kind": "P", "shape": ["ll ", "ddd"], "count": 7},
        {"kind": "W", "shape": ["l  ", "ld ", " dd"], "count": 7},
        {"kind": "Y", "shape": ["  d ", "llld"], "count": 7},
    ],
    "rules": {"touch": True},
    "score": {"rule": "largest", "groups": 5},
}


def custom_games() -> list[Game]:
    return [game_from_dict(table) for table in (HOLED, BOUND, THREE, WIDE)]
