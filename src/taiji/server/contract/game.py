"""A game as a browser needs it: the compiled rules, and the pieces and footprints of each stage."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from taiji.rules.geometry import Adjacency
from taiji.rules.program import Cells, Fold, Pick, Plane, Source, When
from taiji.server.contract.messages import MatchRuleName, View

ColourName = Literal["light", "dark"]


class UnderRegion(View):
    """The cells of the piece."""

    type: Literal["under"]


class AroundRegion(View):
    """The cells next to the piece."""

    type: Literal["around"]
    adjacency: Adjacency


class FixedRegion(View):
    """A fixed set of cells."""

    type: Literal["fixed"]
    cells: list[int]


class EachRegion(View):
    """Every one of these sets that the piece meets."""

    type: Literal["each"]
    sets: list[list[int]]


Region = Annotated[UnderRegion | AroundRegion | FixedRegion | EachRegion, Field(discriminator="type")]


class Why(View):
    """How a failed test is explained; `text` and `word` have placeholders, as in `rules/program.py`."""

    code: str
    text: str
    cells: Cells
    pick: Pick
    word: str
    mark: Cells


class PlacementTest(View):
    """A condition on placing: in each mask of the region, the count of cells in the plane is in a range.

    The ranges are inclusive; a negative end counts from the mask's size: -1 all cells, -2 all but one.
    """

    rule: str
    plane: Plane
    region: Region
    counts: list[tuple[int, int]]
    why: Why
    when: When


class Tally(View):
    """A way to score: the groups of ranks `first` to `last`, largest first, each worth `value[size]`."""

    rule: str
    source: Source
    join: Adjacency | None
    first: int
    last: int | None
    value: list[int]
    fold: Fold
    term: str


class BoardSize(View):
    """The board of a stage."""

    width: int
    height: int
    holes: list[int]


class ColourCells(View):
    """Cells by colour."""

    light: list[int]
    dark: list[int]


class ColourNames(View):
    """The names of the colours."""

    light: str
    dark: str


class StageTraits(View):
    """Properties of a stage that follow from its tests."""

    heights_matter: bool
    start_cells: list[int]
    is_constrained: bool
    order_free: bool


class StageProgram(View):
    """The compiled rules of a stage; `symbols` None takes the squares of the previous stage.

    `last_placement_bonus` is in half points. After `swap_after` placements the player to move may swap.
    """

    name: str
    board: BoardSize
    kinds: list[str]
    tests: list[PlacementTest]
    score: Tally
    tiebreak: list[Tally]
    first_colour: ColourName
    supply: list[int]
    symbols: ColourCells | None
    last_placement_bonus: int
    swap_after: int | None
    traits: StageTraits


class GameProgram(View):
    """The compiled rules of a game.

    `komi` are half points for Light. If there are `komi_names`, a player names one of them first; their
    actions come last. `opening` are the placements on the board at the start.
    """

    format: int
    name: str
    stages: list[StageProgram]
    tie_rule: Literal["light", "dark", "last", "draw"]
    swap_action: int | None
    action_count: int
    colour_names: ColourNames
    komi: int
    komi_names: list[int]
    opening: list[int]


class PieceDefinition(View):
    """A piece; `colours` has one character per square: `l`, `d`, or `.` without a colour."""

    kind: str
    squares: list[tuple[int, int]]
    colours: str
    stock: int
    can_rotate: bool
    can_flip: bool


class FootprintDefinition(View):
    """A footprint; `action` is that of the first face, the others follow.

    A face is a mask of the light squares over `cells` (-1 without colours) and the index of its stock.
    """

    kind: int
    cells: list[int]
    action: int
    faces: list[tuple[int, int]]


class StageDefinition(View):
    """The pieces and footprints of a stage."""

    pieces: list[PieceDefinition]
    footprints: list[FootprintDefinition]


class GameDefinition(View):
    """A whole game, enough to run its rules without the server."""

    game: str
    base: str
    title: str
    match_rule: MatchRuleName
    program: GameProgram
    stages: list[StageDefinition]
