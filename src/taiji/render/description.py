"""The description of a position to draw: what lies where and what is pointed out, whatever the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.notation import format_move
from taiji.rules import Adjacency, Board, Colour, Placement, Symbols

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taiji.rules import Game, Move, State
    from taiji.rules.game import Stage

NO_SYMBOLS = Symbols()


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece on the board, as masks of its cells; a piece without colours has no light or dark ones."""

    kind: str
    kind_index: int
    cells: int
    light: int = 0
    dark: int = 0
    name: str = ""
    """The move that laid it, as text."""


@dataclass(frozen=True, slots=True)
class ScoringGroup:
    """A group that scores."""

    colour: Colour
    cells: int
    adjacency: Adjacency

    @property
    def size(self) -> int:
        """How many squares it has."""
        return self.cells.bit_count()


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from one cell to another."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Note:
    """A short text on a cell."""

    cell: int
    text: str


@dataclass(frozen=True, slots=True)
class Ghost:
    """A piece that is not there yet: under the cursor, or proposed."""

    tile: Tile
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a picture of a position shows."""

    board: Board
    layers: tuple[tuple[Tile, ...], ...]
    """The pieces of each stage; the last layer is the one being played, those before it are its ground."""
    symbols: Symbols = NO_SYMBOLS
    """Marks printed on the board; those under pieces are not seen."""
    ground_counts: bool = False
    """Whether the colours of the layer below still matter, being the symbols of this stage."""
    start_cells: int = 0
    """The cells that the first piece has to cover."""
    nested_boards: tuple[int, ...] = ()
    """The sides of the smaller boards that are printed on this one, the largest first."""
    last: int = 0
    """The cells of the last move."""
    scoring_groups: tuple[ScoringGroup, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    notes: tuple[Note, ...] = ()
    caption: str = ""
    alt_text: str = ""
    """The picture in a sentence, for whoever cannot see it."""

    @property
    def covered(self) -> int:
        """The cells under pieces of the layer being played."""
        return tiles_mask(self.layers[-1])

    @property
    def ground(self) -> int:
        """The cells under pieces of the layers before."""
        return tiles_mask(tile for layer in self.layers[:-1] for tile in layer)


def tiles_mask(tiles: Iterable[Tile]) -> int:
    """Return the cells that the tiles cover together."""
    mask = 0
    for tile in tiles:
        mask |= tile.cells
    return mask


def describe(
    state: State,
    *,
    last: Move | None = None,
    groups: bool = False,
    ghosts: Iterable[Ghost] = (),
    arrows: Iterable[Arrow] = (),
    notes: Iterable[Note] = (),
    caption: str = "",
) -> Scene:
    """Describe a position; `groups` points out the groups that count, `last` the move that led here."""
    layers = tuple(
        tuple(make_tile(state.game, state.game.placements[number]) for number in numbers)
        for numbers in state.placed
    )
    rules = state.current_stage
    return Scene(
        state.board,
        layers,
        symbols=rules.symbols or NO_SYMBOLS,
        ground_counts=rules.symbols is None and bool(state.symbols.light | state.symbols.dark),
        start_cells=0 if state.covered else start_cells(rules),
        nested_boards=() if state.ground else nested_boards(rules),
        last=last.cells if isinstance(last, Placement) else 0,
        scoring_groups=scoring_groups(state) if groups else (),
        ghosts=tuple(ghosts),
        arrows=tuple(arrows),
        notes=tuple(notes),
        caption=caption,
        alt_text=describe_in_words(state),
    )


def make_tile(game: Game, placement: Placement) -> Tile:
    """Return the piece that a placement lays."""
    return Tile(
        placement.kind,
        placement.footprint.kind_index,
        placement.cells,
        placement.light,
        placement.dark,
        format_move(game, placement),
    )


def scoring_groups(state: State) -> tuple[ScoringGroup, ...]:
    """Return the groups of both colours that count now."""
    adjacency = getattr(state.current_stage.scoring, "adjacency", Adjacency.EDGE)
    return tuple(
        ScoringGroup(colour, group, adjacency) for colour in Colour for group in state.scoring_groups(colour)
    )


def start_cells(rules: Stage) -> int:
    """Return the cells that the first piece of a stage has to cover."""
    mask = 0
    for constraint in rules.constraints:
        mask |= getattr(constraint, "cells", 0)
    return mask


def nested_boards(rules: Stage) -> tuple[int, ...]:
    """Return the sides of the boards nested in one for dominoes: the 11×11 shows the 9×9 and the 7×7."""
    side = rules.board.width
    dominoes = all(len(piece.squares) == 2 for piece in rules.pieces)
    if not dominoes or rules.board.height != side:
        return ()
    return tuple(inner for inner in (9, 7) if inner < side and (side - inner) % 2 == 0)


def describe_in_words(state: State) -> str:
    """Say in a sentence what the picture shows."""
    words = state.game.colour_names
    scores = state.scores()
    told = ", ".join(f"{words.of(colour)} {scores.of(state.seat_of(colour))}" for colour in Colour)
    if not state.is_over:
        return f"{state.game}: {told}, {words.of(state.colour_to_move)} to move."
    outcome = state.outcome()
    winner = outcome.winner if outcome else None
    how = "a draw" if winner is None else f"{words.of(state.colour_of(winner))} wins"
    return f"{state.game}: {told}, {how}."
