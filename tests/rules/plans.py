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


FAIR_STARTS = [
    *(f"taiji:size=5,tie={tie}" for tie in ("light", "last", "draw")),
    *(f"taiji:size=5,komi={komi}" for komi in ("0.5", "-1.5", "1", "-1000", "choose")),
    *(f"taiji:size=4,tie={tie},komi={komi}" for tie in ("light", "last", "draw") for komi in ("2", "choose")),
    *(f"taiji:size=5,pie={pie}" for pie in ("1", "3")),
    "taiji:size=4,komi=1.5,pie=3",
    "taiji:size=4,tie=last,pie=1",
    "taiji:size=5,score=omega,komi=12",
    "taiji:size=7,opening=1",
    f"battle-of-lits:symbols={BOARD_5},tie=draw",
    f"battle-of-lits:symbols={BOARD_5},tie=light,komi=1",
    f"battle-of-lits:symbols={BOARD_5},komi=-0.5",
    f"battle-of-lits:symbols={BOARD_5},swap=no,komi=choose",
    "taiji+battle-of-lits:size=4,komi=0.5",
    "taiji+battle-of-lits:size=4,tie=draw,komi=-2",
]
"""Small games with every option of a fair start; each is played 1,000 times when soaking."""
LARGE_FAIR_STARTS = [
    "tailits:tie=draw",
    "tailits:komi=1.5",
    "tailits:komi=choose",
    "tailits:pie=3",
    "tailits:score=second,tie=light,pie=1",
    "tailits+taiji:komi=-0.5,tie=dark",
    "tailits+taiji:komi=1,pie=1",
    "tailits+taiji:komi=choose",
    "taiji:opening=2",
    "taiji:size=11,opening=3",
]


def _fair() -> list[tuple[str, int]]:
    return [*((text, 20) for text in FAIR_STARTS), *((text, 3) for text in LARGE_FAIR_STARTS)]


PLANS = [
    Plan(text, seed * 1_000_000, min(15, games - seed))
    for text, games in (*_taiji(), *_tailits(), *_battle_of_lits(), *_doubles(), *_fair())
    for seed in range(0, games, 15)
]
