"""Battle of LITS, by Grant Fikes.

A 10×10 board carries 30 X and 30 O; there are five plain tetrominoes of each shape. X starts. Each
tetromino after the first shares an edge with one already placed but with none of its own shape, and no 2×2
block ever fills up. On the first turn the second player may swap colours instead of placing. Each
player scores their symbols that are uncovered at the end; the player who placed last wins a tie.

We have no official layout of the symbols: boards are seeded, O being X rotated by 180°, or drawn by the user.
"""

from __future__ import annotations

from taiji.rules.errors import GameError
from taiji.rules.fair_start import KOMI, read_fair_start, tie_option
from taiji.rules.game import ColourNames, Game, Stage, Symbols
from taiji.rules.geometry import Board
from taiji.rules.options import (
    ChoiceOption,
    GameDeclaration,
    IntOption,
    TextOption,
    Values,
    canonical,
    conflict_error,
)
from taiji.rules.pieces import Colour, plain_tetrominoes
from taiji.rules.scoring import Tie, UncoveredSymbols
from taiji.rules.tailits import LITS_RULES

MIN_SIZE, MAX_SIZE = 4, 11
_WORD = (1 << 64) - 1


def lits_stage(board: Board, symbols: Symbols | None, *, count: int, swap: bool) -> Stage:
    """Return a stage of Battle of LITS over these symbols; None takes the squares of the stage before."""
    pieces, slots = plain_tetrominoes(count)
    return Stage(
        "battle-of-lits",
        board,
        pieces,
        slots,
        Colour.LIGHT,
        UncoveredSymbols(),
        constraints=LITS_RULES,
        swap_after=1 if swap else None,
        symbols=symbols,
    )


def seeded_symbols(board: Board, seed: int) -> Symbols:
    """Return three X and three O per ten cells, scattered by a seed, O being X rotated by 180°.

    The generator is SplitMix64, written out so that a seed always gives the same board.
    """

    def draw(below: int) -> int:
        nonlocal seed
        seed = (seed + 0x9E3779B97F4A7C15) & _WORD
        word = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & _WORD
        return ((word ^ word >> 31) * below) >> 64

    last = board.size - 1
    pairs = list(range(board.size // 2))
    for index in range(len(pairs) - 1, 0, -1):
        other = draw(index + 1)
        pairs[index], pairs[other] = pairs[other], pairs[index]
    light = dark = 0
    for cell in pairs[: 3 * board.size // 10]:
        one, two = (cell, last - cell) if draw(2) else (last - cell, cell)
        light |= 1 << one
        dark |= 1 << two
    return Symbols(light, dark)


def drawn_symbols(text: str) -> tuple[Board, Symbols]:
    """Parse rows of `x`, `o` and `.`, top to bottom, joined by `|`."""
    rows = text.split("|")
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE or any(len(row) != size for row in rows):
        raise GameError(
            f"symbols: rows of {', '.join(str(len(row)) for row in rows[:MAX_SIZE])} "
            f"(expected a square of {MIN_SIZE} to {MAX_SIZE} rows joined by '|')"
        )
    masks = {"x": 0, "o": 0, ".": 0}
    for up, row in enumerate(reversed(rows)):
        for column, mark in enumerate(row):
            if mark not in masks:
                raise GameError(f"symbols: {mark!r} is not a symbol (expected x, o or .)")
            masks[mark] |= 1 << (up * size + column)
    return Board(size, size), Symbols(masks["x"], masks["o"])


def _build(values: Values, chosen: frozenset[str]) -> Game:
    size = int(values["size"])
    if "symbols" in chosen:
        if "board" in chosen:
            raise conflict_error("board", "symbols", "a board is either seeded or drawn")
        board, symbols = drawn_symbols(str(values["symbols"]))
        if "size" in chosen and size != board.width:
            raise conflict_error(f"size={size}", "symbols", f"{board.width} rows are drawn")
        shown: Values = {"symbols": values["symbols"], "swap": values["swap"]}
    else:
        board = Board(size, size)
        symbols = seeded_symbols(board, int(values["board"]))
        shown = {"board": values["board"], "size": size, "swap": values["swap"]}
    has_swap = values["swap"] == "yes"
    fair = read_fair_start(values, chosen, swap="swap=yes" if has_swap else None)
    stage = lits_stage(board, symbols, count=5, swap=has_swap)
    defaults: Values = {"board": 1, "size": 10, "swap": "yes", "tie": Tie.LAST.value, **fair.defaults}
    game = Game("battle-of-lits", (stage,), Tie.LAST, ColourNames("X", "O"))
    return fair.apply(game, canonical("battle-of-lits", shown | fair.shown, defaults))


DECLARATION = GameDeclaration(
    name="battle-of-lits",
    title="Battle of LITS",
    designer="Grant Fikes",
    rulebook="https://boardgamegeek.com/boardgame/105265/battle-of-lits",
    summary="Cover the other side's symbols with tetrominoes by the rules of LITS.",
    options=(
        IntOption("board", 0, 4294967295, "seed of a random board", default=1),
        TextOption("symbols", "rows of x, o and . joined by |", "custom board, top row first"),
        IntOption("size", MIN_SIZE, MAX_SIZE, "squares per side", default=10),
        ChoiceOption("swap", ("yes", "no"), "whether the second player may swap colours"),
        tie_option(Tie.LAST),
        KOMI,
    ),
    refused={"pie": ("swap", "the game has a swap of its own")},
    build=_build,
)
