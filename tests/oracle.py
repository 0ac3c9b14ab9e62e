"""A naive referee for every game of the family, written from the rules alone.

It keeps cells in dictionaries, flood-fills groups and tries every place a piece could lie. It shares no code
with the package and is as slow as it is plain: it exists to be believed. Seats and colours are the words
"light" and "dark"; a seat is named by the colour it began with.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from tests.oracle_board import (
    SHAPES,
    Cell,
    Cells,
    Grid,
    blocks_closed_by,
    colourings,
    groups,
    neighbours,
    piece_of,
    read_symbols,
    six_set,
    tetrominoes_on,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OTHER = {"light": "dark", "dark": "light"}


class Choice(NamedTuple):
    """One way to lay one piece: what it covers, its light and dark squares, the supply it draws on."""

    kind: str
    cells: Cells
    light: Cells
    dark: Cells
    draws: object

    @property
    def text(self) -> str:
        """The choice in the notation of the records."""
        if not self.light:
            return write(self.cells)
        return f"{write(self.light)}/{write(self.dark)}"


@dataclass
class Stage:
    """The rules of one board game, and the options chosen for it."""

    width: int
    height: int
    first: str
    tetrominoes: bool
    score: Callable[[list[int]], int] | None = (
        None  # from group sizes, largest first; None: uncovered symbols
    )
    diagonal_groups: bool = False
    diagonal_halves: bool = False
    level_ground: bool = False
    coloured: bool = False
    supply: Counter[object] = field(default_factory=Counter)
    centre: Cell | None = None
    swap_after: int | None = None  # after this many pieces the player to move may swap
    symbols: Grid | None = None  # None: the squares of the stage before
    last_placement_bonus: float = 0


def number_of_groups(options: dict[str, str], size: int) -> int:
    """How many groups count on a TAIJI board, by default as the rulebook recommends."""
    return int(options.get("groups", 1 if size <= 7 else 2 if size <= 9 else 3))


def taiji_score(name: str, count: int) -> Callable[[list[int]], int]:
    """The ways to score a TAIJI board from the sizes of a player's groups."""
    return {
        "sum": lambda sizes: sum(sizes[:count]),
        "omega": lambda sizes: prod(sizes) if sizes else 0,
        "squares": lambda sizes: sum(size * size for size in sizes[:count]),
        "product": lambda sizes: prod(sizes[:count]) if sizes else 0,
    }[name]


def taiji_stage(options: dict[str, str], size: int) -> Stage:
    """TAIJI: Light starts; the largest orthogonal groups."""
    score = taiji_score(options.get("score", "sum"), number_of_groups(options, size))
    diagonal = options.get("diagonal", "no") == "yes"
    return Stage(size, size, "light", tetrominoes=False, score=score, diagonal_halves=diagonal)


def tailits_stage(options: dict[str, str]) -> Stage:
    """TAILITS: Black starts on the centre; the largest or second largest group, diagonals count."""
    rank = {"largest": 0, "second": 1}[options.get("score", "largest")]
    stage = Stage(11, 11, "dark", tetrominoes=True, score=lambda sizes: [*sizes, 0, 0][rank])
    stage.diagonal_groups = stage.coloured = True
    stage.centre = (5, 5)
    stage.supply = six_set() if options.get("set", "six") == "six" else Counter(dict.fromkeys(SHAPES, 6))
    return stage


def lits_stage(width: int, height: int, each: int, symbols: Grid | None, swap: bool) -> Stage:
    """Battle of LITS: X starts; own symbols still uncovered."""
    supply: Counter[object] = Counter(dict.fromkeys(SHAPES, each))
    swap_after = 1 if swap else None
    return Stage(
        width, height, "light", tetrominoes=True, supply=supply, swap_after=swap_after, symbols=symbols
    )


def read_game(text: str) -> tuple[str, dict[str, str]]:
    """Split a game text into its name and its options."""
    name, _, rest = text.partition(":")
    return name, dict(part.split("=", 1) for part in rest.split(",") if part)


