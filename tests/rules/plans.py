"""Which games the random comparisons play, and how many of each: mostly small boards, a few large ones."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

BOARD_4 = "x..o|.xo.|.xo.|x..o"
BOARD_5 = "xo.xo|.x.o.|o...x|.o.x.|ox.ox"
BOARD_6 = "x.o.x.|.o.x.o|x.xo..|..xo.o|x.o.x.|.o.x.o"


class Plan(NamedTuple):
    """Some random games of one game value, told apart by their seeds."""

    text: str
    seed: int
    games: int

    def __str__(self) -> str:
        return f"{self.text} {self.seed}"


def _taiji() -> list[tuple[str, int]]:
    small = [
        (f"taiji:size={size},groups={groups},score={score},diagonal={diagonal}", 12)
        for size, groups, score, diagonal in product(
            (2, 3, 5), (1, 2, 3), ("sum", "omega", "squares", "product"), ("no", "yes")
        )
        if groups == 1 or score != "omega"
    ]
    middle = [(f"taiji:size={size}", 30) for size in (4, 5, 6, 7)]
    omega = [("taiji:size=7,score=omega", 20), ("taiji:size=8,groups=3,score=product", 15)]
    return [*small, *middle, *omega, ("taiji", 20), ("taiji:size=11", 10), ("taiji:size=10,diagonal=yes", 5)]


def _tailits() -> list[tuple[str, int]]:
    texts = ["tailits", "tailits:score=second", "tailits:set=free", "tailits:score=second,set=free"]
    return [(text, 12) for text in texts]


def _battle_of_lits() -> list[tuple[str, int]]:
    drawn = [
        (f"battle-of-lits:symbols={rows},swap={swap}", 85)
        for rows, swap in product((BOARD_4, BOARD_5, BOARD_6), ("yes", "no"))
    ]
    seeded = [("battle-of-lits", 15), ("battle-of-lits:swap=no", 10), ("battle-of-lits:board=2", 15)]
    return [*drawn, *seeded, ("battle-of-lits:board=77,size=8", 10)]


def _doubles() -> list[tuple[str, int]]:
    on_tailits = [
        (f"tailits+taiji:score={score},groups={groups}", 5)
        for score, groups in product(("largest", "second"), (1, 2, 3))
    ]
    on_taiji = [
        (f"taiji+battle-of-lits:size={size},groups={groups}", 30)
        for size, groups in product((2, 3, 4, 5, 6), (1, 2, 3))
    ]
    return [*on_tailits, *on_taiji, ("taiji+battle-of-lits", 6), ("taiji+battle-of-lits:size=9", 8)]


PLANS = [
    Plan(text, seed * 1_000_000, min(15, games - seed))
    for text, games in (*_taiji(), *_tailits(), *_battle_of_lits(), *_doubles())
    for seed in range(0, games, 15)
]
