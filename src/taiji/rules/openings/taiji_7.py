"""Balanced openings of taiji:size=7; see `taiji.rules.openings` for the form."""

from taiji.rules.openings.lists import Opening, OpeningList

LIST = OpeningList(
    game="taiji:size=7",
    card=(
        "Random openings of 4 plies that arena's screening called balanced (2,000, then 20,000 "
        "playouts of mcts, within 4 %) and a search of 100,000 playouts confirmed within 3 %. The "
        "share is that search's win probability, not games played."
    ),
    openings=(
        Opening("e2/d2 a3/a4 b1/a1 c5/c6", 0.513),
        Opening("d1/c1 f2/e2 b6/b5 a6/a7", 0.475),
        Opening("f5/f6 g4/f4 e5/e6 b1/c1", 0.473),
        Opening("d7/e7 b4/b5 f1/e1 a5/a4", 0.473),
        Opening("d4/d3 e7/d7 g7/f7 a2/a1", 0.498),
        Opening("e3/e2 c5/b5 b1/a1 a2/b2", 0.509),
        Opening("c3/c2 e1/f1 g1/g2 c1/d1", 0.513),
        Opening("c4/b4 e2/f2 e7/e6 g3/g4", 0.473),
        Opening("b4/b5 d5/d6 c7/b7 e1/e2", 0.485),
        Opening("d5/d4 f6/f7 g2/g1 b1/b2", 0.525),
        Opening("e7/e6 g6/g5 g7/f7 b3/a3", 0.479),
        Opening("a6/a5 f6/f7 f1/f2 e2/d2", 0.487),
    ),
)
