"""Describe a position as a `Scene`: pieces, symbols and marks, independent of the output format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.rules import Board, Colour, Placement, Symbols

if TYPE_CHECKING:
    from collections.abc import Iterable

    from taiji.rules import Adjacency, Game, Move, State
    from taiji.rules.game import Stage

NO_SYMBOLS = Symbols()


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece on the board as masks of its cells; a piece without colours has no light or dark cells."""

    kind: str
    kind_index: int
    cells: int
    light: int = 0
    dark: int = 0
    name: str = ""
    """The move that placed it, as text."""


@dataclass(frozen=True, slots=True)
class ScoringGroup:
    """A group that counts."""

    colour: Colour
    cells: int
    adjacency: Adjacency
    """How its cells are joined."""

    @property
    def size(self) -> int:
        """Number of cells."""
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
    """A piece that is not placed yet: under the cursor, or proposed."""

    tile: Tile
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of a picture of a position."""

    board: Board
    layers: tuple[tuple[Tile, ...], ...]
    """The pieces of each stage; the last layer is that of the current stage, the others are its ground."""
    symbols: Symbols = NO_SYMBOLS
    """Symbols printed on the board; those under pieces are not visible."""
    ground_counts: bool = False
    """Whether the squares of the layer below are the symbols of this stage."""
    start_cells: int = 0
    """The cells that the first piece must cover."""
    nested_boards: tuple[int, ...] = ()
    """Side lengths of the smaller boards printed on this one, largest first."""
    last: int = 0
    """The cells of the last move."""
    scoring_groups: tuple[ScoringGroup, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    notes: tuple[Note, ...] = ()
    caption: str = ""
    alt_text: str = ""
    """The picture as a sentence, for screen readers."""

    @property
    def covered(self) -> int:
        """Cells under pieces of the current stage."""
        return tiles_mask(self.layers[-1])

    @property
    def ground(self) -> int:
        """Cells under pieces of earlier stages."""
        return tiles_mask(tile for layer in self.layers[:-1] for tile in layer)


def tiles_mask(tiles: Iterable[Tile]) -> int:
    """Return the cells that the tiles cover."""
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
    """Describe a position; `groups` marks the groups that count, `last` is the last move to mark."""
    layers = tuple(
        tuple(make_tile(state.game, state.game.placements[action]) for action in actions)
        for actions in state.placed
    )
    stage = state.current_stage
    return Scene(
        state.board,
        layers,
        symbols=stage.symbols or NO_SYMBOLS,
        ground_counts=stage.symbols is None and bool(state.symbols.light | state.symbols.dark),
        start_cells=0 if state.covered else state.compiled_stage.traits.start_cells,
        nested_boards=() if state.ground else nested_boards(stage),
        last=last.cells if isinstance(last, Placement) else 0,
        scoring_groups=scoring_groups(state) if groups else (),
        ghosts=tuple(ghosts),
        arrows=tuple(arrows),
        notes=tuple(notes),
        caption=caption,
        alt_text=describe_in_words(state),
    )


def make_tile(game: Game, placement: Placement) -> Tile:
    """Return the tile of a placement."""
    return Tile(
        placement.kind,
        placement.footprint.kind_index,
        placement.cells,
        placement.light,
        placement.dark,
        str(placement),
    )


def scoring_groups(state: State) -> tuple[ScoringGroup, ...]:
    """Return the groups of both colours that count; none if cells count one by one."""
    adjacency = state.compiled_stage.score.join
    if adjacency is None:
        return ()
    return tuple(
        ScoringGroup(colour, group, adjacency) for colour in Colour for group in state.scoring_groups(colour)
    )


def nested_boards(stage: Stage) -> tuple[int, ...]:
    """Return the sides of the boards nested in a board for dominoes: 11×11 shows 9×9 and 7×7."""
    side = stage.board.width
    dominoes = all(len(piece.squares) == 2 for piece in stage.pieces)
    if not dominoes or stage.board.height != side:
        return ()
    return tuple(inner for inner in (9, 7) if inner < side and (side - inner) % 2 == 0)


def describe_in_words(state: State) -> str:
    """Return a sentence with the scores and who is to move or has won."""
    names = state.game.colour_names
    totals = state.scores()
    scores = ", ".join(f"{names.of(colour)} {totals.of(state.seat_of(colour))}" for colour in Colour)
    if not state.is_over:
        return f"{state.game}: {scores}, {names.of(state.colour_to_move)} to move."
    outcome = state.outcome()
    winner = outcome.winner if outcome else None
    ending = "a draw" if winner is None else f"{names.of(state.colour_of(winner))} wins"
    return f"{state.game}: {scores}, {ending}."
