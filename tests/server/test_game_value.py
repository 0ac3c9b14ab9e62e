"""The tables of a game value are enough to run its rules: a small engine made from the JSON alone agrees."""

from __future__ import annotations

import json
import random
from functools import cache
from math import prod
from typing import Any

import pytest

from taiji.rules import EDITIONS, GAMES, Colour, Seat, State, parse_game
from taiji.server.domain.game_definition import catalogue, game_definition

TEXTS = [
    "taiji:size=5", "taiji:size=6,score=omega", "taiji:size=5,diagonal=yes", "taiji:size=5,score=squares",
    "taiji:size=5,score=product,groups=2", "tailits", "tailits:score=second,set=free", "battle-of-lits",
    "battle-of-lits:size=6,swap=no", "tailits+taiji", "taiji+battle-of-lits:size=6",
]  # fmt: skip


class Engine:
    """The rules as a browser would run them, from the JSON and nothing else."""

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.stage = 0
        self.swapped = False
        self.banked = [0.0, 0.0]
        self.last: int | None = None
        self.below: dict[str, set[int]] = {"light": set(), "dark": set(), "covered": set()}
        self.near = cache(self._near)
        self.halo = cache(self._halo)
        self.blocks = cache(self._blocks)
        self._open()

    @property
    def rules(self) -> dict[str, Any]:
        stage: dict[str, Any] = self.value["stages"][self.stage]
        return stage

    def _open(self) -> None:
        self.supply = [slot["count"] for slot in self.rules["slots"]]
        self.own: dict[str, set[int]] = {"light": set(), "dark": set()}
        self.covered: set[int] = set()
        self.kinds: list[set[int]] = [set() for _ in self.rules["kinds"]]
        self.placed = 0

    def _near(self, cell: int, adjacency: str) -> set[int]:
        width, height = self.rules["width"], self.rules["height"]
        row, column = divmod(cell, width)
        steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        if adjacency == "king":
            steps += [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        return {
            (row + y) * width + column + x
            for x, y in steps
            if 0 <= row + y < height and 0 <= column + x < width
        }

    def _halo(self, cells: tuple[int, ...]) -> set[int]:
        return set().union(*(self.near(cell, "edge") for cell in cells)) - set(cells)

    def allowed(self, footprint: dict[str, Any]) -> bool:
        cells = tuple(footprint["cells"])
        if self.covered & set(cells):
            return False
        return all(self.keeps(rule, footprint, cells) for rule in self.rules["constraints"])

    def keeps(self, rule: dict[str, Any], footprint: dict[str, Any], cells: tuple[int, ...]) -> bool:
        match rule["type"]:
            case "must-touch":
                return not self.covered or bool(self.halo(cells) & self.covered)
            case "same-kind-apart":
                return not self.halo(cells) & self.kinds[footprint["kind"]]
            case "no-full-block":
                after = self.covered | set(cells)
                return not any(block <= after for block in self.blocks(rule["width"], rule["height"], cells))
            case "first-covers":
                return bool(self.covered) or set(rule["cells"]) <= set(cells)
            case "level-ground":
                return len({cell in self.below["covered"] for cell in cells}) == 1
        raise AssertionError(rule)

    def _blocks(self, wide: int, high: int, cells: tuple[int, ...]) -> list[set[int]]:
        width, height = self.rules["width"], self.rules["height"]
        blocks = (
            {(y + dy) * width + x + dx for dx in range(wide) for dy in range(high)}
            for x in range(width - wide + 1)
            for y in range(height - high + 1)
        )
        return [block for block in blocks if block & set(cells)]

    def legal(self) -> list[int]:
        found = [
            footprint["number"] + place
            for footprint in self.rules["footprints"]
            if self.allowed(footprint)
            for place, (_, slot) in enumerate(footprint["faces"])
            if self.supply[slot]
        ]
        swap = self.rules["swap"] and not self.swapped and self.placed == 1 and found
        return [*found, self.value["swap"]] if swap else found

    @property
    def to_move(self) -> str:
        first: str = self.rules["first"]
        other = {"light": "dark", "dark": "light"}[first]
        return other if self.placed % 2 else first

    def seat(self, colour: str) -> int:
        return (colour == "dark") ^ self.swapped

    def play(self, number: int) -> None:
        if number == self.value["swap"]:
            self.swapped = True
            return
        footprint = max(
            (f for f in self.rules["footprints"] if f["number"] <= number), key=lambda f: f["number"]
        )
        light, slot = footprint["faces"][number - footprint["number"]]
        self.last = self.seat(self.to_move)
        for place, cell in enumerate(footprint["cells"]):
            if light >= 0:
                self.own["light" if light >> place & 1 else "dark"].add(cell)
        self.covered |= set(footprint["cells"])
        self.kinds[footprint["kind"]] |= set(footprint["cells"])
        self.supply[slot] -= 1
        self.placed += 1
        while not self.legal() and self.stage + 1 < len(self.value["stages"]):
            self.banked = self.scores()
            self.below = {**self.own, "covered": self.covered}
            self.stage += 1
            self._open()

    def counted(self, colour: str) -> set[int]:
        if self.rules["scoring"]["type"] != "uncovered":
            return self.own[colour]
        symbols = self.rules["symbols"] or self.below
        return set(symbols[colour]) - self.covered

    def groups(self, cells: set[int], adjacency: str) -> list[int]:
        left, sizes = set(cells), []
        while left:
            front, size = {left.pop()}, 0
            while front:
                cell = front.pop()
                size += 1
                reached = self.near(cell, adjacency) & left
                left -= reached
                front |= reached
            sizes.append(size)
        return sorted(sizes, reverse=True)

    def points(self, rule: dict[str, Any], colour: str) -> float:
        cells = self.counted(colour)
        if rule["type"] == "uncovered":
            return len(cells)
        sizes = self.groups(cells, rule["adjacency"])
        match rule["type"]:
            case "largest":
                return sum(sizes[: rule["groups"]])
            case "ranked":
                return sum(sizes[rule["rank"] - 1 : rule["rank"]])
            case "squares":
                return sum(size**2 for size in sizes[: rule["groups"]])
            case "product":
                return prod(sizes[: rule["groups"]]) if sizes else 0
        raise AssertionError(rule)

    def scores(self) -> list[float]:
        totals = list(self.banked)
        ended = not self.legal()
        for colour in ("light", "dark"):
            seat = self.seat(colour)
            totals[seat] += self.points(self.rules["scoring"], colour)
            if ended and self.last == seat:
                totals[seat] += self.rules["last_bonus"]
        return totals

    def winner(self) -> int | None:
        scores = self.scores()
        if scores[0] != scores[1]:
            return int(scores[1] > scores[0])
        for rule in self.rules["tiebreak"]:
            by = {self.seat(colour): self.points(rule, colour) for colour in ("light", "dark")}
            if by[0] != by[1]:
                return int(by[1] > by[0])
        tie = self.value["tie"]
        return self.last if tie == "last" else None if tie == "draw" else self.seat(tie)


@pytest.mark.parametrize("text", TEXTS)
def test_an_engine_made_from_the_tables_agrees(text: str) -> None:
    value = json.loads(json.dumps(game_definition(text)))
    game = parse_game(text)
    assert value["game"] == str(game)
    assert value["actions"] == game.action_count
    dice = random.Random(text)
    state: State = game.start()
    engine = Engine(value)
    while not state.is_over:
        legal = [move.action for move in state.legal()]
        assert engine.legal() == legal
        assert engine.seat(engine.to_move) == state.seat_to_move
        move = dice.choice(state.legal()[-2:] if state.can_swap else state.legal())
        state = state.play(move)
        engine.play(move.action)
        assert engine.scores() == list(state.scores())
    assert engine.legal() == []
    outcome = state.outcome()
    assert outcome is not None
    assert engine.winner() == (None if outcome.winner is None else int(outcome.winner))


def test_faces_carry_their_colours() -> None:
    game, value = parse_game("tailits"), game_definition("tailits")
    for footprint in value["stages"][0]["footprints"][::50]:
        for place, (light, slot) in enumerate(footprint["faces"]):
            placement = game.placements[footprint["number"] + place]
            cells = [cell for bit, cell in enumerate(footprint["cells"]) if light >> bit & 1]
            assert sum(1 << cell for cell in cells) == placement.light
            assert slot == placement.slot


def test_the_catalogue_lists_every_game_edition_and_option() -> None:
    shown = catalogue()
    assert [game["name"] for game in shown["games"]] == list(GAMES)
    assert [edition["name"] for edition in shown["editions"]] == list(EDITIONS)
    for game in shown["games"]:
        assert [option["name"] for option in game["options"]] == [o.name for o in GAMES[game["name"]].options]
    assert json.loads(json.dumps(shown)) == shown


def test_an_edition_brings_its_match_rule() -> None:
    assert game_definition("blue-panther")["rule"] == "blue-panther"
    assert game_definition("blue-panther")["game"] == "taiji:groups=1"
    assert Seat(0) is Seat.FIRST
    assert Colour(0) is Colour.LIGHT
