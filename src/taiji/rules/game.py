"""A game as a value: its stages, each with a board, pieces, constraints and a way to score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING

from taiji.rules.compile import check_first_stage, compile_game, lower_tallies, lower_tests
from taiji.rules.errors import GameError, check_type
from taiji.rules.geometry import Board, bits, mask_of
from taiji.rules.move_text import parse_stage_move
from taiji.rules.pieces import Colour, Piece, PieceStock
from taiji.rules.placements import Layout, Move, NameKomi, Placement, Swap, lay_out, stage_kinds
from taiji.rules.placing import PlacingRule
from taiji.rules.program import CompiledGame, Tally, Test, Tie
from taiji.rules.rows import StageRows, build_rows
from taiji.rules.scoring import Scoring
from taiji.rules.traits import derive_traits

if TYPE_CHECKING:
    from taiji.rules.state import State


@dataclass(frozen=True)
class Symbols:
    """The marks printed on a board, as masks."""

    light: int = 0
    dark: int = 0

    def of(self, colour: Colour) -> int:
        """Return the symbols of one colour."""
        return self.light if colour is Colour.LIGHT else self.dark


@dataclass(frozen=True)
class Stage:
    """One board game, played to its end."""

    name: str
    board: Board
    pieces: tuple[Piece, ...]
    stocks: tuple[PieceStock, ...]
    first_colour: Colour
    scoring: Scoring
    constraints: tuple[PlacingRule, ...] = ()
    tiebreak: tuple[Scoring, ...] = ()
    """Compared in turn if the scores are equal, before the game's tie rule."""
    last_placement_bonus: int = 0
    """Half points for the player who places last in this stage."""
    swap_after: int | None = None
    """After this many placements the player to move may exchange colours instead of placing; None: never."""
    symbols: Symbols | None = None
    """The printed symbols; None takes the squares of the stage before."""

    def __post_init__(self) -> None:
        if not self.pieces:
            raise GameError("a stage needs at least one piece")
        for piece in self.pieces:
            if not 0 <= piece.stock < len(self.stocks) or self.stocks[piece.stock].kind != piece.kind:
                raise GameError(f"piece {piece.kind} has no supply of its kind")
        if any(slot.count < 0 for slot in self.stocks):
            raise GameError("a supply cannot be negative")
        if self.swap_after is not None and self.swap_after < 0:
            raise GameError(f"swap after {self.swap_after} placements: invalid (expected 0 or more)")

    @property
    def swap(self) -> bool:
        """Whether the stage offers a swap."""
        return self.swap_after is not None

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its pieces."""
        return stage_kinds(self.pieces)

    @cached_property
    def supply(self) -> tuple[int, ...]:
        """The supply at the start."""
        return tuple(slot.count for slot in self.stocks)

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """The tests that a placement must pass, in the order in which they explain an illegal move."""
        return lower_tests(self)

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """The tally of the score, then those of the tie-breaks."""
        return lower_tallies(self)


@dataclass(frozen=True)
class ColourNames:
    """The rulebook's names of the two colours."""

    light: str = "Light"
    dark: str = "Dark"

    def of(self, colour: Colour) -> str:
        """Return the rulebook's name of a colour."""
        return self.light if colour is Colour.LIGHT else self.dark


