"""Games nobody would design: random boards, pieces, rules and scores, to compare the engines on.

`random_game(dice)` makes one from random numbers; `games()` is the Hypothesis strategy that shrinks it.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from taiji.rules import (
    Adjacency,
    Board,
    Colour,
    ColourNames,
    Game,
    GameError,
    Piece,
    PieceStock,
    Stage,
    Symbols,
    Tie,
    mask_of,
)
from taiji.rules.placing import (
    DeclaredTests,
    FirstMustCover,
    LevelGround,
    MustTouch,
    NoFullBlock,
    PlacingRule,
    SameKindApart,
)
from taiji.rules.program import (
    Around,
    Cells,
    Counts,
    Each,
    Fixed,
    Fold,
    Pick,
    Plane,
    Region,
    Source,
    Test,
    Under,
    When,
    Why,
)
from taiji.rules.scoring import (
    DeclaredTally,
    GroupProduct,
    LargestGroups,
    NthLargestGroup,
    Scoring,
    SumOfSquares,
    UncoveredSymbols,
)

MAX_STAGES = 3
MAX_RULES = 3
USUAL_COUNTS = (
    ((0, 0),),
    ((1, -1),),
    ((-1, -1),),
    ((0, -2),),
    ((0, 0), (-1, -1)),
    ((0, 1),),
    ((0, 2),),
    ((0, 3),),
    ((0, -3),),
    ((2, -1),),
)


def games(max_stages: int = MAX_STAGES) -> st.SearchStrategy[Game]:
    """Return the strategy of random games."""
    return st.randoms(use_true_random=False).map(lambda dice: random_game(dice, max_stages))


def random_game(dice: Random, max_stages: int = MAX_STAGES) -> Game:
    """Return a random game of one to `max_stages` stages on one board."""
    board = _board(dice)
    count = min(max_stages, dice.choice((1, 1, 1, 2, 2, 3)))
    swap = dice.randrange(2 * count)
    komi, komi_names = dice.choice((0, 0, 1, -3, 4)), ()
    if swap == 0 and dice.random() < 0.4:
        komi, komi_names = 0, (-3, 0, 1, 2)
    after = 0 if komi_names else dice.choice((1, 1, 2, 3))
    stages = tuple(_stage(dice, board, index, after if index == swap else None) for index in range(count))
    tie = dice.choice(tuple(Tie))
    game = Game("generated", stages, tie, ColourNames("Sun", "Moon"), komi, komi_names)
    try:
        game.layouts  # noqa: B018 - pieces that look alike are refused
    except GameError:
        return random_game(dice, max_stages)
    return _with_opening(dice, game) if not komi_names and dice.random() < 0.15 else game


def _with_opening(dice: Random, game: Game) -> Game:
    """Return the game after one or two random placements; a swap that they would pass is left out."""
    first = replace(game.stages[0], swap_after=None)
    game = replace(game, stages=(first, *game.stages[1:]))
    state, moves = game.start(), []
    for _ in range(dice.randint(1, 2)):
        if state.is_over or state.stage_index:
            break
        move = dice.choice(state.legal())
        state = state.play(move)
        moves.append(str(move))
    return replace(game, opening=tuple(moves))


def _board(dice: Random) -> Board:
    width, height = dice.randint(2, 5), dice.randint(3, 5)
    holes = dice.sample(range(width * height), dice.choice((0, 0, 1, 3)))
    return Board(width, height, mask_of(holes))


def _stage(dice: Random, board: Board, index: int, swap_after: int | None) -> Stage:
    pieces, stocks = _pieces(dice)
    symbols = _symbols(dice, board) if dice.random() < 0.4 else None
    has_symbols = symbols is not None or index > 0
    return Stage(
        f"stage-{index + 1}",
        board,
        pieces,
        stocks,
        dice.choice(tuple(Colour)),
        _scoring(dice, has_symbols),
        constraints=tuple(_rule(dice, board, index) for _ in range(dice.choice((0, 0, 1, 1, 2, MAX_RULES)))),
        tiebreak=tuple(_scoring(dice, has_symbols) for _ in range(dice.choice((0, 0, 1, 2)))),
        last_placement_bonus=dice.choice((0, 0, 1, 3)),
        swap_after=swap_after,
        symbols=symbols,
    )


def _pieces(dice: Random) -> tuple[tuple[Piece, ...], tuple[PieceStock, ...]]:
    pieces: list[Piece] = []
    stocks: list[PieceStock] = []
    for kind in "abc"[: dice.randint(1, 3)]:
        squares = _polyomino(dice, dice.choice((1, 2, 2, 3, 3, 4)))
        plain = dice.random() < 0.3
        colours = "".join("." if plain else dice.choice("ld") for _ in squares)
        pieces.append(Piece(kind, squares, colours, len(stocks), dice.random() < 0.8, dice.random() < 0.8))
        stocks.append(PieceStock(kind, f"{kind}-{colours}", dice.choice((0, 2, 3, 5, 8))))
    return tuple(pieces), tuple(stocks)


def _polyomino(dice: Random, size: int) -> tuple[tuple[int, int], ...]:
    """Return squares that touch at edges or, now and then, at corners."""
    squares = [(0, 0)]
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)]
    while len(squares) < size:
        (x, y), (dx, dy) = dice.choice(squares), dice.choice(steps)
        if (x + dx, y + dy) not in squares:
            squares.append((x + dx, y + dy))
    return tuple(squares)


def _symbols(dice: Random, board: Board) -> Symbols:
    marks = {cell: dice.choice("xo..") for cell in range(board.size) if board.cells >> cell & 1}
    light, dark = (mask_of(cell for cell, mark in marks.items() if mark == side) for side in "xo")
    return Symbols(light, dark)


def _rule(dice: Random, board: Board, index: int) -> PlacingRule:
    choice = dice.randrange(9)
    if choice == 0:
        return FirstMustCover(_some_cells(dice, board, dice.choice((1, 1, 2))))
    if choice == 1:
        return MustTouch()
    if choice == 2:
        return SameKindApart()
    if choice == 3:
        return NoFullBlock(dice.randint(1, 3), dice.randint(1, 3))
    if choice == 4 and index > 0:
        return LevelGround()
    return DeclaredTests((_test(dice, board, index),))


def _test(dice: Random, board: Board, index: int) -> Test:
    planes = [plane for plane in Plane if plane is not Plane.GROUND or index > 0]
    why = Why(
        "made-up",
        "{cells} {first} {last} {kind}",
        dice.choice(tuple(Cells)),
        dice.choice(tuple(Pick)),
        dice.choice(("", "{kind}", "{part}")),
        dice.choice(tuple(Cells)),
    )
    when = dice.choice((When.ALWAYS, When.ALWAYS, When.FIRST, When.LATER))
    return Test("made-up", dice.choice(planes), _region(dice, board), _counts(dice), why, when)


def _region(dice: Random, board: Board) -> Region:
    choice = dice.randrange(5)
    if choice == 0:
        return Under()
    if choice == 1:
        return Fixed(_some_cells(dice, board, dice.randint(0, 4)))
    if choice == 2:
        return Each(tuple(_some_cells(dice, board, dice.randint(1, 4)) for _ in range(dice.randint(0, 4))))
    return Around(dice.choice(tuple(Adjacency)))


def _counts(dice: Random) -> Counts:
    if dice.random() < 0.7:
        return Counts(dice.choice(USUAL_COUNTS))
    return Counts(tuple((dice.randint(-3, 2), dice.randint(-3, 4)) for _ in range(dice.randint(1, 2))))


def _some_cells(dice: Random, board: Board, count: int) -> int:
    return mask_of(dice.sample(range(board.size), min(count, board.size)))


def _scoring(dice: Random, has_symbols: bool) -> Scoring:
    adjacency, groups = dice.choice(tuple(Adjacency)), dice.randint(1, 3)
    built_in: list[Scoring] = [
        LargestGroups(groups, adjacency),
        NthLargestGroup(groups, adjacency),
        SumOfSquares(groups, adjacency),
        GroupProduct(dice.choice((groups, None)), adjacency),
    ]
    if has_symbols:
        built_in += [UncoveredSymbols(), UncoveredSymbols()]
    return dice.choice(built_in) if dice.random() < 0.6 else _tally(dice, has_symbols)


def _tally(dice: Random, has_symbols: bool) -> DeclaredTally:
    first = dice.choice((1, 1, 1, 2, 3))
    values = tuple(dice.randint(-3, 9) for _ in range(dice.randint(1, 5)))
    sources = [None, Source.SQUARES, *([Source.SYMBOLS] if has_symbols else [])]
    return DeclaredTally(
        first,
        dice.choice((None, first, first + 1)),
        dice.choice((0, 1, 1, 2, values)),
        dice.choice(tuple(Fold)),
        dice.choice(sources),
        dice.choice((*Adjacency, None)),
        "{n}",
    )
