"""A naive referee for any declared game: it states every rule in its own words, with sets of cells.

A cell is (column, row). It tries every place of every piece at every ply and shares no rule with the package;
it reads only what a game declares: boards, pieces, rules of placing and scores.
"""

from __future__ import annotations

from math import prod

from taiji.rules import Game, Stage, Tie
from taiji.rules.geometry import Adjacency
from taiji.rules.placing import (
    DeclaredTests,
    FirstMustCover,
    LevelGround,
    MustTouch,
    NoFullBlock,
    PlacingRule,
    SameKindApart,
)
from taiji.rules.program import Around, Cells, Each, Fixed, Fold, Pick, Plane, Source, Test, Under, When
from taiji.rules.scoring import (
    DeclaredTally,
    GroupProduct,
    LargestGroups,
    NthLargestGroup,
    Scoring,
    SumOfSquares,
    UncoveredSymbols,
)
from tests.oracle_cells import Cell, CellSet, Colouring, Refusal, cells_of, turned


class RulesOracle:
    """One game being played; seats and colours are 0 (light, first) and 1 (dark, second)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.swapped = False
        self.komi: float | None = None if game.komi_names else game.komi / 2
        self.last: int | None = None
        self.banked = [0.0, 0.0]
        self.index = -1
        self.squares: tuple[set[Cell], set[Cell]] = (set(), set())
        self.pieces: list[tuple[str, CellSet]] = []
        self.covered: set[Cell] = set()  # by the pieces of this stage
        self._next_stage()
        for text in game.opening:
            named = game.parse(text)
            cells = [cells_of(part, self.stage.board) for part in (named.cells, named.light, named.dark)]
            self.play((cells[0], cells[1], cells[2]))

    def _next_stage(self) -> None:
        self.index += 1
        self.stage: Stage = self.game.stages[self.index]
        self.below, self.ground = self.squares, self.covered
        self.squares, self.pieces, self.covered = (set(), set()), [], set()
        self.board_cells = cells_of(self.stage.board.cells, self.stage.board)
        self.supply = [stock.count for stock in self.stage.stocks]
        self.everything = self.placements()
        self._find_choices()

    def _find_choices(self) -> None:
        self.choices: dict[Colouring, tuple[str, int]] = {}
        for colouring, (kind, stock) in self.everything.items():
            if self.supply[stock] and self.refusal(kind, colouring[0]) is None:
                self.choices[colouring] = (kind, stock)
        if not self.choices and self.index + 1 < len(self.game.stages):
            self.banked = self.totals()
            self._next_stage()

    def placements(self) -> dict[Colouring, tuple[str, int]]:
        """Return every way to lay a piece on the empty board, with its kind and stock."""
        found: dict[Colouring, tuple[str, int]] = {}
        for piece in self.stage.pieces:
            for shape in turned(piece):
                for column, row in [
                    (x, y) for x in range(self.stage.board.width) for y in range(self.stage.board.height)
                ]:
                    laid = {(x + column, y + row): colour for (x, y), colour in shape}
                    if self.board_cells >= laid.keys():
                        light, dark = (frozenset(c for c, k in laid.items() if k == side) for side in "ld")
                        found[frozenset(laid), light, dark] = (piece.kind, piece.stock)
        return found

    @property
    def can_swap(self) -> bool:
        """Whether the second player may take over the colours now."""
        is_due = len(self.pieces) == self.stage.swap_after and not self.must_name_komi
        return is_due and not self.swapped and bool(self.choices)

    @property
    def must_name_komi(self) -> bool:
        """Whether the komi is to be named now, by the colour that does not begin."""
        return self.komi is None and self.index == 0 and bool(self.choices)

    def name_komi(self, points: float) -> None:
        """Name the komi."""
        assert self.must_name_komi
        assert points * 2 in self.game.komi_names
        self.komi = points

    @property
    def seat_to_move(self) -> int:
        """The seat to move."""
        return int(self.stage.first_colour) ^ len(self.pieces) % 2 ^ self.swapped ^ self.must_name_komi

    def play(self, colouring: Colouring | None) -> None:
        """Lay a piece; None is the swap."""
        if colouring is None:
            self.swapped = True
            return
        kind, stock = self.choices[colouring]
        self.last = self.seat_to_move
        self.supply[stock] -= 1
        self.pieces.append((kind, colouring[0]))
        self.covered |= colouring[0]
        self.squares[0].update(colouring[1])
        self.squares[1].update(colouring[2])
        self._find_choices()

    def near(self, cells: CellSet | set[Cell], adjacency: Adjacency) -> set[Cell]:
        """Return the cells beside a set of cells."""
        found = set()
        for x, y in cells:
            for dx, dy in [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
                if abs(dx) + abs(dy) == 1 or adjacency is Adjacency.KING:
                    found.add((x + dx, y + dy))
        return (found & self.board_cells) - cells

    def refusal(self, kind: str, cells: CellSet) -> Refusal | None:
        """Return the first rule that forbids a piece of a kind on these cells."""
        taken = cells & self.covered
        if taken:
            return Refusal("occupied", (min(taken),), "")
        for rule in self.stage.constraints:
            refusal = self._broken(rule, kind, cells)
            if refusal is not None:
                return refusal
        return None

    def _broken(self, rule: PlacingRule, kind: str, cells: CellSet) -> Refusal | None:
        covered = self.covered
        match rule:
            case MustTouch():
                if covered and not self.near(cells, Adjacency.EDGE) & covered:
                    return Refusal("no-touch", tuple(sorted(cells)), "")
            case SameKindApart():
                own_kind = {cell for other, there in self.pieces if other == kind for cell in there}
                touched = self.near(cells, Adjacency.EDGE) & own_kind
                if touched:
                    return Refusal("same-kind", (min(touched),), kind)
            case NoFullBlock(width, height):
                for y, x in sorted((y, x) for x, y in self.board_cells):
                    block = {(x + dx, y + dy) for dx in range(width) for dy in range(height)}
                    if block <= covered | cells and block & cells:
                        return Refusal(
                            "full-block", ((x, y), (x + width - 1, y + height - 1)), f"{width}×{height}"
                        )
            case FirstMustCover(mask):
                wanted = cells_of(mask, self.stage.board) & self.board_cells
                if not covered and not wanted <= cells:
                    centre = mask == self.stage.board.centre
                    return Refusal(
                        "first-covers" if centre else "first-covers-cells", tuple(sorted(wanted)), ""
                    )
            case LevelGround():
                hanging = cells - self.ground
                if hanging and hanging != cells:
                    part = "one half" if len(cells) == 2 else "a part of it"
                    return Refusal("not-level", (min(hanging),), part)
            case DeclaredTests(tests):
                return next(filter(None, (self._failed(test, kind, cells) for test in tests)), None)
            case _:
                raise AssertionError(f"the oracle does not know {rule}")
        return None

    def _failed(self, test: Test, kind: str, cells: CellSet) -> Refusal | None:
        if test.when is (When.LATER if not self.pieces else When.FIRST):
            return None
        for region in self._regions(test, cells):
            hits = {cell for cell in region if self._counts(test.plane, cell, kind, cells)}
            if not any(self._in_range(len(hits), len(region), *ends) for ends in test.counts.ranges):
                return self._explained(test, region, hits, kind, cells)
        return None

    def _in_range(self, count: int, size: int, low: int, high: int) -> bool:
        low, high = (size - (-1 - end) if end < 0 else end for end in (low, high))
        return low <= count <= high

    def _counts(self, plane: Plane, cell: Cell, kind: str, cells: CellSet) -> bool:
        if plane is Plane.KIND:
            return any(cell in there and other == kind for other, there in self.pieces)
        return {
            Plane.PIECE: cell in cells,
            Plane.COVERED: cell in self.covered,
            Plane.AFTER: cell in cells or cell in self.covered,
            Plane.GROUND: cell in self.ground,
        }[plane]

    def _regions(self, test: Test, cells: CellSet) -> list[set[Cell]]:
        board = self.stage.board
        match test.region:
            case Under():
                return [set(cells)]
            case Around(adjacency):
                return [self.near(cells, adjacency)]
            case Fixed(mask):
                return [set(cells_of(mask, board) & self.board_cells)]
            case Each(sets):
                found = [set(cells_of(mask, board) & self.board_cells) for mask in sets]
                return [region for region in found if region & cells]

    def _explained(
        self, test: Test, region: set[Cell], hits: set[Cell], kind: str, cells: CellSet
    ) -> Refusal:
        why = test.why
        sets = {Cells.HITS: hits, Cells.MISSES: region - hits, Cells.MASK: region, Cells.PIECE: set(cells)}
        named = sorted(sets.get(why.cells, set()))
        if why.pick is Pick.FIRST:
            named = named[:1]
        elif why.pick is Pick.ENDS and named:
            by_row = sorted(named, key=lambda cell: (cell[1], cell[0]))
            named = [by_row[0], by_row[-1]]
        words = {"{kind}": kind, "{part}": "one half" if len(cells) == 2 else "a part of it"}
        return Refusal(why.code, tuple(named), words.get(why.word, why.word))

    def points(self, rule: Scoring, seat: int, *, as_score: Scoring | None = None) -> int:
        """Return what a rule gives a seat; a tie-break counts the same cells as the score."""
        colour = seat ^ self.swapped
        if self._counts_symbols(rule, as_score):
            printed = self.stage.symbols
            masks = None if printed is None else (printed.light, printed.dark)
            symbols = self.below[colour] if masks is None else cells_of(masks[colour], self.stage.board)
            own = set(symbols) - self.covered
        else:
            own = set(self.squares[colour])
        return self._value(rule, own)

    def _counts_symbols(self, rule: Scoring, as_score: Scoring | None) -> bool:
        if isinstance(rule, DeclaredTally) and rule.source is not None:
            return rule.source is Source.SYMBOLS
        if as_score is not None:
            return self._counts_symbols(as_score, None)
        return isinstance(rule, UncoveredSymbols)

    def _value(self, rule: Scoring, own: set[Cell]) -> int:
        match rule:
            case UncoveredSymbols():
                return len(own)
            case LargestGroups(groups, adjacency):
                return sum(self._sizes(own, adjacency)[:groups])
            case NthLargestGroup(rank, adjacency):
                return [*self._sizes(own, adjacency), *[0] * rank][rank - 1]
            case SumOfSquares(groups, adjacency):
                return sum(size * size for size in self._sizes(own, adjacency)[:groups])
            case GroupProduct(groups, adjacency):
                return prod(self._sizes(own, adjacency)[:groups]) if own else 0
            case DeclaredTally(first, last, value, fold, _, alone):
                sizes = [1] * len(own) if alone is None else self._sizes(own, alone)
                ranked = [
                    size for rank, size in enumerate(sizes, 1) if rank >= first and rank <= (last or rank)
                ]
                worth = [
                    size**value if isinstance(value, int) else [*value, *[value[-1]] * size][size - 1]
                    for size in ranked
                ]
                return 0 if not worth else sum(worth) if fold is Fold.SUM else prod(worth)
            case _:
                raise AssertionError(f"the oracle does not know {rule}")

    def _sizes(self, own: set[Cell], adjacency: Adjacency) -> list[int]:
        left, sizes = set(own), []
        while left:
            group = {left.pop()}
            while more := self.near(group, adjacency) & left:
                group |= more
                left -= more
            sizes.append(len(group))
        return sorted(sizes, reverse=True)

    def totals(self) -> list[float]:
        """Return the points by seat, of all stages so far."""
        bonus = 0 if self.choices else self.stage.last_placement_bonus / 2
        komi = [0.0, 0.0]
        if self.index == 0:
            komi[int(self.swapped)] = self.komi or 0  # Light's
        return [
            self.banked[seat]
            + self.points(self.stage.scoring, seat)
            + (bonus if self.last == seat else 0)
            + komi[seat]
            for seat in (0, 1)
        ]

    def winner(self) -> int | None:
        """Return the seat that has won; None is a draw."""
        score = self.stage.scoring
        pairs = [self.totals()]
        pairs += [
            [self.points(rule, seat, as_score=score) for seat in (0, 1)] for rule in self.stage.tiebreak
        ]
        for first, second in pairs:
            if first != second:
                return 0 if first > second else 1
        ties = {
            Tie.LIGHT: int(self.swapped),
            Tie.DARK: int(not self.swapped),
            Tie.LAST: self.last,
            Tie.DRAW: None,
        }
        return ties[self.game.tie_rule]
