"""Balanced openings of taiji; see `taiji.rules.openings` for the form."""

from taiji.rules.openings.lists import Opening, OpeningList

LIST = OpeningList(
    game="taiji",
    card=(
        "Random openings of 4 plies that arena's screening called balanced (2,000, then 20,000 "
        "playouts of mcts, within 4 %) and a search of 100,000 playouts confirmed within 3 %. The "
        "share is that search's win probability, not games played."
    ),
    openings=(
        Opening("g2/g1 d3/d4 d9/d8 h4/h3", 0.482),
        Opening("h8/h9 h7/g7 f6/f7 g8/f8", 0.528),
        Opening("f2/f3 h7/h8 h4/h3 g1/f1", 0.498),
        Opening("a9/b9 h1/g1 f6/e6 f5/e5", 0.486),
        Opening("f8/f7 f5/f6 c6/b6 g3/g4", 0.492),
        Opening("d4/c4 g4/h4 h8/h7 f8/e8", 0.517),
        Opening("e6/f6 b3/b4 c7/d7 f4/g4", 0.473),
        Opening("f5/f6 b1/c1 i9/i8 c6/c7", 0.474),
        Opening("e4/d4 g3/g4 d5/c5 a9/b9", 0.475),
        Opening("i8/i9 g3/g4 c6/c7 i5/i4", 0.511),
        Opening("g1/g2 h6/h7 e8/d8 b6/a6", 0.508),
        Opening("h6/g6 h8/h7 f2/g2 d3/d2", 0.476),
    ),
)