def stages_of(name: str, options: dict[str, str]) -> list[Stage]:
    """The stages of a game, in order."""
    if name == "taiji":
        return [taiji_stage(options, int(options.get("size", 9)))]
    if name == "tailits":
        return [tailits_stage(options)]
    if name == "battle-of-lits":
        rows = options["symbols"].split("|")
        return [
            lits_stage(len(rows[0]), len(rows), 5, read_symbols(rows), options.get("swap", "yes") == "yes")
        ]
    if name == "tailits+taiji":
        tailits = tailits_stage({"score": options.get("score", "largest")})
        taiji = taiji_stage({"groups": options.get("groups", "3")}, 11)
        tailits.last_placement_bonus, taiji.level_ground = 0.5, True
        return [tailits, taiji]
    if name == "taiji+battle-of-lits":
        size = int(options.get("size", 11))
        return [taiji_stage(options, size), lits_stage(size, size, 6, None, swap=True)]
    raise ValueError(name)


NAMED_KOMIS = {f"komi={n // 2 if n % 2 == 0 else n / 2}": n / 2 for n in range(-20, 21)}
"""What a player may name, in points for Light."""


class Oracle:
    """One game being played; `symbols` are the rows of a Battle of LITS board that the text leaves out.

    `opening` are the moves that a numbered opening stands for.
    """

    def __init__(self, text: str, symbols: str | None = None, opening: str = "") -> None:
        self.name, self.options = read_game(text)
        if symbols is not None:
            self.options["symbols"] = symbols
        self.stages = stages_of(self.name, self.options)
        if self.options.get("pie", "no") != "no":
            self.stages[0].swap_after = int(self.options["pie"])
        self.komi: float | None = 0  # points for whoever is Light in the first stage
        if self.options.get("komi") == "choose":
            self.komi, self.stages[0].swap_after = None, 0
        elif "komi" in self.options:
            self.komi = float(self.options["komi"])
        self.colour_of = {"light": "light", "dark": "dark"}  # by seat
        self.banked: dict[str, float] = {"light": 0, "dark": 0}  # by seat
        self.last: str | None = None  # the seat that placed last
        self.swapped = False
        self.below: Grid = {}  # the squares of the stage before
        self.number = -1
        self._next_stage()
        if self.komi is None:
            self.colour_to_move = OTHER[self.rules.first]
        for move in opening.split():
            self.play(move)

    def _next_stage(self) -> None:
        """Begin the next stage on top of the board as it lies."""
        self.number += 1
        self.rules = self.stages[self.number]
        self.kinds: Grid = {}
        self.squares: Grid = {}
        self.supply = Counter(self.rules.supply)
        self.colour_to_move = self.rules.first
        self.pieces = 0
        self.swapped = self.number > 0 and self.swapped
        self._find_choices()

    @property
    def seat_to_move(self) -> str:
        """The seat to move."""
        return next(seat for seat, colour in self.colour_of.items() if colour == self.colour_to_move)

    @property
    def over(self) -> bool:
        """Whether the last stage has ended."""
        return not self.choices

    def legal(self) -> set[str]:
        """The texts of all legal moves, the swap among them."""
        if self.komi is None and self.choices:
            return set(NAMED_KOMIS)
        return set(self.choices) | ({"swap"} if self._may_swap() else set())

    def _may_swap(self) -> bool:
        return self.rules.swap_after == self.pieces and not self.swapped and bool(self.choices)

    def play(self, text: str) -> None:
        """Play a legal move given as canonical text."""
        if text not in self.legal():
            raise ValueError(f"{text} is not legal")
        if text in NAMED_KOMIS:
            self.komi, self.colour_to_move = NAMED_KOMIS[text], self.rules.first
            return
        if text == "swap":
            self.swapped = True
            self.colour_of = {seat: OTHER[colour] for seat, colour in self.colour_of.items()}
            return
        self.pieces += 1
        choice = self.choices[text]
        self.last = self.seat_to_move
        self.supply[choice.draws] -= 1
        self.kinds.update(dict.fromkeys(choice.cells, choice.kind))
        self.squares.update(dict.fromkeys(choice.light, "light") | dict.fromkeys(choice.dark, "dark"))
        self.colour_to_move = OTHER[self.colour_to_move]
        self._find_choices()

    def after(self, text: str) -> Oracle:
        """The position after a move, on a board of its own."""
        twin = copy(self)
        twin.kinds, twin.squares = dict(self.kinds), dict(self.squares)
        twin.supply, twin.banked = Counter(self.supply), dict(self.banked)
        twin.play(text)
        return twin

    def _find_choices(self) -> None:
        """List what may be placed now, and go on to the next stage where nothing may."""
        found = self._tetrominoes() if self.rules.tetrominoes else self._taijitus()
        self.choices = {choice.text: choice for choice in found}
        if not self.choices and self.number + 1 < len(self.stages):
            self._bank()
            self.below = self.kinds if self.rules.tetrominoes else self.squares
            self._next_stage()

    def _bank(self) -> None:
        """Keep the scores of a finished stage with the seats."""
        now = self.scores()
        for seat in self.banked:
            self.banked[seat] = now[seat] + (self.rules.last_placement_bonus if seat == self.last else 0)

    def _taijitus(self) -> Iterator[Choice]:
        rules = self.rules
        for light in ((x, y) for x in range(rules.width) for y in range(rules.height)):
            for dark in neighbours(light, rules.diagonal_halves):
                on_board = 0 <= dark[0] < rules.width and 0 <= dark[1] < rules.height
                free = light not in self.kinds and dark not in self.kinds
                level = (light in self.below) == (dark in self.below) or not rules.level_ground
                if on_board and free and level:
                    yield Choice("taijitu", (light, dark), (light,), (dark,), "taijitu")

    def _tetrominoes(self) -> Iterator[Choice]:
        edges = {beside for cell in self.kinds for beside in neighbours(cell)}
        for shape, cells in tetrominoes_on(self.rules.width, self.rules.height):
            if (edges and edges.isdisjoint(cells)) or not self._fits(shape, cells):
                continue
            faces = colourings(cells) if self.rules.coloured else [((), ())]
            for light, dark in faces:
                draws: object = shape
                if self.rules.coloured and shape not in self.supply:
                    draws = piece_of(light, dark)
                if self.supply[draws] > 0:
                    yield Choice(shape, cells, light, dark, draws)

    def _fits(self, shape: str, cells: Cells) -> bool:
        """Whether a tetromino may lie there, by the rules that do not look at colours."""
        if not self.kinds:
            return self.rules.centre is None or self.rules.centre in cells
        if not self.kinds.keys().isdisjoint(cells):
            return False
        touched = {
            self.kinds[beside] for cell in cells for beside in neighbours(cell) if beside in self.kinds
        }
        if not touched or shape in touched:
            return False
        return not any(self.kinds.keys() >= others for others in blocks_closed_by(cells))

    def stage_scores(self) -> dict[str, int]:
        """What the current stage is worth to each seat now."""
        return {seat: self._stage_score(colour) for seat, colour in self.colour_of.items()}

    def _stage_score(self, colour: str) -> int:
        if self.rules.score is not None:
            return self.rules.score(groups(self.squares, colour, self.rules.diagonal_groups))
        symbols = self.below if self.rules.symbols is None else self.rules.symbols
        return sum(there == colour and cell not in self.kinds for cell, there in symbols.items())

    def scores(self) -> dict[str, float]:
        """Totals by seat; the komi is Light's in the first stage and stays with the seat afterwards."""
        now = self.stage_scores()
        komi = self.komi or 0 if self.number == 0 else 0
        return {
            seat: self.banked[seat] + now[seat] + (komi if self.colour_of[seat] == "light" else 0)
            for seat in now
        }

    def winner(self) -> str | None:
        """The seat that has won, when the game is over."""
        if not self.over:
            return None
        totals = self.scores()
        if totals["light"] != totals["dark"]:
            return max(totals, key=lambda seat: totals[seat])
        if self.name == "tailits" and self.options.get("score") == "second":
            largest = {
                seat: max(groups(self.squares, colour, True), default=0)
                for seat, colour in self.colour_of.items()
            }
            if largest["light"] != largest["dark"]:
                return max(largest, key=lambda seat: largest[seat])
        usual = {"taiji": "dark", "tailits+taiji": "draw"}.get(self.name, "last")
        tie = self.options.get("tie", usual)
        if tie == "draw":
            return None
        if tie == "last":
            return self.last
        return next(seat for seat, colour in self.colour_of.items() if colour == tie)
