"""Rules nobody has thought of: those that lower to known tests are played, others are refused by name."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Self

import pytest

from taiji.rules import (
    Adjacency,
    Board,
    Colour,
    Game,
    GameError,
    Outcome,
    Scores,
    Seat,
    Stage,
    State,
    Unsupported,
    parse_game,
)
from taiji.rules.placing import FirstMustCover, PlacingRule
from taiji.rules.program import (
    Around,
    Cells,
    Counts,
    Fold,
    Pick,
    Plane,
    Source,
    Tally,
    Test,
    Under,
    Why,
)
from taiji.rules.program_json import program_to_json
from taiji.rules.scoring import Scoring
from taiji.rules.tables import TomlTable
from tests.rules.helpers import legal_texts, play, refusal


@dataclass(frozen=True)
class NoCrowd(PlacingRule):
    """A piece touches at most `most` covered cells, corners included."""

    key = "no-crowd"
    most: int

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        raise NotImplementedError

    def lower(self, board: Board) -> tuple[Test, ...]:
        why = Why("crowd", "too crowded by {cells} for a {kind}", Cells.HITS, Pick.ALL, "{kind}")
        return (Test(self.key, Plane.COVERED, Around(Adjacency.KING), Counts(((0, self.most),)), why),)


@dataclass(frozen=True)
class OddGroups(Scoring):
    """Three points for every group with an odd number of squares."""

    key = "odd-groups"

    @classmethod
    def from_table(cls, table: TomlTable) -> Self:
        raise NotImplementedError

    def lower(self, board: Board, source: Source | None) -> Tally:
        values = tuple(3 * (size % 2) for size in range(board.cells.bit_count() + 1))
        return Tally(self.key, source or Source.SQUARES, Adjacency.EDGE, 1, None, values, Fold.SUM, "3")


def with_stage(game: str = "taiji:size=4", **changes: Any) -> Game:
    """Return a game whose only stage has some parts replaced."""
    base = parse_game(game)
    return replace(base, name="invented", stages=(replace(base.stages[0], **changes),))


def test_a_rule_and_a_scoring_defined_here_are_played() -> None:
    game = with_stage(constraints=(NoCrowd(1),), scoring=OddGroups())
    state = play(game.start(), "a1/b1")
    assert refusal(state, "b2/c2").text == "too crowded by a1, b1 for a taijitu"
    assert "c2/d2" in legal_texts(state)
    state = play(state, "c2/c3", "a4/a3", "c4/d4")
    assert state.is_over
    assert state.outcome() == Outcome(Seat.SECOND, Scores(12, 12))
    assert State.restore(game, state.placed) == state


def test_a_rule_that_depends_on_the_order_is_restored_by_search() -> None:
    game = with_stage("taiji:size=5", constraints=(NoCrowd(1),))
    assert not game.compiled.stages[0].traits.order_free
    state = play(game.start(), "c3/d3", "a2/b2", "b4/a4")
    for order in (state.placed[0], tuple(reversed(state.placed[0]))):
        assert State.restore(game, (order,)) == state
    crowd = [game.placement(0, 0b11 << cell, 1 << cell, 2 << cell) for cell in (0, 10)]
    middle = game.placement(0, 0b11 << 5, 1 << 5, 2 << 5)
    assert middle is not None
    with pytest.raises(ValueError, match="too crowded by"):
        State.restore(game, (tuple(p.action for p in (*crowd, middle) if p is not None),))


class Odd(Enum):
    """Members that no engine knows."""

    MOON = "moon"


@dataclass(frozen=True)
class Beyond:
    """A region that no engine knows."""

    def masks(self, cells: int, board: Board) -> tuple[int, ...]:
        return ()


@dataclass(frozen=True)
class Invented(PlacingRule):
    """A rule with a part that no engine knows."""

    key = "invented"
    changes: tuple[tuple[str, Any], ...]

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        raise NotImplementedError

    def lower(self, board: Board) -> tuple[Test, ...]:
        test = Test(self.key, Plane.COVERED, Under(), Counts(((0, 0),)), Why("invented", "no"))
        return (replace(test, **dict(self.changes)),)


@dataclass(frozen=True)
class InventedScore(OddGroups):
    """A scoring with a part that no engine knows."""

    key = "invented-score"
    changes: tuple[tuple[str, Any], ...] = ()

    def lower(self, board: Board, source: Source | None) -> Tally:
        return replace(super().lower(board, source), **dict(self.changes))


def with_tie(tie: Enum) -> Game:
    """Return a game with a tie rule that its constructor would refuse."""
    game = replace(parse_game("taiji:size=4"))
    object.__setattr__(game, "tie_rule", tie)
    return game


INVENTED: list[tuple[Game, str, str]] = [
    *(
        (with_stage(constraints=(Invented(((part, value),)),)), "invented", f"{part} ")
        for part, value in (
            ("plane", Odd.MOON),
            ("region", Beyond()),
            ("region", Around(Odd.MOON)),  # type: ignore[arg-type]
            ("when", Odd.MOON),
        )
    ),
    *(
        (with_stage(scoring=InventedScore(changes=((part, Odd.MOON),))), "invented-score", f"{part} ")
        for part in ("source", "join", "fold")
    ),
    (with_stage(tiebreak=(InventedScore(changes=(("fold", Odd.MOON),)),)), "invented-score", "fold "),
    (with_tie(Odd.MOON), "tie", "tie rule "),
]


@pytest.mark.parametrize(
    ("game", "rule", "part"), INVENTED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_invented_part_is_refused_before_the_first_move(game: Game, rule: str, part: str) -> None:
    with pytest.raises(Unsupported) as error:
        game.start()
    assert (error.value.engine, error.value.rule) == ("state", rule)
    assert error.value.detail.startswith(part)
    assert str(error.value) == f"state does not support the rule {rule}: {error.value.detail}"


@pytest.mark.parametrize("part", ["cells", "pick", "mark"])
def test_a_rule_that_could_not_be_explained_is_refused_before_the_first_move(part: str) -> None:
    why = replace(Why("invented", "no"), **{part: Odd.MOON})
    with pytest.raises(Unsupported, match=f"state does not support the rule invented: {part} "):
        with_stage(constraints=(Invented((("why", why),)),)).start()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"first": 0}, "ranks 0 to all"),
        ({"first": -2}, "ranks -2 to all"),
        ({"first": 3, "last": 2}, "ranks 3 to 2"),
        ({"last": -1}, "ranks 1 to -1"),
        ({"value": (0, 1, 2)}, r"3 values \(expected 17 integers"),
        ({"value": (0.5,) * 17}, r"17 values \(expected 17 integers"),
    ],
)
def test_ranks_and_values_outside_the_groups_make_no_game(changes: dict[str, Any], message: str) -> None:
    """The core would read beyond its tables."""
    with pytest.raises(GameError, match=f"invented-score: {message}"):
        with_stage(scoring=InventedScore(changes=tuple(changes.items())))


def test_an_invented_region_has_no_json() -> None:
    game = with_stage(constraints=(Invented((("region", Beyond()),)),))
    with pytest.raises(Unsupported, match="program JSON does not support the rule invented: region Beyond"):
        program_to_json(game.compiled)


def test_a_refusal_travels_between_processes() -> None:
    error = Unsupported("kernel", "moon", "too far")
    assert isinstance(error, GameError)
    assert str(pickle.loads(pickle.dumps(error))) == "kernel does not support the rule moon: too far"


def test_the_first_piece_must_cover_all_of_several_cells() -> None:
    board = parse_game("taiji:size=4").stages[0].board
    game = with_stage(constraints=(FirstMustCover(board.mask(["b2", "b3"])),))
    assert set(legal_texts(game.start())) == {"b2/b3", "b3/b2"}
    assert refusal(game.start(), "b1/b2").text == "the first piece must cover b2, b3"
    assert "a1/a2" in legal_texts(play(game.start(), "b2/b3"))


def test_a_stage_may_begin_with_any_colour_and_still_be_scored() -> None:
    stage: Stage = replace(parse_game("taiji:size=2").stages[0], first_colour=Colour.DARK)
    state = Game("dark-first", (stage,), parse_game("taiji").tie_rule).start()
    assert (state.colour_to_move, state.seat_to_move) == (Colour.DARK, Seat.SECOND)
