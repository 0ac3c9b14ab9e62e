"""Balanced openings of taiji:size=11; see `taiji.rules.openings` for the form."""

from taiji.rules.openings.lists import Opening, OpeningList

LIST = OpeningList(
    game="taiji:size=11",
    card=(
        "Random openings of 4 plies that arena's screening called balanced (2,000, then 20,000 "
        "playouts of mcts, within 4 %) and a search of 100,000 playouts confirmed within 3 %. The "
        "share is that search's win probability, not games played."
    ),
    openings=(
        Opening("a9/a10 e5/e4 e10/f10 i4/i5", 0.513),
        Opening("e11/f11 e8/d8 j8/j9 c5/d5", 0.505),
        Opening("g10/f10 h5/g5 e7/d7 b2/c2", 0.472),
        Opening("e1/f1 h7/h6 j5/j4 g10/f10", 0.500),
        Opening("f3/e3 j3/j2 j11/i11 e11/f11", 0.514),
        Opening("a8/a9 d8/d9 e4/e3 i3/i4", 0.492),
        Opening("k9/k8 i4/i3 d6/c6 f8/g8", 0.516),
        Opening("a6/a5 d8/d9 g3/g4 c11/b11", 0.503),
        Opening("k6/k5 a3/b3 h10/h11 j9/j10", 0.524),
        Opening("g6/f6 d2/e2 g4/g5 a3/a2", 0.506),
        Opening("h8/g8 h10/g10 e4/f4 f8/f7", 0.508),
        Opening("e9/e8 f11/g11 h7/h8 h9/i9", 0.505),
    ),
)
