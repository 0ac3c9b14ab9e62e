"""A player of compiled games that reads only their JSON: sets of cells, no masks, no code of the package."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

Json = dict[str, Any]
SEATS = {"light": 0, "dark": 1}
KING = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
EDGE = [(dx, dy) for dx, dy in KING if not dx or not dy]


class Refusal(NamedTuple):
    """Why a footprint is refused: the code, the names of the cells and the word."""

    code: str
    cells: tuple[str, ...]
    word: str


class JsonGame:
    """A game being played; seats are 0 and 1, colours "light" and "dark"."""

    def __init__(self, program: Json, layouts: list[list[Json]]) -> None:
        self.program, self.layouts = program, layouts
        self.swapped = False
        self.komi: int | None = None if program["komi_names"] else program["komi"]
        self.last: int | None = None
        self.banked = [0, 0]  # half points
        self.index = -1
        self.squares: dict[str, set[int]] = {"light": set(), "dark": set()}
        self.covered: set[int] = set()
        self._start_stage()
        for action in program["opening"]:
            self.play(action)

    def _start_stage(self) -> None:
        self.index += 1
        self.stage = self.program["stages"][self.index]
        self.below, self.ground = self.squares, self.covered
        self.squares, self.covered = {"light": set(), "dark": set()}, set()
        self.kinds: list[set[int]] = [set() for _ in self.stage["kinds"]]
        self.supply = list(self.stage["supply"])
        self.turns = 0
        self._find_legal()

    def _find_legal(self) -> None:
        self.legal = {
            footprint["action"] + offset: (footprint, light, stock)
            for footprint in self.layouts[self.index]
            if self.refusal(footprint) is None
            for offset, (light, stock) in enumerate(footprint["faces"])
            if self.supply[stock]
        }
        if not self.legal and self.index + 1 < len(self.program["stages"]):
            self.banked = self.half_points()
            self._start_stage()

    def actions(self) -> set[int]:
        """Return the legal actions."""
        if self.must_name_komi:
            first = self.program["swap_action"] + 1
            return set(range(first, self.program["action_count"]))
        can_swap = self.stage["swap_after"] == self.turns and not self.swapped and self.legal
        return set(self.legal) | ({self.program["swap_action"]} if can_swap else set())

    def play(self, action: int) -> None:
        """Play a legal action."""
        if action == self.program["swap_action"]:
            self.swapped = True
            return
        if self.must_name_komi:
            self.komi = self.program["komi_names"][action - self.program["swap_action"] - 1]
            return
        footprint, light, stock = self.legal[action]
        self.last = self.seat_of(self.colour_to_move)
        self.supply[stock] -= 1
        self.turns += 1
        for bit, cell in enumerate(footprint["cells"]):
            self.covered.add(cell)
            self.kinds[footprint["kind"]].add(cell)
            if light >= 0:
                self.squares["light" if light >> bit & 1 else "dark"].add(cell)
        self._find_legal()

    @property
    def must_name_komi(self) -> bool:
        """Whether the komi is to be named now."""
        return self.komi is None and self.index == 0 and bool(self.legal)

    @property
    def colour_to_move(self) -> str:
        """The colour to move."""
        first: str = self.stage["first_colour"]
        return first if self.turns % 2 == self.must_name_komi else "dark" if first == "light" else "light"

    def seat_of(self, colour: str) -> int:
        """Return the seat that plays a colour."""
        return SEATS[colour] ^ self.swapped

    def refusal(self, footprint: Json) -> Refusal | None:
        """Return the first test that a footprint fails, as it is explained."""
        piece = set(footprint["cells"])
        planes = {
            "piece": piece,
            "covered": self.covered,
            "after": self.covered | piece,
            "kind": self.kinds[footprint["kind"]],
            "ground": self.ground,
        }
        for test in self.stage["tests"]:
            if test["when"] not in ("always", "later" if self.covered else "first"):
                continue
            for mask in self._masks(test["region"], piece):
                hits = planes[test["plane"]] & mask
                ends = [[end + len(mask) + 1 if end < 0 else end for end in pair] for pair in test["counts"]]
                if not any(low <= len(hits) <= high for low, high in ends):
                    return self._explain(
                        test["why"], mask, hits, piece, self.stage["kinds"][footprint["kind"]]
                    )
        return None

    def _masks(self, region: Json, piece: set[int]) -> list[set[int]]:
        match region["type"]:
            case "under":
                return [piece]
            case "around":
                return [{n for cell in piece for n in self._near(cell, region["adjacency"])} - piece]
            case "fixed":
                return [set(region["cells"])]
            case _:
                return [mask for mask in map(set, region["sets"]) if mask & piece]

    def _near(self, cell: int, adjacency: str) -> set[int]:
        board = self.stage["board"]
        x, y = cell % board["width"], cell // board["width"]
        found = set()
        for dx, dy in EDGE if adjacency == "edge" else KING:
            if 0 <= x + dx < board["width"] and 0 <= y + dy < board["height"]:
                found.add((y + dy) * board["width"] + x + dx)
        return found - set(board["holes"])

    def _explain(self, why: Json, mask: set[int], hits: set[int], piece: set[int], kind: str) -> Refusal:
        width = self.stage["board"]["width"]
        sets = {"none": set(), "hits": hits, "misses": mask - hits, "mask": mask, "piece": piece}
        cells = sorted(sets[why["cells"]], key=lambda cell: (cell % width, cell // width))
        if why["pick"] == "first":
            cells = cells[:1]
        elif why["pick"] == "ends" and cells:
            cells = [min(cells), max(cells)]
        names = tuple(f"{chr(97 + cell % width)}{cell // width + 1}" for cell in cells)
        part = "one half" if len(piece) == 2 else "a part of it"
        return Refusal(why["code"], names, why["word"].replace("{kind}", kind).replace("{part}", part))

    def score(self, tally: Json, seat: int) -> int:
        """Return what a tally gives a seat."""
        colour = next(colour for colour in SEATS if self.seat_of(colour) == seat)
        cells = self.squares[colour]
        if tally["source"] == "symbols":
            printed = self.stage["symbols"]
            cells = (set(printed[colour]) if printed else self.below[colour]) - self.covered
        sizes = self._group_sizes(set(cells), tally["join"])[tally["first"] - 1 : tally["last"]]
        values = [tally["value"][size] for size in sizes]
        if not values:
            return 0
        return sum(values) if tally["fold"] == "sum" else prod(values)

    def _group_sizes(self, cells: set[int], join: str | None) -> list[int]:
        sizes = []
        while cells:
            group, front = set(), {cells.pop()}
            while front:
                group |= front
                near = {n for cell in front for n in self._near(cell, join)} if join else set()
                front = near & cells
                cells -= front
            sizes.append(len(group))
        return sorted(sizes, reverse=True)

    def half_points(self) -> list[int]:
        """Return the totals in half points."""
        bonus = 0 if self.legal else self.stage["last_placement_bonus"]
        komi = [0, 0]
        if self.index == 0:
            komi[self.seat_of("light")] = self.komi or 0
        return [
            self.banked[seat]
            + 2 * self.score(self.stage["score"], seat)
            + bonus * (self.last == seat)
            + komi[seat]
            for seat in (0, 1)
        ]

    def winner(self) -> int | None:
        """Return the seat that has won a finished game; None is a draw."""
        totals = self.half_points()
        pairs = [totals] + [[self.score(tally, seat) for seat in (0, 1)] for tally in self.stage["tiebreak"]]
        for first, second in pairs:
            if first != second:
                return int(second > first)
        ties = {colour: self.seat_of(colour) for colour in SEATS} | {"last": self.last, "draw": None}
        return ties[self.program["tie_rule"]]