@dataclass(frozen=True)
class Game:
    """A game of one or more stages; its name is the canonical text that `parse_game` reads."""

    name: str
    stages: tuple[Stage, ...]
    tie_rule: Tie
    colour_names: ColourNames = ColourNames()
    komi: int = 0
    """Half points that Light gets on top in the first stage; they count in its scores."""
    komi_names: tuple[int, ...] = ()
    """If not empty, the second colour names one of these half points first; the other may then swap."""
    opening: tuple[str, ...] = ()
    """The placements of the first stage, in order, that lie on the board when the game starts."""

    def __post_init__(self) -> None:
        check_type("name", self.name, str, "a text")
        check_type("stages", self.stages, tuple, "a tuple of Stage")
        for stage in self.stages:
            check_type("stages", stage, Stage, "a tuple of Stage")
        check_type("tie_rule", self.tie_rule, Tie, "a Tie")
        if not self.stages:
            raise GameError("a game needs at least one stage")
        if len({(stage.board.width, stage.board.height) for stage in self.stages}) > 1:
            raise GameError("all stages of a game need boards of the same size")
        if sum(stage.swap for stage in self.stages) > 1:
            raise GameError("at most one stage of a game has a swap")
        check_first_stage(self.stages[0])
        self._check_komi()

    def _check_komi(self) -> None:
        check_type("komi", self.komi, int, "half points")
        has_early_swap = any(stage.swap_after == 0 for stage in self.stages)
        if self.komi_names and (self.komi or self.stages[0].swap_after != 0):
            raise GameError("a komi that is named needs a swap after 0 placements, and no fixed komi")
        if has_early_swap and not self.komi_names:
            raise GameError("a swap after 0 placements needs a komi that is named")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"parse_game({self.name!r})"

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[type[Game], tuple[object, ...]]:
        # Without the caches: they are large, and hashes differ between processes.
        return Game, self._values

    @property
    def _values(self) -> tuple[object, ...]:
        return (
            self.name,
            self.stages,
            self.tie_rule,
            self.colour_names,
            self.komi,
            self.komi_names,
            self.opening,
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self._values)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Game):
            return NotImplemented
        return self._values == other._values

    @cached_property
    def compiled(self) -> CompiledGame:
        """The form of the game that every engine reads."""
        return compile_game(self)

    @cached_property
    def layouts(self) -> tuple[Layout, ...]:
        """The footprints and placements of each stage."""
        layouts: list[Layout] = []
        action = 0
        for index, stage in enumerate(self.stages):
            try:
                layout = lay_out(stage.board, stage.pieces, index, action, self.name)
            except ValueError as error:
                raise GameError(str(error)) from error
            action += len(layout.placements)
            layouts.append(layout)
        return tuple(layouts)

    @cached_property
    def rows(self) -> tuple[StageRows, ...]:
        """What `State` keeps of each stage: the footprints that pass each test."""
        return build_rows(self.compiled)

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """Every placement of every stage; a placement's number is its index."""
        return tuple(placement for layout in self.layouts for placement in layout.placements)

    @cached_property
    def swap(self) -> Swap | None:
        """The swap, numbered after the placements, if the game has one."""
        return Swap(len(self.placements)) if any(stage.swap for stage in self.stages) else None

    @cached_property
    def komi_moves(self) -> tuple[NameKomi, ...]:
        """The komis that may be named, numbered after the swap; none if the rules fix the komi."""
        first = len(self.placements) + 1
        return tuple(NameKomi(first + index, named) for index, named in enumerate(self.komi_names))

    @cached_property
    def opening_moves(self) -> tuple[Placement, ...]:
        """The placements that lie on the board when the game starts."""
        moves = [parse_stage_move(self, 0, text) for text in self.opening]
        return tuple(move for move in moves if isinstance(move, Placement))

    @property
    def action_count(self) -> int:
        """How many action ids there are."""
        return len(self.placements) + (self.swap is not None) + len(self.komi_names)

    def move(self, action: int) -> Move:
        """Return the move with this action id."""
        check_type("action", action, Integral, "an action id")
        if 0 <= action < len(self.placements):
            return self.placements[action]
        if self.swap is not None and action == self.swap.action:
            return self.swap
        if len(self.placements) < action < self.action_count:
            return self.komi_moves[action - len(self.placements) - 1]
        raise GameError(f"{action} is not an action of {self.name} (expected 0 to {self.action_count - 1})")

    def parse(self, text: str, stage: int = 0) -> Move:
        """Return the move written as `text`, of `stage` first; raise `NotationError` if it names no move."""
        check_type("stage", stage, Integral, "the index of a stage")
        if not 0 <= stage < len(self.stages):
            raise GameError(f"stage={stage}: invalid (expected 0 to {len(self.stages) - 1})")
        return parse_stage_move(self, stage, text)

    @cached_property
    def _by_face(self) -> dict[tuple[int, int, int, int], Placement]:
        return {(p.stage_index, p.cells, p.light, p.dark): p for p in self.placements}

    def placement(self, stage: int, cells: int, light: int, dark: int) -> Placement | None:
        """Return the placement that lays this face on these cells, if a piece can."""
        for name, value in (("stage", stage), ("cells", cells), ("light", light), ("dark", dark)):
            check_type(name, value, Integral, "an integer")
        return self._by_face.get((stage, cells, light, dark))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The symmetries of the board that keep the whole game; the first keeps every cell."""
        return tuple(
            image
            for image in self.stages[0].board.symmetries
            if all(_is_symmetry(s, image) for s in self.stages)
        )

    def start(self) -> State:
        """Return the position before the first move."""
        from taiji.rules.state import State  # the state knows its game; the game only opens it

        return State.start(self)


def _is_symmetry(stage: Stage, image: tuple[int, ...]) -> bool:
    """Return whether a map of cells keeps holes, symbols and every set of cells that a rule names."""
    sets = [frozenset({stage.board.holes}), *derive_traits(stage.tests).fixed_masks]
    if stage.symbols is not None:
        sets += [frozenset({stage.symbols.light}), frozenset({stage.symbols.dark})]
    if any({_map_mask(mask, image) for mask in masks} != masks for masks in sets):
        return False
    return all(piece.can_rotate and piece.can_flip for piece in stage.pieces) or image == tuple(
        range(len(image))
    )


def _map_mask(mask: int, image: tuple[int, ...]) -> int:
    return mask_of(image[cell] for cell in bits(mask))
